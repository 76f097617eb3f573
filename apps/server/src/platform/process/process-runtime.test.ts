import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import { openTestApp, TestApp } from '@duet/testkit/test-app.ts'
import { sql } from 'kysely'
import { plusMs } from '../../lib/clock.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { ProcessRuntime, ProcessType } from './process.ts'
import { createProcessRuntime } from './process-runtime.ts'
import { claimProcesses } from './process-store.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

/** A test process: an order adds up amounts, asks a stock for more, and wakes at its time. */
interface Order {
  readonly id: number
  readonly total: number
  readonly is_closed: boolean
  readonly wake_at: Temporal.Instant | null
}
type OrderEvent =
  | { type: 'added'; amount: number }
  | { type: 'stock_wanted' }
  | { type: 'counted'; amount: number }
  | { type: 'stock_given'; amount: number }
  | { type: 'delivered'; amount: number }
  | { type: 'refused' }
  | { type: 'peeked'; amount: number }
  | { type: 'closed' | 'time_came' | 'recovered' }
type OrderCommand =
  | { type: 'note'; text: string }
  | { type: 'ask_stock' }
  | { type: 'book'; amount: number }
  | { type: 'note_row' }
  | { type: 'refuse' }
  | { type: 'show'; total: number }
type Orders = ProcessRuntime<number, Order, OrderEvent, OrderCommand>

const WAIT_MS = 60_000

function decide(
  state: Order,
  event: OrderEvent,
  now: Temporal.Instant,
): Decision<Order, OrderCommand> {
  if (state.is_closed) return { state, commands: [{ type: 'refuse' }] }
  switch (event.type) {
    case 'added':
    case 'stock_given': {
      const total = state.total + event.amount
      const wake_at = plusMs(now, WAIT_MS)
      return {
        state: { ...state, total, wake_at },
        commands: [
          { type: 'note', text: `${event.type} ${event.amount}` },
          { type: 'show', total },
        ],
      }
    }
    case 'peeked':
      return {
        state: { ...state, total: state.total + event.amount },
        commands: [{ type: 'show', total: state.total + event.amount }],
      }
    case 'stock_wanted':
      return {
        state,
        commands: [{ type: 'ask_stock' }, { type: 'note', text: 'after the answer' }],
      }
    case 'delivered':
      return { state, commands: [{ type: 'book', amount: event.amount }] }
    case 'counted':
      return {
        state: { ...state, total: state.total + event.amount },
        commands: [{ type: 'note_row' }],
      }
    case 'refused':
      return { state: { ...state, total: 999 }, commands: [{ type: 'refuse' }] }
    case 'recovered':
      return { state, commands: [{ type: 'note', text: 'recovered' }] }
    default:
      return {
        state: { ...state, is_closed: true, wake_at: null },
        commands: [{ type: 'note', text: event.type }],
      }
  }
}

/** The effects of one server process on its memory and sockets, beside the rows. */
interface Seen {
  readonly known: Map<number, number>
  readonly projected: string[]
  readonly sent: string[]
  /** Wake-ups that find nothing due. */
  idleWakeUps: number
  /** Statements that wrote a state. */
  writes: number
  /** The orders of each statement that booked deliveries. */
  readonly booked: number[][]
}

/** A delivery that is refused, and a delivery that makes its whole statement fail. */
const REFUSED = -1
const FAILING = -2

