import { sql, type Transaction } from 'kysely'
import { assert } from '../../lib/assert.ts'
import { type Clock, plusMs } from '../../lib/clock.ts'
import type { Log } from './log.ts'
import type { Db, Pool } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import { deleteRows } from '../retention/retention-rule.ts'
import type { RetentionRule } from '../../core/retention-rule.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { Places } from '../process/places.ts'
import { DELIVERY_TIMEOUT_MS, withinDeliveryTime } from '../process/delivery-time.ts'
import { jsonb } from './values.ts'

/** A process that claimed a row must deliver it within this time; afterwards any process may claim it. */
const LEASE_MS = 20_000
const POLL_EVERY_MS = 3_000
/** Deliveries of one kind that run at once, unless its module says otherwise: no kind takes the place of another. */
const AT_ONCE_MAX = 30
/** Committed rows that wait in memory for a place, as long as the lease leaves time for the delivery; others for the poll. */
const WAITING_MAX = 500
const WAIT_MS = LEASE_MS - DELIVERY_TIMEOUT_MS - 1_000
const BACK_OFF_MS = 2_000
const BACK_OFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 50
const KEEP_DONE_DAYS = 7
const KEEP_DEAD_DAYS = 30
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
 * Performs the work of a row. Must be idempotent: after a crash before the result was recorded, the same
 * row is delivered again. If `Deliver` throws, the row is tried again later.
 */
export type Deliver = (
  payload: unknown,
  delivery: Delivery & { signal: AbortSignal },
) => Promise<void>

export interface Outbox {
  /** Registers the handler of a kind: once for each kind, before its first row. */
  handle(kind: string, deliver: Deliver, atOnceMax?: number): void
  /** Writes a row in the transaction, already claimed by this process; undefined when the key was used before. */
  add(
    tx: Transaction<Tables>,
    row: { kind: string; payload: unknown; key: string | undefined },
  ): Promise<Delivery | undefined>
  /**
   * Starts to deliver committed rows that this process has claimed, without waiting. A row without a place
   * waits for a free place, or for the poll.
   */
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
  const places = new Places()
  const waiting: Waiting[] = []
  const running = new Set<Promise<void>>()
  let cancel: (() => void) | undefined
  let stopped = false
  let polling = false

  const track = (work: Promise<void>) => trackWork(running, log, work)
  const deliverNext = (kind: string) => {
    const next = stopped ? undefined : nextWaiting(waiting, kind, clock.now())
    if (next) void startDelivery(next)
    // More rows of this kind were due than had a place.
    if (places.leave(kind) && cancel && !stopped) void track(pollOnce())
  }
  const startDelivery = (delivery: Delivery) => {
    places.take(delivery.kind)
    return track(deliver(options, handlers, delivery).finally(() => deliverNext(delivery.kind)))
  }
  const settled = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  const start = async () => (await claimFree(options, places)).map(startDelivery)
  const poll = async () => (await Promise.all(await start())).length
  const pollOnce = async () => {
    if (polling || stopped) return
    polling = true
    void (await start().finally(() => (polling = false)))
  }

  return {
    handle(kind, handler, atOnceMax = AT_ONCE_MAX) {
      assert(!handlers.has(kind), `outbox rows of kind ${kind} have one handler`)
      handlers.set(kind, handler)
      places.open(kind, atOnceMax)
    },
    async add(tx, row) {
      assert(handlers.has(row.kind), `outbox rows of kind ${row.kind} have a handler`)
      return insert(tx, row, clock.now())
    },
    deliverSoon(deliveries) {
      if (stopped) return
      const until = plusMs(clock.now(), WAIT_MS)
      for (const delivery of deliveries) {
        if (places.isFree(delivery.kind)) void startDelivery(delivery)
        else if (waiting.length < WAITING_MAX) waiting.push({ delivery, until })
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

/** Claims due rows, as many as have a place. */
async function claimFree(options: OutboxOptions, places: Places): Promise<Delivery[]> {
  const free = places.free()
  if (free.size === 0) return []
  const deliveries = await claimDue(options, free)
  places.claimed(free, deliveries)
  return deliveries
}

interface Waiting {
  delivery: Delivery
  until: Temporal.Instant
}

/** Takes the oldest row of this kind out of those that wait; those whose time has passed are left to the poll. */
function nextWaiting(
  waiting: Waiting[],
  kind: string,
  now: Temporal.Instant,
): Delivery | undefined {
  while (waiting[0] && Temporal.Instant.compare(waiting[0].until, now) < 0) waiting.shift()
  const index = waiting.findIndex(({ delivery }) => delivery.kind === kind)
  return index < 0 ? undefined : waiting.splice(index, 1)[0]!.delivery
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

/** The rule for dead letters of a kind that is of no use later; those of other kinds wait for the operator. */
export function deadLetterRetention(kind: string): RetentionRule {
  return {
    name: `outbox: dead letters, ${kind}`,
    keepDays: () => KEEP_DEAD_DAYS,
    async purge(tx, before, limit) {
      const { numAffectedRows = 0n } = await sql`
        delete from outbox where outbox_id = any(array(
          select outbox_id from outbox where dead_at < ${before} and kind = ${kind} limit ${limit}))`.execute(
        tx,
      )
      return Number(numAffectedRows)
    },
  }
}

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

/** Claims the oldest due rows of each kind, as many as there are places for it. */
async function claimDue(
  { db, clock }: OutboxOptions,
  free: ReadonlyMap<string, number>,
): Promise<Delivery[]> {
  const now = clock.now()
  const due = sql<number[]>`array(
    select due.outbox_id
    from unnest(${[...free.keys()]}::text[], ${[...free.values()]}::int4[]) as place (kind, free),
      lateral (
        select outbox_id from outbox
        where kind = place.kind and done_at is null and dead_at is null and due_at <= ${now}
        order by due_at limit place.free for update skip locked
      ) as due)`
  return db
    .updateTable('outbox')
    .set((row) => ({ attempts: row('attempts', '+', 1), due_at: plusMs(now, LEASE_MS) }))
    .where(sql<boolean>`outbox_id = any(${due})`)
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
    await withinDeliveryTime((signal) => handler(delivery.payload, { ...delivery, signal }))
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
