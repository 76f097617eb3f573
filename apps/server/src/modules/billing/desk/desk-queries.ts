import { sql } from 'kysely'
import type { AppContext } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { CountedRole, WaitingCases } from '../../../core/hooks.ts'
import type { UserId } from '../../../core/ids.ts'
import type { OrderRow } from '../queries.ts'
import { medianAnswer } from '../../../platform/database/statements/median-answer.ts'

interface Before {
  readonly before?: number | undefined
  readonly limit: number
}

/** Payments that wait for staff, the newest order first. */
export async function pageOfQuarantined(db: Db, { before, limit }: Before): Promise<OrderRow[]> {
  return (await db
    .selectFrom('orders')
    .selectAll()
    .where('state', '=', 'quarantined')
    .$if(before !== undefined, (query) => query.where('order_id', '<', before!))
    .orderBy('order_id', 'desc')
    .limit(limit)
    .execute()) as OrderRow[]
}

const STEPS_MAX = 100

/** The steps that a provider reported about an order, the oldest first. */
export function readSteps(db: Db, order_id: number) {
  return db
    .selectFrom('payment_steps')
    .select(['kind', 'amount', 'currency', 'at'])
    .where('order_id', '=', order_id)
    .orderBy('at')
    .limit(STEPS_MAX)
    .execute()
}

const withBuyer = (db: Db) =>
  db
    .selectFrom('payment_callbacks')
    .leftJoin('orders', 'orders.order_id', 'payment_callbacks.order_id')
    .selectAll('payment_callbacks')
    .select('orders.user_id')

export type CallbackRow = NonNullable<Awaited<ReturnType<typeof findCallback>>>

/** A callback with the buyer of its order. */
export function findCallback(db: Db, callback_id: number) {
  return withBuyer(db).where('callback_id', '=', callback_id).executeTakeFirst()
}

/** Callbacks with a verdict, the newest first. Those that wait are counted by `countWaiting`. */
export function pageOfCallbacks(
  db: Db,
  verdict: 'waiting' | 'refused' | 'unverified',
  { before, limit }: Before,
): Promise<CallbackRow[]> {
  const isWaiting = verdict === 'waiting'
  return withBuyer(db)
    .where('verdict', '=', isWaiting ? 'refused' : verdict)
    .$if(isWaiting, (query) =>
      query
        .where('settled_at', 'is', null)
        .where(sql<boolean>`orders.state is distinct from 'quarantined'`),
    )
    .$if(before !== undefined, (query) => query.where('callback_id', '<', before!))
    .orderBy('callback_id', 'desc')
    .limit(limit)
    .execute()
}

/** The callbacks of an order as its provider sent them, after this one. Decisions of staff were once kept as callbacks. */
export function callbacksAfter(
  db: Db,
  order_id: number,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  return db
    .selectFrom('payment_callbacks')
    .selectAll()
    .where('order_id', '=', order_id)
    .where('request_method', 'in', ['GET', 'POST'])
    .where('callback_id', '>', after)
    .orderBy('callback_id')
    .limit(limit)
    .execute()
}

const COUNTED_MAX = 1_000
const CALLBACK_TIMES = {
  table: 'payment_callbacks',
  asked: 'received_at',
  answered: 'settled_at',
  by: 'settled_by',
} as const

/** Quarantined orders, and refused callbacks that are not settled with a quarantined order. */
export async function countWaiting(
  db: Db,
  _role: CountedRole,
  context: AppContext,
): Promise<readonly WaitingCases[]> {
  const orders = await sql<Omit<WaitingCases, 'queue'>>`
    select count(*)::integer as waiting, min(changed_at) as oldest from (
      select changed_at from orders where state = 'quarantined' limit ${COUNTED_MAX}) waiting`.execute(
    db,
  )
  const callbacks = await sql<Omit<WaitingCases, 'queue'>>`
    select count(*)::integer as waiting, min(received_at) as oldest from (
      select received_at from payment_callbacks left join orders using (order_id)
      where verdict = 'refused' and settled_at is null and orders.state is distinct from 'quarantined'
      limit ${COUNTED_MAX}) waiting`.execute(db)
  return [
    { queue: 'payments', ...orders.rows[0]! },
    {
      queue: 'callbacks',
      ...callbacks.rows[0]!,
      median_seconds: await medianAnswer(context, db, CALLBACK_TIMES),
    },
  ]
}

/** The buyer of an order that waits for staff. */
export async function buyerOfWaiting(db: Db, order_id: number): Promise<UserId[] | undefined> {
  const row = await db
    .selectFrom('orders')
    .select('user_id')
    .where('order_id', '=', order_id)
    .where('state', '=', 'quarantined')
    .executeTakeFirst()
  return row && [row.user_id]
}