function orderType(seen: Seen): ProcessType<number, Order, OrderEvent, OrderCommand> {
  return {
    name: 'order',
    table: {
      name: 'test_orders',
      id_column: 'id',
      open: sql`not is_closed`,
      async load(db, id) {
        const { rows } =
          await sql<Order>`select id, total, is_closed, wake_at from test_orders where id = ${id}`.execute(
            db,
          )
        return rows[0]
      },
      async insert(tx, { id, total, is_closed, wake_at }, { owner_id, fence, version }) {
        const { rows } =
          await sql`insert into test_orders (id, total, is_closed, wake_at, owner_id, fence, version)
          values (${id}, ${total}, ${is_closed}, ${wake_at}, ${owner_id}, ${fence}, ${version})
          on conflict do nothing returning id`.execute(tx)
        return rows.length > 0
      },
      async update(tx, { id, total, is_closed, wake_at }, { fence, version }) {
        seen.writes += 1
        await sql`update test_orders set total = ${total}, is_closed = ${is_closed}, wake_at = ${wake_at},
          version = ${version} where id = ${id} and fence = ${fence}`.execute(tx)
      },
      async updateMany(tx, written) {
        seen.writes += 1
        const rows = JSON.stringify(written.map(({ state, ...stamp }) => ({ ...state, ...stamp })))
        await sql`update test_orders o set total = r.total, is_closed = r.is_closed, wake_at = r.wake_at, version = r.version
          from jsonb_populate_recordset(null::test_orders, ${rows}::jsonb) r
          where o.id = r.id and o.fence = r.fence`.execute(tx)
      },
    },
    idOf: ({ id }) => id,
    isOver: ({ is_closed }) => is_closed,
    wakeAt: ({ wake_at }) => wake_at,
    wake_event: { type: 'time_came' },
    recovery_event: { type: 'recovered' },
    decide(_, state, event, now) {
      const isIdle = event.type === 'time_came' && seen.idleWakeUps-- > 0
      return isIdle ? { state, commands: [] } : decide(state, event, now)
    },
    commands: {
      note: {
        async store(tx, draft, { text }) {
          await sql`insert into test_notes (id, text) values (${draft.state.id}, ${text})`.execute(
            tx,
          )
        },
        project: (_, __, { text }) => void seen.projected.push(text),
      },
      ask_stock: { store: async () => ({ type: 'stock_given', amount: 7 }) },
      book: {
        async storeMany(_tx, items) {
          seen.booked.push(items.map(({ draft }) => draft.state.id))
          if (items.some(({ command }) => command.amount === FAILING)) throw new Error('no paper')
          return items.map(({ command: { amount } }) =>
            amount === REFUSED ? new Refusal('not_found') : { type: 'stock_given', amount },
          )
        },
      },
      note_row: {
        async store(tx, draft) {
          await draft.write(tx)
          await sql`insert into test_notes (id, text)
            select id, 'total ' || total from test_orders where id = ${draft.state.id}`.execute(tx)
        },
      },
      refuse: {
        async store() {
          throw new Refusal('not_found')
        },
      },
      show: { push: (_, __, { total }) => void seen.sent.push(`total ${total}`) },
    },
    remember: (_, { id, total }) => void seen.known.set(id, total),
    forget: (_, { id }) => void seen.known.delete(id),
    isLight: (_, { commands }) => commands.every(({ type }) => type === 'show'),
  }
}

let testApp: TestApp
const made: Orders[] = []
let orders: Orders
let seen: Seen

const noSeen = (): Seen => ({
  known: new Map(),
  projected: [],
  sent: [],
  idleWakeUps: 0,
  writes: 0,
  booked: [],
})

function collectOrders(app: App): { orders: Orders; seen: Seen } {
  const own = noSeen()
  const runtime = createProcessRuntime(app, orderType(own))
  made.push(runtime)
  return { orders: runtime, seen: own }
}

before(async () => {
  testApp = await openTestApp()
  await runAsOwner(
    testApp.database,
    `create table test_orders (id integer primary key, total integer not null,
    is_closed boolean not null, wake_at timestamptz, owner_id integer, fence integer not null, version integer not null)`,
    'create table test_notes (number serial, id integer not null, text text not null)',
  )
})
after(() => testApp.close())
beforeEach(async () => {
  await runAsOwner(testApp.database, 'truncate test_orders, test_notes')
  ;({ orders, seen } = collectOrders(testApp.app))
})

/** The next test has the same ids: no timer of this test may reach them. */
afterEach(async () => {
  for (const runtime of made.splice(0)) await runtime.stop()
})

function fresh(id: number): Order {
  return { id, total: 0, is_closed: false, wake_at: null }
}

