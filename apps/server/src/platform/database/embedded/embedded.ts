import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, realpath, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  CLUSTER_USER,
  createCluster,
  keptPassword,
  ownerOf,
  passwordFile,
  refuseOtherMajor,
  why,
} from './cluster.ts'
import { clearSocket, freePort, SOCKET_NUMBER, socketFolder } from './socket-directory.ts'
import { type Log, silentLog } from '../log.ts'
import { bundledBinaries } from './postgres-binaries.ts'
import { type Launcher, launcherFor } from './postgres-launch.ts'
import { LockHeld, type ProcessLock, takeLock } from './process-lock.ts'
import { StartRefused } from '../start-refused.ts'
import { stopOrphan } from './orphaned-postgres.ts'
import { databaseUser } from './system-user.ts'

const DATABASE = 'duet'
const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 10
const STOP_WITHIN_MS = 15_000
const RESTART_PAUSE_MS = 100
const RESTART_PAUSE_MAX_MS = 5_000
const LAST_WORDS_MAX = 20

/** How to reach the server: what `pg` takes. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

export interface Embedded {
  connection: EmbeddedConnection
  /** The process id of PostgreSQL now; another one after it was restarted. */
  pid(): number
  /** Stops PostgreSQL (running transactions are rolled back) and gives the folder back. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** The cluster lives in its `db`. Made when absent. */
  data_dir: string
  log?: Log
  /** False leaves writing to the disk to the system: for tests only. */
  durable?: boolean
}

/**
 * Starts the PostgreSQL that came with npm on `data_dir` and keeps it running until `stop`.
 *
 * One process a folder; PostgreSQL dies with us and is started again if it dies alone.
 *
 * @throws StartRefused with one sentence for the operator
 */
export async function openEmbedded({
  data_dir,
  log = silentLog,
  durable = true,
}: EmbeddedOptions): Promise<Embedded> {
  await mkdir(data_dir, { recursive: true })
  const home = await realpath(data_dir)
  const lock = await lockFolder(home)
  try {
    const cluster = join(home, 'db')
    const user = (await ownerOf(cluster)) ?? databaseUser()
    const launcher = launcherFor(bundledBinaries(), home, user)
    const password = process.platform === 'win32' ? await keptPassword(home) : undefined
    await stopOrphan(cluster)
    if (!existsSync(join(cluster, 'PG_VERSION'))) {
      log.info({ cluster }, 'creating the database')
      const passwordFile = password === undefined ? undefined : passwordFile(home)
      await createCluster(cluster, launcher, { password_file: passwordFile, durable })
    }
    await refuseOtherMajor(cluster)
    const socket = await socketFolder(home, user)
    await clearSocket(socket)
    const port = process.platform === 'win32' ? await freePort() : SOCKET_NUMBER
    const connection: EmbeddedConnection = {
      host: process.platform === 'win32' ? '127.0.0.1' : socket,
      port,
      user: CLUSTER_USER,
      database: DATABASE,
      ...(password === undefined ? {} : { password }),
    }
    return await supervise({ cluster, connection, launcher, lock, log, durable })
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function lockFolder(home: string): Promise<ProcessLock> {
  try {
    return await takeLock(join(home, 'duet.lock'))
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new StartRefused(
      `Another Duet (process ${error.pid}) is running on ${home}: stop it, or set DATA_DIR to another folder.`,
    )
  }
}

interface Supervised {
  cluster: string
  connection: EmbeddedConnection
  launcher: Launcher
  lock: ProcessLock
  log: Log
  durable: boolean
}

async function supervise(given: Supervised): Promise<Embedded> {
  const { log, lock } = given
  let stopping = false
  let pid = 0
  const start = () => startServer(given, (child) => (pid = child.pid ?? 0))
  let current = await start()
  const endWithUs = () => current.child.kill('SIGINT')
  process.once('exit', endWithUs)

  const watch = async () => {
    while (!stopping) {
      await current.ended
      for (
        let pauseMs = RESTART_PAUSE_MS;
        !stopping;
        pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MAX_MS)
      ) {
        log.error(
          { last_words: current.lastWords() },
          'PostgreSQL ended by itself, starting it again',
        )
        await sleep(pauseMs, undefined, { ref: false })
        if (stopping) return
        try {
          current = await start()
          break
        } catch (error) {
          log.error({ err: error }, 'PostgreSQL did not start')
        }
      }
    }
  }
  const watching = watch()

  return {
    connection: given.connection,
    pid: () => pid,
    stop: async () => {
      if (stopping) return
      stopping = true
      process.removeListener('exit', endWithUs)
      await endServer(current)
      await watching
      // A start that was under way when we were asked to stop.
      await endServer(current)
      // Outside of DATA_DIR nobody would ever tidy it up; the next start makes it again.
      if (process.platform !== 'win32') await rmdir(given.connection.host).catch(() => {})
      await lock.release()
    },
  }
}

interface Server {
  child: ChildProcess
  ended: Promise<void>
  hasEnded(): boolean
  lastWords(): string[]
}

async function startServer(
  { cluster, connection, launcher, durable }: Supervised,
  onLaunch: (child: ChildProcess) => void,
): Promise<Server> {
  const child = launcher.launch(launcher.binaries.postgres, [
    '-D',
    cluster,
    ...settings(connection, durable),
  ])
  onLaunch(child)
  const words: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      words.push(...text.split('\n').filter(Boolean))
      words.splice(0, words.length - LAST_WORDS_MAX)
    })
  }
  let over = false
  const ended = new Promise<void>((done) => {
    const finish = () => {
      over = true
      done()
    }
    child.once('close', finish).once('error', (error) => {
      words.push(error.message)
      finish()
    })
  })
  const server: Server = { child, ended, hasEnded: () => over, lastWords: () => [...words] }
  const deadlineMs = performance.now() + READY_WITHIN_MS
  while (!(await isReady(connection))) {
    if (server.hasEnded())
      throw new StartRefused(`The embedded PostgreSQL did not start: ${why(words)}`)
    if (performance.now() > deadlineMs) {
      await endServer(server)
      throw new StartRefused(
        `The embedded PostgreSQL was not ready within ${READY_WITHIN_MS / 1000} s: ${why(words)}`,
      )
    }
    await Promise.race([sleep(LOOK_EVERY_MS), ended])
  }
  return server
}

function settings({ host, port }: EmbeddedConnection, durable: boolean): string[] {
  const loopback = process.platform === 'win32'
  const chosen: Record<string, string | number> = {
    listen_addresses: loopback ? host : '',
    unix_socket_directories: loopback ? '' : host,
    unix_socket_permissions: '0700',
    port,
    max_connections: 200,
    shared_buffers: '128MB',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
  }
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Answers, and holds our database, which the first call makes. */
async function isReady(connection: EmbeddedConnection): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') return false
    const first = new pg.Client({ ...connection, database: 'postgres' })
    first.on('error', () => {})
    await first.connect()
    await first.query(`create database ${DATABASE}`)
    await first.end()
    return true
  } finally {
    await client.end().catch(() => {})
  }
}

async function endServer(server: Server): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.hasEnded()) return
    server.child.kill(signal)
    await Promise.race([server.ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
  }
}
