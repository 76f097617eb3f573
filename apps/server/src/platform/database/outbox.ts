import { sql, type Transaction } from 'kysely'
import { assert } from '../../lib/assert.ts'
import { type Clock, plusMs } from '../../lib/clock.ts'
import type { Log } from './log.ts'
import type { Db, Pool } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import { deleteRows } from '../retention/retention-rule.ts'
import type { Tables } from './tables.gen.ts'
import { jsonb } from './values.ts'

/** Whoever took a row has this long; after it the row is anybody's again. */
const LEASE_MS = 20_000
const DELIVERY_WITHIN_MS = 15_000
const POLL_EVERY_MS = 3_000
const POLL_BATCH_MAX = 50
/** More than this under way: a new row waits for the poll. */
const UNDER_WAY_MAX = 100
const BACK_OFF_MS = 2_000
const BACK_OFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 50
const KEEP_DONE_DAYS = 7
const LAST_ERROR_MAX = 1_000

export interface OutboxRow {
  kind: string
  payload: unknown
  key: string | undefined
}

/** One row in the hands of this process. */
export interface Delivery {
  outbox_id: number
  kind: string
  payload: unknown
  attempts: number
}

/**
 * Does what a row asks. May be called again for the same row (a crash between doing and noting), so it must not mind.
 * An error is a wish to be asked again later.
 */
export type Deliver = (
  payload: unknown,
  delivery: Delivery & { signal: AbortSignal },
) => Promise<void>