async function opened(id = 1): Promise<number> {
  equal(await orders.create(id, async () => ({ state: fresh(id), commands: [] })), true)
  return id
}

async function row(id: number): Promise<Record<string, unknown>> {
  const { rows } = await testApp.database.pool.query<Record<string, unknown>>(
    'select total, is_closed, owner_id, fence, version from test_orders where id = $1',
    [id],
  )
  return rows[0]!
}

async function notes(id: number): Promise<string[]> {
  const { rows } = await testApp.database.pool.query<{ text: string }>(
    'select text from test_notes where id = $1 order by number',
    [id],
  )
  return rows.map(({ text }) => text)
}

/** The commit happens, and the connection is lost before its answer arrives: no effect after commit runs. */
function losingAnswers(app: App): App {
  const transact: App['transact'] = async (work) => {
    await app.transact((tx) => work(Object.assign(tx, { afterCommit: () => {} })))
    throw new Error('Connection terminated unexpectedly')
  }
  return { ...app, transact }
}

/** Another server process on the same database. */
async function secondProcess(): Promise<TestApp> {
  const other = new TestApp(testApp.database, testApp.config, {})
  other.clock.sleep(testApp.clock.now())
  return other.open()
}

test('events of one process are decided one at a time and in order', async () => {
  const id = await opened()
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      orders.dispatch(id, { type: 'added', amount: index + 1 }),
    ),
  )
  equal((await row(id)).total, 210)
  deepEqual(
    await notes(id),
    Array.from({ length: 20 }, (_, index) => `added ${index + 1}`),
  )
  equal(seen.known.get(id), 210)
})

test('the answer of a command is decided before the commands after it, in the same transaction', async () => {
  const id = await opened()
  const commands = await orders.dispatch(id, { type: 'stock_wanted' })
  deepEqual(
    commands?.map(({ type }) => type),
    ['ask_stock', 'note', 'show', 'note'],
  )
  deepEqual(await notes(id), ['stock_given 7', 'after the answer'])
  deepEqual(seen.sent, ['total 7'])
})

test('a decision writes its row once, after the answers of its commands', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'stock_wanted' })
  equal((await row(id)).total, 7)
  equal(seen.writes, 1)
})

test('a command that writes the row before it queries reads the new state, and no second write follows', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'counted', amount: 5 })
  deepEqual(await notes(id), ['total 5'])
  equal(seen.writes, 1)
})

test('a refusal of a command rolls back the decision and leaves memory as it was', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'added', amount: 5 })
  await rejects(orders.dispatch(id, { type: 'refused' }), /Not found/)
  equal((await row(id)).total, 5)
  equal(orders.get(id)?.total, 5)
})

test('an event inside a transaction that is rolled back changes nothing', async () => {
  const id = await opened()
  await rejects(
    testApp.app.transact(async (tx) => {
      await orders.applyIn(tx, id, { type: 'added', amount: 5 })
      throw new Error('the cause failed')
    }),
  )
  await testApp.app.transact((tx) => orders.applyIn(tx, id, { type: 'added', amount: 2 }))
  equal((await row(id)).total, 2)
  deepEqual(seen.projected, ['added 2'])
})

test('a light decision is in memory alone until a heavier one stores it', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'peeked', amount: 3 })
  equal(orders.get(id)?.total, 3)
  equal((await row(id)).total, 0)
  deepEqual(
    [...orders.all()].map(({ state, stored }) => [state.total, stored.total]),
    [[3, 0]],
  )
  await orders.dispatch(id, { type: 'added', amount: 1 })
  equal((await row(id)).total, 4)
})

test('a process wakes at its time and leaves memory when it is over', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'added', amount: 1 })
  await testApp.advance(WAIT_MS - 1)
  equal((await row(id)).is_closed, false)
  await testApp.advance(1)
  equal((await row(id)).is_closed, true)
  equal(orders.get(id), undefined)
  equal(seen.known.has(id), false)
})

