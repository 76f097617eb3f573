import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { attach, type Database } from './open.ts'
import {
  createOutbox,
  outboxStatus,
  deadLetterRetention,
  requeueDeadLetters,
  type Outbox,
} from './outbox.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'
import { createTransact, type Transact } from './transact.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

/** The clock stands still until a test advances it. */
function stillClock(): Clock & { forward(ms: number): void } {
  let now = Temporal.Instant.from('2026-03-01T12:00:00Z')
  const repeated: (() => void)[] = []
  return {
    now: () => now,
    at: () => () => {},
    every: (_, run) => {
      repeated.push(run)
      return () => void repeated.splice(repeated.indexOf(run), 1)
    },
    forward: (ms) => {
      now = now.add({ milliseconds: ms })
      for (const run of repeated) run()
    },
  }
}

let database: Database
let clock: ReturnType<typeof stillClock>
let outbox: Outbox
let transact: Transact<{ note(word: string): Promise<void> }>
let logged: string[]

before(async () => {
  database = await freshDatabase()
  await runAsOwner(database, 'create table notes (word text primary key)')
})
after(() => database.stop())

beforeEach(async () => {
  await runAsOwner(database, 'truncate notes, outbox')
  logged = []
  clock = stillClock()
  const write = (_: object, message: string) => void logged.push(message)
  const log = { info: write, warn: write, error: write }
  outbox = createOutbox({ db: database.db, log, clock })
  transact = createTransact({
    db: database.db,
    clock,
    log,
    outbox,
    extend: (tx) => ({
      note: async (word: string) =>
        void (await sql`insert into notes values (${word})`.execute(tx)),
    }),
  })
})

/** Transactions without methods of their own. */
function transactWith(options: Partial<Parameters<typeof createTransact<object>>[0]>) {
  const log = { info() {}, warn() {}, error() {} }
  return createTransact({ db: database.db, clock, log, outbox, extend: () => ({}), ...options })
}

const notes = async () =>
  (await database.pool.query<{ word: string }>('select word from notes order by word')).rows.map(
    ({ word }) => word,
  )

test('effects run after commit, in order, and a failed one does not stop the others', async () => {
  const seen: unknown[] = []
  const answer = await transact(async (tx) => {
    tx.afterCommit(async () => void seen.push(await notes()))
    tx.afterCommit(() => Promise.reject(new Error('no')))
    tx.afterCommit(() => void seen.push('last'))
    await tx.note('a')
    assert.deepEqual(seen, [])
    return 'answer'
  })
  assert.equal(answer, 'answer')
  assert.deepEqual(seen, [['a'], 'last'])
  assert.deepEqual(logged, ['an effect after commit failed'])
})

test('an error rolls everything back: rows, effects and the outbox', async () => {
  const seen: unknown[] = []
  outbox.handle('mail', async (payload) => void seen.push(payload))
  const error = new Error('no')
  await assert.rejects(
    transact(async (tx) => {
      await tx.note('a')
      tx.afterCommit(() => void seen.push('effect'))
      await tx.enqueue('mail', {})
      throw error
    }),
    error,
  )
  await outbox.settled()
  clock.forward(60_000)
  assert.equal(await outbox.poll(), 0)
  assert.deepEqual(seen, [])
  assert.deepEqual(await notes(), [])
})

