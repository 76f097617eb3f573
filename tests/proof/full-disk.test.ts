import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { act, openSocket, type WireSocket } from '@duet/testkit/wire-client.ts'
import { audit } from '../laws/ledger-auditor.ts'
import { ServerProcess, freePort, freshFolder } from '@duet/testkit/server-process.ts'

/** A full disk. The long form by `npm run proof full-disk`. */
const fills = process.env.PROOF === 'long' ? 20 : 2
const DISK_MIB = 300
const WORKERS = 4
const GUYS = 4
const MINUTE_MS = 60_000n
/**
 * Writes in each phase: before the disk is full, refused while it is, and after there is space
 * again.
 */
const WRITES_PER_PHASE = 25
/** A server that refuses this many times in a row does not recover by itself. */
const FAILED_ATTEMPTS_MAX = 2000

const run = promisify(execFile)

/** A disk that can be filled without harm to other programs. Undefined if this account may not mount a disk. */
async function smallDisk(path: string): Promise<{ unmount(): Promise<void> } | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'duet-proof', path])
  } catch {
    return undefined
  }
  return { unmount: async () => void (await run('umount', ['--lazy', path])) }
}

/**
 * Writes minutes by the operator's shell and favourites over the wire; only an answer counts as
 * done.
 */
class Writer {
  readonly guy_id: number
  granted = 0n
  /**
   * Writes without an answer, or refused while the disk was full: they may have been done, or not.
   */
  unsure = 0n
  readonly favourites = new Set<number>()
  readonly refusals = new Set<number>()
  readonly #server: ServerProcess
  readonly #token: string
  readonly #key: Buffer
  #wire: WireSocket | undefined

  constructor(server: ServerProcess, of: { id: number; token: string }, key: Buffer) {
    this.#server = server
    this.guy_id = of.id
    this.#token = of.token
    this.#key = key
  }

  async grant(): Promise<boolean> {
    try {
      await this.#server.duet('grant', this.guy_id, 1, 'diamond', '--reason', 'proof')
      this.granted += MINUTE_MS
      return true
    } catch {
      this.unsure += MINUTE_MS
      return false
    }
  }

