import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { systemClock } from '../../../lib/clock.ts'
import { openEmbedded } from './embedded.ts'
import { openDatabase } from '../open.ts'
import { createOutbox } from '../outbox.ts'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'
import { createTransact } from '../transact.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

let folder = ''
before(async () => (folder = await mkdtemp(join(tmpdir(), 'duet-embedded-'))))
after(() => rm(folder, { recursive: true, force: true }))

/** Another process that opens the same folder and runs until it is killed. */
async function otherProcess(dataDir: string): Promise<{ said: string; kill(): Promise<void> }> {
  const program = `
    import { openEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
    try { const { pid } = await openEmbedded({ data_dir: ${JSON.stringify(dataDir)} }); console.log(pid()) }
    catch (error) { console.log(error.message); process.exit() }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [bytes] = await once(child.stdout, 'data')
  return {
    said: String(bytes).trim(),
    kill: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('committed rows are there after a stop and a start', async () => {
  const dataDir = join(folder, 'again')
  const first = await openDatabase({ data_dir: dataDir })
  await runAsOwner(
    first,
    'create table kept (word text)',
    'grant select, insert on kept to duet_application',
  )
  await first.pool.query(`insert into kept values ('here')`)
  await first.stop()
  const second = await openDatabase({ data_dir: dataDir })
  assert.deepEqual((await second.pool.query('select word from kept')).rows, [{ word: 'here' }])
  const { rows } = await second.pool.query(
    `select current_setting('fsync') as fsync, current_setting('listen_addresses') as listens`,
  )
  assert.deepEqual(rows, [{ fsync: 'on', listens: '' }])
  await second.stop()
})

test('a second process on the folder is refused in one sentence, and the first continues', async () => {
  const dataDir = join(folder, 'second')
  const first = await openDatabase({ data_dir: dataDir })
  const second = await otherProcess(dataDir)
  assert.equal(
    second.said,
    `Another Duet (process ${process.pid}) is running on ${dataDir}: stop it, or set DATA_DIR to another folder.`,
  )
  await assert.rejects(openEmbedded({ data_dir: dataDir }), StartRefused)
  assert.equal((await first.pool.query('select 1 as one')).rowCount, 1)
  await first.stop()
})

test('after the server process was killed the next start takes the folder and finds the rows', async () => {
  const dataDir = join(folder, 'killed')
  const killed = await otherProcess(dataDir)
  assert.match(killed.said, /^\d+$/)
  await killed.kill()
  const next = await openDatabase({ data_dir: dataDir })
  assert.notEqual(next.embedded?.pid(), Number(killed.said))
  assert.equal((await next.pool.query('select 1 as one')).rowCount, 1)
  await next.stop()
})

test('a killed PostgreSQL is restarted: writers continue, and no acknowledged write is lost', async () => {
  const dataDir = join(folder, 'restarted')
  const died = Promise.withResolvers<void>()
  const log = { info: () => {}, warn: () => {}, error: () => died.resolve() }
  const database = await openDatabase({ data_dir: dataDir, log })
  await runAsOwner(
    database,
    'create table kept (number int4 primary key)',
    'grant select, insert on kept to duet_application',
  )
  const outbox = createOutbox({ db: database.db, log, clock: systemClock })
  const transact = createTransact({
    db: database.db,
    clock: systemClock,
    log,
    outbox,
    extend: () => ({}),
  })
  const acknowledged: number[] = []
  let number = 0
  const write = async () => {
    const mine = number++
    await transact((tx) => sql`insert into kept values (${mine})`.execute(tx))
    acknowledged.push(mine)
  }
  const enough = async (count: number) => {
    while (acknowledged.length < count)
      await Promise.allSettled([write(), write(), write(), write()])
  }
  await enough(20)
  const before = database.embedded?.pid() ?? 0
  const writing = enough(60)
  process.kill(before, 'SIGKILL')
  await died.promise
  await writing
  const { rows } = await database.pool.query<{ number: number }>('select number from kept')
  const kept = new Set(rows.map((row) => row.number))
  assert.deepEqual(
    acknowledged.filter((one) => !kept.has(one)),
    [],
  )
  assert.notEqual(database.embedded?.pid(), before)
  await database.stop()
})

test(
  'root can use a folder below a closed one, although PostgreSQL runs as another account',
  { skip: process.getuid?.() !== 0 },
  async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o700)
    const embedded = await openEmbedded({ data_dir: join(closed, 'data') })
    await embedded.stop()
  },
)

test('a folder with a long path has its socket in another place', async () => {
  const embedded = await openEmbedded({
    data_dir: join(folder, 'long-'.repeat(30)),
    durable: false,
  })
  assert.ok(embedded.connection.host.length < 100)
  await embedded.stop()
})

test('files of a killed PostgreSQL do not prevent a start, even when another process has its id now', async () => {
  const dataDir = join(folder, 'left')
  const embedded = await openEmbedded({ data_dir: dataDir, durable: false })
  const { host, port } = embedded.connection
  await embedded.stop()
  await mkdir(host, { recursive: true, mode: 0o700 })
  const { uid, gid } = await stat(join(dataDir, 'db'))
  // PostgreSQL takes only processes of its own account for another server.
  const sleeper = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
  const alive = `${sleeper.pid}\n${join(dataDir, 'db')}\n1795253973\n${port}\n${host}\n\n`
  for (const left of [join(dataDir, 'db', 'postmaster.pid'), join(host, `.s.PGSQL.${port}.lock`)]) {
    await writeFile(left, alive, { mode: 0o600 })
    await chown(left, uid, gid)
  }
  await chown(host, uid, gid)
  const again = await openEmbedded({ data_dir: dataDir, durable: false })
  await again.stop()
  sleeper.kill()
})

test('a start that was interrupted while it created the database begins again', async () => {
  const dataDir = join(folder, 'halfway')
  await mkdir(join(dataDir, 'db.draft'), { recursive: true })
  await writeFile(join(dataDir, 'db.draft', 'PG_VERSION'), '18\n')
  const embedded = await openEmbedded({ data_dir: dataDir, durable: false })
  await embedded.stop()
})

test('a database of another major version is refused in one sentence', async () => {
  const dataDir = join(folder, 'older')
  await mkdir(join(dataDir, 'db'), { recursive: true })
  await writeFile(join(dataDir, 'db', 'PG_VERSION'), '15\n')
  await assert.rejects(openEmbedded({ data_dir: dataDir }), {
    name: 'StartRefused',
    message: /was created by PostgreSQL 15/,
  })
})