test('conflicting transactions are retried, and each effect happens once', async () => {
  await transact(async (tx) => {
    await tx.note('a')
    await tx.note('b')
  })
  const effects: string[] = []
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  const update = (first: string, second: string) =>
    transact(async (tx) => {
      tx.afterCommit(() => void effects.push(first))
      await sql`update notes set word = word where word = ${first}`.execute(tx)
      if (++holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await sql`update notes set word = word where word = ${second}`.execute(tx)
    })
  await Promise.all([update('a', 'b'), update('b', 'a')])
  assert.deepEqual(effects.sort(), ['a', 'b'])
  // The repeated transaction may be the first at its row again, and conflict again.
  assert.ok(holding > 2)
})

test('a conflict that never ends fails after the last retry', async () => {
  let tries = 0
  const conflict = Object.assign(new Error('conflict'), { code: '40001' })
  await assert.rejects(
    transact(async () => {
      tries++
      throw conflict
    }),
    conflict,
  )
  assert.equal(tries, 6)
})

/** Transactions that end with this statement. */
function transactEndingWith(word: string, read: (rows: readonly unknown[]) => void) {
  return transactWith({
    lastStatement: (tx) => ({
      query: sql`insert into notes values (${word}) returning word`.compile(tx),
      read,
    }),
  })
}

test('the last statement runs before the commit, and its rows are read before the effects', async () => {
  const seen: unknown[] = []
  await transactEndingWith('last', (rows) => seen.push(rows))(async (tx) => {
    tx.afterCommit(async () => void seen.push(await notes()))
    await sql`insert into notes values ('first')`.execute(tx)
  })
  assert.deepEqual(seen, [[{ word: 'last' }], ['first', 'last']])
})

test('a last statement that fails rolls everything back with its own error', async () => {
  const seen: unknown[] = []
  await transact((tx) => tx.note('last'))
  await assert.rejects(
    transactEndingWith('last', (rows) => seen.push(rows))(async (tx) => {
      tx.afterCommit(() => void seen.push('effect'))
      await sql`insert into notes values ('first')`.execute(tx)
    }),
    { code: '23505' },
  )
  assert.deepEqual(seen, [])
  assert.deepEqual(await notes(), ['last'])
})

test('a last statement that cannot be sent rolls everything back', async () => {
  const unsendable = {
    toPostgres() {
      throw new Error('no form')
    },
  }
  const ending = transactWith({
    lastStatement: (tx) => ({ query: sql`select ${unsendable}`.compile(tx), read() {} }),
  })
  await assert.rejects(
    ending(async (tx) => void (await sql`insert into notes values ('a')`.execute(tx))),
    /no form/,
  )
  assert.deepEqual(await notes(), [])
})

test('a transaction that meets a lost connection is repeated, unless it has begun', async () => {
  const one = attach(database.connection, { pool_max: 1 })
  const transactOnOne = transactWith({ db: one.db })
  const client = await one.pool.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const endBackend = (pid: number) =>
    runAsOwner(database, `select pg_terminate_backend(${pid}, 5000)`)
  // The pool does not notice that the connection is lost.
  stream.pause()
  client.release()
  await endBackend(rows[0]!.pid)
  let attempts = 0
  const note = (word: string) =>
    transactOnOne(async (tx) => {
      attempts += 1
      await sql`insert into notes values (${word})`.execute(tx)
    })
  const noted = note('a')
  setImmediate(() => stream.resume())
  await noted
  assert.equal(attempts, 1)
  const lost = transactOnOne(async (tx) => {
    attempts += 1
    const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await endBackend(own.rows[0]!.pid)
    await sql`insert into notes values ('b')`.execute(tx)
  })
  await assert.rejects(lost)
  assert.equal(attempts, 2)
  assert.deepEqual(await notes(), ['a'])
  await one.stop()
})

test('a transaction whose connection is lost under its last statement is not repeated', async () => {
  let attempts = 0
  const sleeping = transactWith({
    lastStatement: (tx) => ({ query: sql`select pg_sleep(10)`.compile(tx), read() {} }),
  })
  const refused = assert.rejects(
    sleeping(async (tx) => {
      attempts += 1
      await sql`insert into notes values ('a')`.execute(tx)
    }),
  )
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'select pg_sleep(10)' and state = 'active' and datname = current_database()`
  while ((await runAsOwner(database, end)).length === 0);
  await refused
  assert.equal(attempts, 1)
})

test('a transaction inside another one is a bug, one after it is not', async () => {
  await assert.rejects(
    transact(() => transact(async () => {})),
    /Impossible: a transaction does not begin inside another one/,
  )
  await transact(async (tx) => tx.afterCommit(() => transact((next) => next.note('after'))))
  assert.deepEqual(await notes(), ['after'])
})

test('an outbox row is delivered right after commit, once', async () => {
  const seen: unknown[] = []
  outbox.handle('mail', async (payload) => void seen.push(payload, await notes()))
  await transact(async (tx) => {
    await tx.enqueue('mail', ['to', 'boris'])
    await tx.note('a')
  })
  await outbox.settled()
  assert.deepEqual(seen, [['to', 'boris'], ['a']])
  clock.forward(3_600_000)
  assert.equal(await outbox.poll(), 0)
})

test('a key of a kind is delivered once, however often it is enqueued', async () => {
  const seen: unknown[] = []
  outbox.handle('mail', async (payload) => void seen.push(payload))
  for (const word of ['first', 'second'])
    await transact((tx) => tx.enqueue('mail', word, 'welcome:7'))
  await outbox.settled()
  assert.deepEqual(seen, ['first'])
})

test('a row of a process that died is delivered by another process after its lease', async () => {
  const seen: unknown[] = []
  outbox.handle('mail', () => new Promise(() => {}))
  outbox.deliverSoon = () => {}
  await transact((tx) => tx.enqueue('mail', 'late'))
  const next = createOutbox({ db: database.db, log: { info() {}, warn() {}, error() {} }, clock })
  next.handle('mail', async (payload) => void seen.push(payload))
  next.start()
  assert.equal(await next.poll(), 0)
  clock.forward(20_000)
  await next.settled()
  assert.deepEqual(seen, ['late'])
  await next.stop()
})

test('a burst of one kind delays no other kind, and is delivered without waiting for the interval', async () => {
  let pushed = 0
  let atOnce = 0
  let most = 0
  const seen: unknown[] = []
  outbox.handle(
    'push',
    async () => {
      most = Math.max(most, (atOnce += 1))
      await Promise.resolve()
      atOnce -= 1
      pushed += 1
    },
    4,
  )
  outbox.handle('mail', async (payload) => void seen.push(payload))
  const { deliverSoon } = outbox
  outbox.deliverSoon = () => {}
  await transact(async (tx) => {
    for (let index = 0; index < 50; index += 1) await tx.enqueue('push', index)
  })
  clock.forward(1_000)
  await transact((tx) => tx.enqueue('mail', 'recovery'))
  outbox.deliverSoon = deliverSoon
  clock.forward(19_000)
  assert.equal(await outbox.poll(), 4)
  outbox.start()
  clock.forward(3_000)
  await outbox.settled()
  assert.deepEqual([seen, pushed, most], [['recovery'], 50, 4])
})

test('a failed delivery is retried with growing pauses', async () => {
  let tries = 0
  outbox.handle('mail', async () => {
    if (++tries < 3) throw new Error('the line is busy')
  })
  await transact((tx) => tx.enqueue('mail', {}))
  await outbox.settled()
  assert.equal(await outbox.poll(), 0)
  clock.forward(2_000)
  assert.equal(await outbox.poll(), 1)
  clock.forward(2_000)
  assert.equal(await outbox.poll(), 0)
  clock.forward(2_000)
  assert.equal(await outbox.poll(), 1)
  assert.equal(tries, 3)
  const row = await database.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
  assert.ok(row.done_at?.equals(clock.now()))
  assert.equal(row.last_error, 'Error: the line is busy')
})

test('a delivery that always fails becomes a dead letter, and is delivered again after a requeue', async () => {
  let tries = 0
  let isBroken = true
  outbox.handle('mail', async () => {
    tries += 1
    if (isBroken) throw new Error('the mail server refuses')
  })
  await transact((tx) => tx.enqueue('mail', {}))
  await outbox.settled()
  for (let poll = 0; poll < 60; poll++) {
    clock.forward(3_600_000)
    await outbox.poll()
    await outbox.settled()
  }
  assert.equal(tries, 50)
  const [status] = await outboxStatus(database.db)
  assert.deepEqual([status?.kind, status?.waiting, status?.dead], ['mail', 0, 1])
  isBroken = false
  const requeue = (kind: string) => transact((tx) => requeueDeadLetters(tx as never, kind))
  assert.equal(await requeue('push'), 0)
  assert.equal(await requeue('mail'), 1)
  assert.equal(await outbox.poll(), 1)
  await outbox.settled()
  assert.deepEqual(await outboxStatus(database.db), [])
})

test('a dead letter of a kind that is of no use later is deleted', async () => {
  outbox.handle('mail', async () => undefined)
  await transact((tx) => tx.enqueue('mail', {}))
  await outbox.settled()
  await database.db.updateTable('outbox').set({ done_at: null, dead_at: clock.now() }).execute()
  const purge = (kind: string, hours: number) =>
    transact((tx) => {
      const walk = { from: clock.now() }
      return deadLetterRetention(kind).purge(tx as never, clock.now().add({ hours }), 10, walk)
    })
  assert.deepEqual(
    [await purge('mail', -1), await purge('push', 1), await purge('mail', 1)],
    [0, 0, 1],
  )
})

test('writing a row of a kind without a handler is a bug', async () => {
  await assert.rejects(
    transact((tx) => tx.enqueue('nonsense', {})),
    /Impossible: outbox rows of kind nonsense have a handler/,
  )
})