  async keep(user_id: number): Promise<boolean> {
    try {
      const wire = await this.#line()
      const answer = await act(wire, this.#key, 'ADD_FAVOURITE', { user_id })
      if ('error' in answer) {
        this.refusals.add(answer.error.code)
        return false
      }
      this.favourites.add(user_id)
      return true
    } catch {
      return false
    }
  }

  async #line(): Promise<WireSocket> {
    if (this.#wire?.socket.connected) return this.#wire
    const wire = await openSocket(this.#server.origin, '/socket.io')
    const said = {
      device_type: 'web',
      version: '2.0.1',
      tab_id: crypto.randomUUID(),
      token: this.#token,
    }
    const answer = await act(wire, this.#key, 'AUTH', said)
    if ('error' in answer) {
      this.refusals.add(answer.error.code)
      wire.close()
      throw new Error('not let in')
    }
    this.#wire = wire
    return wire
  }

  close(): void {
    this.#wire?.close()
  }
}

test(`a disk that is full ${fills} times loses and spoils nothing that was acknowledged`, async () => {
  const folder = await freshFolder('full-disk')
  const disk = await smallDisk(folder.path)
  console.log(
    disk
      ? `full-disk: the form with a real full disk ran (tmpfs of ${DISK_MIB} MiB)`
      : 'full-disk: this account may not mount a disk, so the other form ran: the database dies instead of running out of space',
  )
  const server = new ServerProcess({ data_dir: folder.path, port: await freePort() })
  const writers: Writer[] = []
  try {
    await server.start()
    const people = await enter(server)
    writers.push(...people.writers)
    for (let filled = 0; filled < fills; filled += 1) {
      await write(server, writers, people.girls, WRITES_PER_PHASE, 'granted')
      const ballast = disk ? await fill(folder.path) : undefined
      const withoutDisk = disk ? undefined : server.killDatabase()
      // The log of changes needs a new file at once: the worst moment for a full disk.
      await startNewLogFile(folder.path)
      await withoutDisk
      if (disk) await write(server, writers, people.girls, WRITES_PER_PHASE, 'refused')
      ok(!server.hasFallen, `the server ended by itself:\n${server.said.slice(-4000)}`)
      if (ballast) await rm(ballast)
      // The server recovers without an operator.
      await write(server, writers, people.girls, WRITES_PER_PHASE, 'granted')
      await server.kill()
      await server.start()
    }
    equal((await server.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
    for (const writer of writers) writer.close()
    await server.kill()
    await compare(folder.path, writers)
    // A full disk is temporary, not an error of the call: "try again in a moment".
    const codes = new Set(writers.flatMap(({ refusals }) => [...refusals]))
    deepEqual(
      [...codes].filter((code) => code !== 601),
      [],
    )
  } finally {
    for (const writer of writers) writer.close()
    await server.kill()
    await disk?.unmount()
    await folder.remove()
  }
})

async function enter(server: ServerProcess): Promise<{ writers: Writer[]; girls: number[] }> {
  const system = (await (await fetch(`${server.origin}/api/system`)).json()) as {
    data: { socket_secret_key: string }
  }
  const key = Buffer.from(system.data.socket_secret_key, 'base64')
  const add = (role: string, number: number) => {
    const secret = [
      '--email',
      `${role}-${number}@duet.example`,
      '--password',
      `${role}-secret-${number}`,
    ]
    return server.duet<{ id: number; token: string }>(
      'user',
      'add',
      '--role',
      role,
      '--nick',
      `${role} ${number}`,
      ...secret,
    )
  }
  const writers: Writer[] = []
  const girls: number[] = []
  for (let number = 1; number <= GUYS; number += 1) {
    writers.push(new Writer(server, await add('guy', number), key))
    girls.push((await add('girl', number)).id)
  }
  return { writers, girls }
}

/**
 * The writers continue until this number of writes had the wanted answer. Fails if no write has it for a
 * long time.
 */
async function write(
  server: ServerProcess,
  writers: readonly Writer[],
  girls: readonly number[],
  times: number,
  wanted: 'granted' | 'refused',
): Promise<void> {
  let counted = 0
  const worker = async (number: number) => {
    for (let one = number, failedAttempts = 0; counted < times; one += 1) {
      ok(
        !server.hasFallen && failedAttempts < FAILED_ATTEMPTS_MAX,
        `no write is ${wanted}:\n${server.said.slice(-3000)}`,
      )
      const writer = writers[one % writers.length]!
      const done =
        one % 3 === 0 ? await writer.keep(girls[one % girls.length]!) : await writer.grant()
      const isWanted = done === (wanted === 'granted')
      failedAttempts = isWanted ? 0 : failedAttempts + 1
      if (isWanted) counted += 1
      else await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)))
}

/** Fills the remaining space; returns the path to remove to free it. */
async function fill(path: string): Promise<string> {
  const ballast = join(path, 'ballast')
  for (const piece of [4_194_304, 65_536, 4096]) {
    const bytes = Buffer.alloc(piece)
    for (;;) {
      try {
        await writeFile(ballast, bytes, { flag: 'a' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') break
        throw error
      }
    }
  }
  return ballast
}

async function startNewLogFile(dataDir: string): Promise<void> {
  const client = new pg.Client({
    host: join(dataDir, 'db-socket'),
    port: 5432,
    user: 'duet',
    database: 'duet',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    for (let files = 0; files < 8; files += 1) {
      await client.query('select pg_logical_emit_message(false, $1, $2)', ['proof', 'x'])
      await client.query('select pg_switch_wal()')
    }
  } catch {
    // The statement fails on a full disk, and that stops the server.
  } finally {
    await client.end().catch(() => {})
  }
}

async function compare(dataDir: string, writers: readonly Writer[]): Promise<void> {
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  try {
    deepEqual(await audit(pool), [])
    const { rows: balances } = await pool.query<{ user_id: number; balance: bigint }>(
      `select user_id, balance from accounts where asset = 'diamond' and user_id is not null`,
    )
    const { rows: kept } = await pool.query<{ owner_id: number; user_id: number }>(
      'select owner_id, user_id from favourites',
    )
    let acknowledged = 0
    for (const { guy_id, granted, unsure, favourites } of writers) {
      const balance = BigInt(balances.find(({ user_id }) => user_id === guy_id)?.balance ?? 0)
      ok(balance >= granted, `guy ${guy_id} was granted ${granted} and has ${balance}`)
      ok(balance <= granted + unsure, `guy ${guy_id} has ${balance}, more than was ever asked for`)
      const his = kept.filter(({ owner_id }) => owner_id === guy_id).map(({ user_id }) => user_id)
      deepEqual(
        [...favourites].filter((id) => !his.includes(id)),
        [],
      )
      acknowledged += Number(granted / MINUTE_MS) + favourites.size
    }
    const unsure = writers.reduce((sum, writer) => sum + writer.unsure, 0n) / MINUTE_MS
    console.log(
      `full-disk: ${acknowledged} acknowledged writes are there, ${unsure} grants were refused or cut off`,
    )
  } finally {
    await stop()
  }
}
