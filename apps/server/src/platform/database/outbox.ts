import { sql, type Transaction } from 'kysely'
import { assert } from '../../lib/assert.ts'
import { type Clock, plusMs } from '../../lib/clock.ts'
import type { Log } from './log.ts'
import type { Db, Pool } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import { deleteRows } from '../retention/retention-rule.ts'
import type { Tables } from './tables.gen.ts'
import { jsonb } from './values.ts'

/** A process that claimed a row must deliver it within this time; afterwards any process may claim it. */
const LEASE_MS = 20_000
const DELIVERY_TIMEOUT_MS = 15_000
const POLL_EVERY_MS = 3_000
const POLL_BATCH_MAX = 50
/** When this many deliveries are running, a new row waits for the poll. */
const RUNNING_MAX = 100
const BACK_OFF_MS = 2_000
const BACK_OFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 50
const KEEP_DONE_DAYS = 7
const LAST_ERROR_MAX_CHARACTERS = 1_000

export interface OutboxRow {
  kind: string
  payload: unknown
  key: string | undefined
}

/** A row that this process has claimed. */
export interface Delivery {
  outbox_id: number
  kind: string
  payload: unknown
  attempts: number
}

/**
 * Performs the work of a row. It may be called again for the same row (after a crash before the result was recorded), so
 * it must be idempotent. When it throws, the row is tried again later.
 */
export type Deliver = (
  payload: unknown,
  delivery: Delivery & { signal: AbortSignal },
) => Promise<void>

export interface Outbox {
  /** Registers the handler of a kind: once for each kind, before its first row. */
  handle(kind: string, deliver: Deliver): void
  /** Writes a row in the transaction, already claimed by this process; undefined when the key was used before. */
  add(
    tx: Transaction<Tables>,
    row: { kind: string; payload: unknown; key: string | undefined },
  ): Promise<Delivery | undefined>
  /** Starts to deliver committed rows that this process has claimed; does not wait. */
  deliverSoon(deliveries: Delivery[]): void
  /** Claims due rows and delivers them; returns how many. */
  poll(): Promise<number>
  /** Polls at a fixed interval until `stop`. */
  start(): void
  /** Resolves when no delivery is running. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The queue of work that follows a commit: each row is delivered at least once, in no guaranteed order. */
export function createOutbox(options: { db: Pool; log: Log; clock: Clock }): Outbox {
  const { log, clock } = options
  const handlers = new Map<string, Deliver>()
  const running = new Set<Promise<void>>()
  let cancel: (() => void) | undefined
  let stopped = false
  let polling = false

  const track = (work: Promise<void>) => trackWork(running, log, work)
  const startDelivery = (delivery: Delivery) => track(deliver(options, handlers, delivery))
  const settled = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  const poll = async () => {
    if (handlers.size === 0 || running.size >= RUNNING_MAX) return 0
    const deliveries = await claimDue(options, [...handlers.keys()])
    await Promise.all(deliveries.map(startDelivery))
    return deliveries.length
  }
  const pollOnce = async () => {
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
      assert(!handlers.has(kind), `outbox rows of kind ${kind} have one handler`)
      handlers.set(kind, handler)
    },
    async add(tx, row) {
      assert(handlers.has(row.kind), `outbox rows of kind ${row.kind} have a handler`)
      return insert(tx, row, clock.now())
    },
    deliverSoon(deliveries) {
      for (const delivery of deliveries) {
        if (!stopped && running.size < RUNNING_MAX) void startDelivery(delivery)
      }
    },
    poll,
    start() {
      cancel ??= clock.every(POLL_EVERY_MS, () => void track(pollOnce()))
    },
    settled,
    async stop() {
      stopped = true
      cancel?.()
      await settled()
    },
  }
}

/** Keeps the work in `running` until it ends; a failure is logged. The result never rejects. */
function trackWork(running: Set<Promise<void>>, log: Log, work: Promise<void>): Promise<void> {
  const tracked = work
    .catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read or updated'))
    .finally(() => running.delete(tracked))
  running.add(tracked)
  return tracked
}

/** Delivered rows are kept for some days, so that their keys are not used again; dead letters wait for the operator. */
export const outboxRetention = deleteRows('outbox', 'done_at', () => KEEP_DONE_DAYS)

/** The number of waiting rows and of dead letters (rows whose last attempt failed), by kind. */
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

interface OutboxOptions {
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

async function claimDue({ db, clock }: OutboxOptions, kinds: string[]): Promise<Delivery[]> {
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
  { db, log, clock }: OutboxOptions,
  handlers: Map<string, Deliver>,
  delivery: Delivery,
): Promise<void> {
  const { outbox_id, kind, attempts } = delivery
  const handler = handlers.get(kind)
  assert(handler !== undefined, `outbox rows of kind ${kind} have a handler`)
  const update = db.updateTable('outbox').where('outbox_id', '=', outbox_id)
  try {
    await withTimeout((signal) => handler(delivery.payload, { ...delivery, signal }))
  } catch (error) {
    const isLast = attempts >= ATTEMPTS_MAX
    const fields = { err: error, outbox_id, kind, attempts }
    if (isLast) log.error(fields, 'an outbox row is a dead letter')
    else log.warn(fields, 'an outbox row was not delivered, it will be tried again')
    const now = clock.now()
    const last_error = String(error).slice(0, LAST_ERROR_MAX_CHARACTERS)
    await update
      .set({ last_error, due_at: plusMs(now, backOff(attempts)), dead_at: isLast ? now : null })
      .execute()
    return
  }
  await update.set({ done_at: clock.now() }).execute()
}

function backOff(attempts: number): number {
  return Math.min(BACK_OFF_MS * 2 ** (attempts - 1), BACK_OFF_MAX_MS)
}

async function withTimeout(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const limit = new AbortController()
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`not delivered within ${DELIVERY_TIMEOUT_MS} ms`)
    limit.abort(error)
    reject(error)
  }, DELIVERY_TIMEOUT_MS)
  try {
    await Promise.race([work(limit.signal), timedOut])
  } finally {
    clearTimeout(timer)
  }
}