test('a wake-up that finds nothing due is repeated', async () => {
  const id = await opened()
  seen.idleWakeUps = 1
  await orders.dispatch(id, { type: 'added', amount: 1 })
  await testApp.advance(WAIT_MS)
  equal((await row(id)).is_closed, false)
  await testApp.advance('1 s')
  equal((await row(id)).is_closed, true)
})

test('an event inside another transaction drops a process that another server process owns', async () => {
  const id = await opened()
  await sql`update test_orders set fence = fence + 1 where id = ${id}`.execute(testApp.app.db)
  await rejects(
    testApp.app.transact((tx) => orders.applyIn(tx, id, { type: 'added', amount: 1 })),
    { name: 'ProcessLostError' },
  )
  deepEqual([orders.get(id), seen.known.size], [undefined, 0])
})

test('a process that is over answers by its rules and is not written', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'closed' })
  const { version } = await row(id)
  deepEqual(await orders.dispatch(id, { type: 'added', amount: 1 }), [{ type: 'refuse' }])
  equal((await row(id)).version, version)
  equal(await orders.dispatch(404, { type: 'closed' }), undefined)
})

test('a commit whose answer was lost is found in the row: memory and sockets follow once', async () => {
  const id = await opened()
  const losing = collectOrders(losingAnswers(testApp.app))
  await testApp.app.transact((tx) => losing.orders.applyIn(tx, id, { type: 'added', amount: 1 }))
  await rejects(losing.orders.dispatch(id, { type: 'added', amount: 2 }), /terminated/)
  equal((await row(id)).total, 3)
  equal(losing.orders.get(id)?.total, 1)
  // Only the transaction was cut: what reads it afterwards runs on a connection that answers.
  const { orders: healed, seen: found } = lostOnce(testApp.app)
  await testApp.app.transact((tx) => healed.applyIn(tx, id, { type: 'added', amount: 1 }))
  await rejects(healed.dispatch(id, { type: 'added', amount: 10 }), /terminated/)
  equal(found.known.get(id), 4)
  await healed.dispatch(id, { type: 'added', amount: 100 })
  equal(found.known.get(id), 114)
  deepEqual(found.projected, ['added 1', 'added 10', 'added 100'])
  deepEqual(found.sent, ['total 4', 'total 14', 'total 114'])
})

/** Loses the answer of the first transaction, and no other answer. */
function lostOnce(app: App): { orders: Orders; seen: Seen } {
  let left = 1
  const losing = losingAnswers(app)
  return collectOrders({
    ...app,
    transact: (work) => (left-- > 0 ? losing.transact(work) : app.transact(work)),
  })
}

test('an opening whose answer was lost is taken into memory, one that was rolled back is not', async () => {
  const lost = lostOnce(testApp.app)
  await rejects(
    lost.orders.create(1, async () => ({
      state: fresh(1),
      commands: [{ type: 'note', text: 'first' }],
    })),
    /terminated/,
  )
  equal(lost.orders.get(1), undefined)
  await testApp.advance('1 s')
  equal(lost.orders.get(1)?.total, 0)
  deepEqual(lost.seen.projected, ['first'])
  await rejects(orders.create(2, async () => ({ state: fresh(2), commands: [{ type: 'refuse' }] })))
  await testApp.advance('1 s')
  equal(orders.get(2), undefined)
})

test('opening a process that exists answers false and leaves the transaction usable', async () => {
  const id = await opened()
  const isOpened = await testApp.app.transact(async (tx) => {
    const done = await orders.openIn(tx, { state: fresh(id), commands: [] })
    await sql`insert into test_notes (id, text) values (${id}, 'still usable')`.execute(tx)
    return done
  })
  equal(isOpened, false)
  deepEqual(await notes(id), ['still usable'])
})

test('a second server process leaves the processes of a living one alone', async () => {
  const id = await opened()
  const other = await secondProcess()
  try {
    const theirs = collectOrders(other.app)
    await theirs.orders.start()
    equal(theirs.orders.get(id), undefined)
    equal(await theirs.orders.dispatch(id, { type: 'added', amount: 1 }), undefined)
    await orders.dispatch(id, { type: 'added', amount: 5 })
    equal((await row(id)).total, 5)
    await theirs.orders.stop()
  } finally {
    await other.running.stop()
  }
})

