import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { realpath, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  CLUSTER_USER,
  createCluster,
  readOrCreatePassword,
  findOwner,
  passwordFile,
  refuseOtherMajor,
  failureReason,
} from './cluster.ts'
import { APPLICATION_USER, createApplicationUser } from './application-user.ts'
import { clearSocket, freePort, SOCKET_NUMBER, socketFolder } from './socket-directory.ts'
import { ensureDataDirectory } from '../../data-directory.ts'
import { type Log, silentLog } from '../log.ts'
import { bundledBinaries } from './postgres-binaries.ts'
import { type Launcher, launcherFor } from './postgres-launch.ts'
import { LockHeld, type ProcessLock, takeLock } from './process-lock.ts'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'
import { stopOrphan } from './orphaned-postgres.ts'
import { databaseUser } from './system-user.ts'

const DATABASE = 'duet'
const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 10
/** A server that accepts the connection and says nothing is not ready. */
const READY_ANSWER_MS = 5_000
const STOP_TIMEOUT_MS = 15_000
const RESTART_PAUSE_MS = 100
const RESTART_PAUSE_MAX_MS = 5_000
const LAST_LINES_MAX = 20

/** The address of the server, in the form that `pg` accepts. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

export interface EmbeddedDatabase {
  /** As the owner of the tables. */
  connection: EmbeddedConnection
  /** As the user who reads and writes rows and may change nothing else. */
  application: EmbeddedConnection
  /** The current process id of PostgreSQL; it changes with a restart. */
  pid(): number
  /** Stops PostgreSQL (running transactions are rolled back) and releases the folder. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** The cluster is in its subfolder `db`. Created when absent. */
  data_dir: string
  log?: Log
  /** False does not wait for the disk at a commit: for tests only. */
  durable?: boolean
}

/**
 * Starts the PostgreSQL of the npm package on `data_dir` and keeps it running until `stop`.
 *
 * Only one process can use a folder. PostgreSQL ends with this process. If PostgreSQL ends alone, it is
 * started again.
 *
 * @throws StartRefused with one sentence for the operator
 */
export async function openEmbedded({
  data_dir,
  log = silentLog,
  durable = true,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  ensureDataDirectory(data_dir)
  const home = await realpath(data_dir)
  const lock = await lockFolder(home)
  try {
    const cluster = join(home, 'db')
    const user = (await findOwner(cluster)) ?? databaseUser()
    const launcher = launcherFor(bundledBinaries(), home, user)
    const password = process.platform === 'win32' ? await readOrCreatePassword(home) : undefined
    await stopOrphan(cluster)
    if (!existsSync(join(cluster, 'PG_VERSION'))) {
      log.info({ cluster }, 'creating the database')
      const file = password === undefined ? undefined : passwordFile(home)
      await createCluster(cluster, launcher, { password_file: file, durable })
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

interface SupervisedCluster {
  cluster: string
  connection: EmbeddedConnection
  launcher: Launcher
  lock: ProcessLock
  log: Log
  durable: boolean
}

async function supervise(supervised: SupervisedCluster): Promise<EmbeddedDatabase> {
  const { log, lock } = supervised
  let stopping = false
  let pid = 0
  const start = () => startServer(supervised, (child) => (pid = child.pid ?? 0))
  let current = await start()
  const endWithProcess = () => current.child.kill('SIGINT')
  process.once('exit', endWithProcess)

  const watch = async () => {
    while (!stopping) {
      await current.ended
      for (
        let pauseMs = RESTART_PAUSE_MS;
        !stopping;
        pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MAX_MS)
      ) {
        log.error(
          { last_lines: current.lastLines() },
          'PostgreSQL ended by itself, it is being restarted',
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
    connection: supervised.connection,
    application: { ...supervised.connection, user: APPLICATION_USER },
    pid: () => pid,
    stop: async () => {
      if (stopping) return
      stopping = true
      process.removeListener('exit', endWithProcess)
      await endServer(current)
      await watching
      // A restart may have been running when `stop` was called.
      await endServer(current)
      // The folder may be outside of DATA_DIR, where it would stay; the next start creates it again.
      if (process.platform !== 'win32') await rmdir(supervised.connection.host).catch(() => {})
      await lock.release()
    },
  }
}

interface Server {
  child: ChildProcess
  ended: Promise<void>
  hasEnded(): boolean
  lastLines(): string[]
}

async function startServer(
  { cluster, connection, launcher, durable }: SupervisedCluster,
  onLaunch: (child: ChildProcess) => void,
): Promise<Server> {
  const child = launcher.launch(launcher.binaries.postgres, [
    '-D',
    cluster,
    ...serverSettings(connection, durable),
  ])
  onLaunch(child)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter(Boolean))
      lines.splice(0, lines.length - LAST_LINES_MAX)
    })
  }
  let hasEnded = false
  const ended = new Promise<void>((done) => {
    const finish = () => {
      hasEnded = true
      done()
    }
    child.once('close', finish).once('error', (error) => {
      lines.push(error.message)
      finish()
    })
  })
  const server: Server = { child, ended, hasEnded: () => hasEnded, lastLines: () => [...lines] }
  const deadlineMs = performance.now() + READY_TIMEOUT_MS
  while (!(await isReady(connection))) {
    if (server.hasEnded())
      throw new StartRefused(`The embedded PostgreSQL did not start: ${failureReason(lines)}`)
    if (performance.now() > deadlineMs) {
      await endServer(server)
      throw new StartRefused(
        `The embedded PostgreSQL was not ready within ${READY_TIMEOUT_MS / 1000} s: ${failureReason(lines)}`,
      )
    }
    await Promise.race([sleep(READY_POLL_MS), ended])
  }
  return server
}

/**
 * The settings of PostgreSQL as arguments of its program. Of two settings with the same name the last
 * setting counts.
 */
export function serverSettings(
  { host, port }: Pick<EmbeddedConnection, 'host' | 'port'>,
  durable: boolean,
): string[] {
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
    // After a crash PostgreSQL ends and `supervise` starts it. If PostgreSQL restarted itself and failed,
    // as on a full disk, it could stay without a startup process and refuse every connection.
    restart_after_crash: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
  }
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The server answers and contains the database, which the first call creates. */
async function isReady(connection: EmbeddedConnection): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: READY_ANSWER_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    await createApplicationUser(client, connection.password)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') return false
    const first = new pg.Client({ ...connection, database: 'postgres' })
    first.on('error', () => {})
    await first.connect()
    await createApplicationUser(first, connection.password)
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
    await Promise.race([server.ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }
}