export interface Outbox {
  /** Says who delivers a kind; once a kind, before the first row of it. */
  handle(kind: string, deliver: Deliver): void
  /** Writes a row in the transaction, already taken by us; undefined when the key was used before. */
  add(
    tx: Transaction<Tables>,
    row: { kind: string; payload: unknown; key: string | undefined },
  ): Promise<Delivery | undefined>
  /** Delivers committed rows of ours without being waited for. */
  deliverSoon(deliveries: Delivery[]): void
  /** Takes due rows that nobody delivered and delivers them; answers how many. */
  poll(): Promise<number>
  /** Polls by the clock until `stop`. */
  start(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The rows that leave after their transaction is committed, at least once each, in no promised order. */
export function createOutbox(given: { db: Pool; log: Log; clock: Clock }): Outbox {
  const { log, clock } = given
  const handlers = new Map<string, Deliver>()
  const underWay = new Set<Promise<void>>()
  let cancel: (() => void) | undefined
  let stopped = false
  let polling = false

  const track = (work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read or noted'))
      .finally(() => underWay.delete(tracked))
    underWay.add(tracked)
    return tracked
  }
  const take = (delivery: Delivery) => track(deliver(given, handlers, delivery))
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  const poll = async () => {
    if (handlers.size === 0 || underWay.size >= UNDER_WAY_MAX) return 0
    const deliveries = await claimDue(given, [...handlers.keys()])
    await Promise.all(deliveries.map(take))
    return deliveries.length
  }
  const round = async () => {
    if (polling || stopped) return
    polling = true
    try {
      await poll()
    } finally {
      polling = false
    }
  }

  return {
    handle(kind, handler) {
      assert(!handlers.has(kind), `one handler delivers outbox rows of kind ${kind}`)
      handlers.set(kind, handler)
    },
    async add(tx, row) {
      assert(handlers.has(row.kind), `somebody delivers outbox rows of kind ${row.kind}`)
      return insert(tx, row, clock.now())
    },
    deliverSoon(deliveries) {
      for (const delivery of deliveries) {
        if (!stopped && underWay.size < UNDER_WAY_MAX) void take(delivery)
      }
    },
    poll,
    start() {
      cancel ??= clock.every(POLL_EVERY_MS, () => void track(round()))
    },
    settled,
    async stop() {
      stopped = true
      cancel?.()
      await settled()
    },
  }
}

/** Delivered rows are kept for some days, so that their keys are not used again; dead letters wait for the operator. */
export const outboxRetention = deleteRows('outbox', 'done_at', () => KEEP_DONE_DAYS)

/** Rows that wait, and dead letters: rows whose last attempt failed. */
export async function outboxStatus(db: Db) {
  const { rows } = await sql<{
    kind: string
    waiting: number
    dead: number
    oldest: Temporal.Instant | null
  }>`
    select kind, count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead,
      min(created_at) filter (where dead_at is not null) as oldest
    from outbox where done_at is null group by kind order by kind`.execute(db)
  return rows
}

/** Puts dead letters, of one kind or of all, back into the queue; returns how many. */
export async function requeueDeadLetters(tx: Tx, kind: string | undefined): Promise<number> {
  const dead = tx
    .updateTable('outbox')
    .set({ dead_at: null, attempts: 0, due_at: tx.now })
    .where('dead_at', 'is not', null)
  const { numUpdatedRows } = await (
    kind === undefined ? dead : dead.where('kind', '=', kind)
  ).executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

interface Given {
  db: Pool
  log: Log
  clock: Clock
}

async function insert(
  tx: Transaction<Tables>,
  { kind, payload, key }: OutboxRow,
  now: Temporal.Instant,
): Promise<Delivery | undefined> {
  const row = await tx
    .insertInto('outbox')
    .values({
      kind,
      key: key ?? null,
      payload: jsonb(payload ?? null),
      attempts: 1,
      due_at: plusMs(now, LEASE_MS),
    })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .returning('outbox_id')
    .executeTakeFirst()
  return row && { outbox_id: row.outbox_id, kind, payload, attempts: 1 }
}

async function claimDue({ db, clock }: Given, kinds: string[]): Promise<Delivery[]> {
  const now = clock.now()
  return db
    .updateTable('outbox')
    .set((row) => ({ attempts: row('attempts', '+', 1), due_at: plusMs(now, LEASE_MS) }))
    .where('outbox_id', 'in', (rows) =>
      rows
        .selectFrom('outbox')
        .select('outbox_id')
        .where('done_at', 'is', null)
        .where('dead_at', 'is', null)
        .where('due_at', '<=', now)
        .where('kind', 'in', kinds)
        .orderBy('due_at')
        .limit(POLL_BATCH_MAX)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['outbox_id', 'kind', 'payload', 'attempts'])
    .execute()
}

async function deliver(
  { db, log, clock }: Given,
  handlers: Map<string, Deliver>,
  delivery: Delivery,
): Promise<void> {
  const { outbox_id, kind, attempts } = delivery
  const handler = handlers.get(kind)
  assert(handler !== undefined, `somebody delivers outbox rows of kind ${kind}`)
  const note = db.updateTable('outbox').where('outbox_id', '=', outbox_id)
  try {
    await withinTime((signal) => handler(delivery.payload, { ...delivery, signal }))
  } catch (error) {
    const over = attempts >= ATTEMPTS_MAX
    const fields = { err: error, outbox_id, kind, attempts }
    if (over) log.error(fields, 'an outbox row is a dead letter')
    else log.warn(fields, 'an outbox row was not delivered, it will be tried again')
    const now = clock.now()
    const last_error = String(error).slice(0, LAST_ERROR_MAX)
    await note
      .set({ last_error, due_at: plusMs(now, backOff(attempts)), dead_at: over ? now : null })
      .execute()
    return
  }
  await note.set({ done_at: clock.now() }).execute()
}

function backOff(attempts: number): number {
  return Math.min(BACK_OFF_MS * 2 ** (attempts - 1), BACK_OFF_MAX_MS)
}

async function withinTime(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const limit = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`not delivered within ${DELIVERY_WITHIN_MS} ms`)
    limit.abort(error)
    reject(error)
  }, DELIVERY_WITHIN_MS)
  try {
    await Promise.race([work(limit.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