const OPEN_WITH_TIME = sql`not is_closed and wake_at is not null`

/** Orders that every server process may change, and that are claimed only with a time. */
function sharedOrders(app: App): Orders {
  const { isLight: _, ...type } = orderType(noSeen())
  const table = { ...type.table, open: OPEN_WITH_TIME }
  const runtime = createProcessRuntime(app, { ...type, table, isShared: true })
  made.push(runtime)
  return runtime
}

test('every living server process applies events to a shared process, and its time comes once', async () => {
  const ours = sharedOrders(testApp.app)
  const other = await secondProcess()
  try {
    const theirs = sharedOrders(other.app)
    for (const runtime of [ours, theirs]) await runtime.start()
    await ours.create(1, async () => ({ state: fresh(1), commands: [] }))
    equal(ours.get(1), undefined)
    for (const runtime of [theirs, ours, theirs])
      await runtime.dispatch(1, { type: 'added', amount: 1 })
    equal((await row(1)).total, 3)
    await rejects(
      testApp.app.transact(async (tx) => {
        await ours.applyIn(tx, 1, { type: 'added', amount: 100 })
        throw new Error('rolled back')
      }),
    )
    await testApp.advance('2 min')
    await other.advance('2 min')
    deepEqual([(await row(1)).is_closed, (await row(1)).total], [true, 3])
    equal((await notes(1)).filter((text) => text.startsWith('added')).length, 3)
    for (const runtime of [ours, theirs]) await runtime.stop()
  } finally {
    await other.running.stop()
  }
})

test('a claim takes all shared processes that have a time, and leaves the others to their events', async () => {
  const { db, processOwner, clock } = testApp.app
  await sql`insert into test_orders (id, total, is_closed, wake_at, owner_id, fence, version)
    select id, 0, false, case when id <= 6000 then ${clock.now()}::timestamptz end, 0, 1, 1
    from generate_series(1, 6010) id`.execute(db)
  const table = { name: 'test_orders', id_column: 'id', open: OPEN_WITH_TIME }
  const by = { owner_id: processOwner.id, now: clock.now(), is_start: true }
  equal((await claimProcesses(db, table, by)).length, 6000)
  equal((await row(6001)).fence, 1)
  await sharedOrders(testApp.app).dispatch(6001, { type: 'added', amount: 1 })
  deepEqual([(await row(6001)).fence, (await row(6001)).total], [2, 1])
})

test('the processes of a server process that was killed are recovered at the next start, before its lease ends', async () => {
  const dead = await secondProcess()
  const theirs = collectOrders(dead.app)
  await theirs.orders.create(1, async () => ({ state: fresh(1), commands: [] }))
  await dead.running.kill()
  await orders.start()
  equal(orders.get(1)?.total, 0)
  deepEqual(await notes(1), ['recovered'])
  equal((await row(1)).fence, 2)
  await orders.stop()
})

test('an expired lease is taken over later, and the write of the former owner changes nothing', async () => {
  await orders.start()
  const slow = await secondProcess()
  try {
    const theirs = collectOrders(slow.app)
    await theirs.orders.create(1, async () => ({ state: fresh(1), commands: [] }))
    await theirs.orders.dispatch(1, { type: 'added', amount: 1 })
    equal(orders.get(1), undefined)
    // The time of the slow process stands still: it renews nothing.
    await testApp.advance('20 s')
    equal(orders.get(1)?.total, 1)
    await rejects(theirs.orders.dispatch(1, { type: 'added', amount: 100 }), {
      name: 'ProcessLostError',
    })
    equal((await row(1)).total, 1)
    deepEqual([theirs.orders.get(1), theirs.seen.known.size], [undefined, 0])
    await orders.dispatch(1, { type: 'added', amount: 10 })
    equal((await row(1)).total, 11)
  } finally {
    await orders.stop()
    await slow.running.stop()
  }
})

test('a process of this owner that memory does not know yet is not claimed: its fence stays', async () => {
  await orders.start()
  await sql`insert into test_orders (id, total, is_closed, owner_id, fence, version)
    values (1, 5, false, ${testApp.app.processOwner.id}, 1, 1)`.execute(testApp.app.db)
  await testApp.advance('10 s')
  deepEqual([(await row(1)).fence, orders.get(1)], [1, undefined])
  await testApp.advance('10 s')
  deepEqual([(await row(1)).fence, orders.get(1)?.total], [1, 5])
  deepEqual(await notes(1), ['recovered'])
})

test('a comparison with the row drops a process that another server process owns', async () => {
  const id = await opened()
  await orders.dispatch(id, { type: 'peeked', amount: 3 })
  await orders.compareWithRow(id)
  equal(orders.get(id)?.total, 3)
  await sql`update test_orders set fence = fence + 1 where id = ${id}`.execute(testApp.app.db)
  await orders.compareWithRow(id)
  deepEqual([orders.get(id), seen.known.size], [undefined, 0])
})

test('a lease that is renewed is not taken over', async () => {
  await orders.start()
  const other = await secondProcess()
  try {
    const theirs = collectOrders(other.app)
    await theirs.orders.create(1, async () => ({ state: fresh(1), commands: [] }))
    for (let seconds = 0; seconds < 40; seconds += 5) {
      await other.advance('5 s')
      await testApp.advance('5 s')
    }
    equal(orders.get(1), undefined)
    equal(theirs.orders.get(1)?.total, 0)
  } finally {
    await orders.stop()
    await other.running.stop()
  }
})

test('a process that fails when the server is ready stops no other one, and is tried again', async () => {
  const own: Seen = {
    known: new Map(),
    projected: [],
    sent: [],
    idleWakeUps: 0,
    writes: 0,
    booked: [],
  }
  const type = orderType(own)
  const { note } = type.commands
  let failures = 1
  const runtime = createProcessRuntime(testApp.app, {
    ...type,
    ready_event: { type: 'closed' },
    commands: {
      ...type.commands,
      note: {
        ...note,
        async store(tx, draft, command) {
          if (draft.state.id === 9001 && failures-- > 0) throw new Error('the database is away')
          return note.store?.(tx, draft, command)
        },
      },
    },
  })
  made.push(runtime)
  for (const id of [9001, 9002])
    await runtime.create(id, async () => ({
      state: { id, total: 0, is_closed: false, wake_at: null },
      commands: [],
    }))
  await runtime.ready()
  deepEqual([runtime.get(9001)?.is_closed, runtime.get(9002)], [false, undefined])
  await testApp.advance('2 s')
  equal(runtime.get(9001), undefined)
})

/** Opens this many orders and sends each its delivery, all at once. */
async function deliverAll(to: Orders, amounts: readonly number[]) {
  for (const id of amounts.keys()) {
    await opened(id + 1)
    await testApp.app.transact((tx) => to.applyIn(tx, id + 1, { type: 'added', amount: 100 }))
  }
  return Promise.allSettled(
    amounts.map((amount, index) => to.dispatch(index + 1, { type: 'delivered', amount })),
  )
}

async function totals(): Promise<number[]> {
  const { rows } = await testApp.database.pool.query<{ total: number }>(
    'select total from test_orders order by id',
  )
  return rows.map(({ total }) => total)
}

test('events of many processes share one transaction, and each is followed as by its own', async () => {
  const answers = await deliverAll(orders, [1, 2, 3])
  deepEqual(seen.booked, [[1, 2, 3]])
  deepEqual(await totals(), [101, 102, 103])
  deepEqual([...seen.known.values()], [101, 102, 103])
  deepEqual(await notes(2), ['added 100', 'stock_given 2'])
  deepEqual(seen.sent.slice(-3), ['total 101', 'total 102', 'total 103'])
  deepEqual(
    answers.map((answer) => answer.status === 'fulfilled' && answer.value![0]),
    [1, 2, 3].map((amount) => ({ type: 'book', amount })),
  )
  // One statement wrote all of them: the others are those of the additions before.
  equal(seen.writes, 4)
})

test('a refusal inside a shared transaction reaches its own caller only, and nothing of it is stored', async () => {
  const answers = await deliverAll(orders, [1, REFUSED, 3])
  deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  deepEqual(await totals(), [101, 100, 103])
  deepEqual([orders.get(2)?.total, (await row(2)).version], [100, 2])
})

test('an error inside a shared transaction leaves each event its own, and the one at fault fails alone', async () => {
  const answers = await deliverAll(orders, [1, FAILING, 3])
  deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  deepEqual(seen.booked[0], [1, 2, 3])
  deepEqual(seen.booked.slice(1).flat().sort(), [1, 2, 3])
  deepEqual(await totals(), [101, 100, 103])
})

test('a shared commit whose answer was lost is found in every row: memory and sockets follow once', async () => {
  const lost = lostOnce(testApp.app)
  const answers = await deliverAll(lost.orders, [1, 2])
  deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  deepEqual(await totals(), [101, 102])
  await testApp.advance('1 s')
  deepEqual([...lost.seen.known.values()], [101, 102])
  deepEqual(lost.seen.projected.slice(2), ['stock_given 1', 'stock_given 2'])
  deepEqual(lost.seen.sent.slice(2), ['total 101', 'total 102'])
})

test('a shared transaction that its commit rolls back stores nothing', async () => {
  const { transact } = testApp.app
  let left = 1
  const rolledBack = collectOrders({
    ...testApp.app,
    transact: (work) =>
      left-- > 0
        ? transact(async (tx) => {
            await work(tx)
            throw new Error('Connection terminated unexpectedly')
          })
        : transact(work),
  })
  await deliverAll(rolledBack.orders, [1, 2])
  deepEqual(await totals(), [100, 100])
  await testApp.advance('1 s')
  await rolledBack.orders.dispatch(1, { type: 'delivered', amount: 5 })
  deepEqual([await totals(), rolledBack.orders.get(2)?.total], [[105, 100], 100])
})

test('a shared transaction does not wait for a row that another transaction has locked', async () => {
  const client = await testApp.database.pool.connect()
  for (const id of [1, 2]) await opened(id)
  await client.query('begin; select 1 from test_orders where id = 1 for update')
  const delivered = [1, 2].map((id) => orders.dispatch(id, { type: 'delivered', amount: id }))
  await delivered[1]
  deepEqual(await totals(), [0, 2])
  await client.query('commit')
  client.release()
  await delivered[0]
  deepEqual(await totals(), [1, 2])
  deepEqual(seen.booked, [[2], [1]])
})

test('a shared transaction writes nothing of a process that another server process owns', async () => {
  for (const id of [1, 2]) await opened(id)
  await sql`update test_orders set fence = fence + 1 where id = 1`.execute(testApp.app.db)
  const answers = await Promise.allSettled(
    [1, 2].map((id) => orders.dispatch(id, { type: 'delivered', amount: id })),
  )
  deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  deepEqual([await totals(), orders.get(1)], [[0, 2], undefined])
})

test('a recovery before the server listens changes memory and sends nothing', async () => {
  const { pool } = testApp.database
  await pool.query('insert into test_orders values (1, 0, false, null, null, 1, 1)')
  const own: Seen = {
    known: new Map(),
    projected: [],
    sent: [],
    idleWakeUps: 0,
    writes: 0,
    booked: [],
  }
  const type = orderType(own)
  const runtime = createProcessRuntime(testApp.app, {
    ...type,
    table: {
      ...type.table,
      loadMany: async (db, ids) =>
        (
          await sql<Order>`select id, total, is_closed, wake_at from test_orders
            where id = any(${[...ids]})`.execute(db)
        ).rows,
    },
    recovery_event: { type: 'peeked', amount: 5 },
    ready_event: { type: 'peeked', amount: 1 },
  })
  made.push(runtime)
  await runtime.start()
  deepEqual([own.known.get(1), own.sent], [5, []])
  await runtime.ready()
  deepEqual([own.known.get(1), own.sent], [6, ['total 6']])
})
