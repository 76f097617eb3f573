import { type Selectable, sql } from 'kysely'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { INSTRUMENT_ACCOUNTS_MAX } from '../../lib/payments/instrument-accounts.ts'
import type { OrderState } from './order-rules.ts'

export type OrderRow = Selectable<Tables['orders']> & { readonly state: OrderState }

export interface PricedPackage {
  readonly package_id: number
  readonly pack: 'minutes' | 'messages'
  readonly value: number
  /** In the smallest unit of `currency`. */
  readonly price: bigint
  readonly currency: string
  /** In cents: the book of the operator. */
  readonly price_usd: bigint
}

const PACKAGES_MAX = 100

/** The packages on sale with their prices in a currency, the smallest first. A package needs a price in USD. */
export async function readPackages(db: Db, currency: string): Promise<PricedPackage[]> {
  const rows = await db
    .selectFrom('packages')
    .innerJoin('package_prices as priced', 'priced.package_id', 'packages.package_id')
    .innerJoin('package_prices as book', 'book.package_id', 'packages.package_id')
    .select(['packages.package_id', 'pack', 'value', 'priced.price', 'priced.currency'])
    .select('book.price as price_usd')
    .where('on_sale', '=', true)
    .where('priced.currency', '=', currency)
    .where('book.currency', '=', 'USD')
    .orderBy('pack')
    .orderBy('value')
    .limit(PACKAGES_MAX)
    .execute()
  return rows as PricedPackage[]
}

export function findOrder(db: Db, order_id: number): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('order_id', '=', order_id)
    .executeTakeFirst() as Promise<OrderRow | undefined>
}

/** The order that a notice names: by our reference, or else by the provider's name of the payment. */
export function findNamedOrder(
  db: Db,
  method: string,
  {
    reference,
    payment_id,
  }: { readonly reference?: string | undefined; readonly payment_id?: string | undefined },
): Promise<OrderRow | undefined> {
  const orders = db.selectFrom('orders').selectAll().where('method', '=', method)
  if (reference !== undefined)
    return orders.where('reference', '=', reference).executeTakeFirst() as Promise<
      OrderRow | undefined
    >
  if (payment_id === undefined) return Promise.resolve(undefined)
  return orders.where('payment_id', '=', payment_id).executeTakeFirst() as Promise<
    OrderRow | undefined
  >
}

/** The row of an order, locked until the end of the transaction: one notice of an order is applied at a time. */
export function lockOrder(tx: Tx, order_id: number): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('order_id', '=', order_id)
    .forUpdate()
    .executeTakeFirst() as Promise<OrderRow | undefined>
}

export async function readOrders(
  db: Db,
  user_id: UserId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<OrderRow[]> {
  return (await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('state', '!=', 'created')
    .orderBy('order_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()) as OrderRow[]
}

/** The orders of a user that were begun after an instant, among the newest `limit`: older rows are not read. */
export async function countBegun(
  db: Db,
  user_id: UserId,
  after: Temporal.Instant,
  limit: number,
): Promise<{ count: number; first: Temporal.Instant | undefined }> {
  const rows = await db
    .selectFrom('orders')
    .select('created_at')
    .where('user_id', '=', user_id)
    .orderBy('order_id', 'desc')
    .limit(limit)
    .execute()
  const begun = rows.filter(({ created_at }) => Temporal.Instant.compare(created_at, after) > 0)
  return { count: begun.length, first: begun.at(-1)?.created_at }
}

const usd = sql<string>`coalesce(sum(price_usd), 0)::text`

/** The prices, in cents, of what a user bought and paid since an instant. */
export async function usdSpent(db: Db, user_id: UserId, since: Temporal.Instant): Promise<bigint> {
  const row = await db
    .selectFrom('orders')
    .select(usd.as('usd'))
    .where('user_id', '=', user_id)
    .where('paid_at', '>=', since)
    .executeTakeFirstOrThrow()
  return BigInt(row.usd)
}

/** The prices, in cents, of payments that a user has begun, and that may still come in. */
export async function usdBegun(db: Db, user_id: UserId): Promise<bigint> {
  const row = await db
    .selectFrom('orders')
    .select(usd.as('usd'))
    .where('user_id', '=', user_id)
    .where('state', 'in', ['created', 'sent'])
    .executeTakeFirstOrThrow()
  return BigInt(row.usd)
}

export function findLimits(
  db: Db,
  user_id: UserId,
): Promise<Selectable<Tables['spending_limits']> | undefined> {
  return db
    .selectFrom('spending_limits')
    .selectAll()
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

export async function hasGiftCards(db: Db): Promise<boolean> {
  const row = await db.selectFrom('gift_cards').select('batch').limit(1).executeTakeFirst()
  return row !== undefined
}

const QUARANTINED_MAX = 500

/** Payments that wait for staff, the oldest first. */
export async function quarantinedOrders(db: Db): Promise<OrderRow[]> {
  return (await db
    .selectFrom('orders')
    .selectAll()
    .where('state', '=', 'quarantined')
    .orderBy('order_id')
    .limit(QUARANTINED_MAX)
    .execute()) as OrderRow[]
}

/** The newest reports of providers about an order, the oldest of them first. */
export async function readCallbacks(db: Db, order_id: number, limit: number) {
  const newest = await db
    .selectFrom('payment_callbacks')
    .selectAll()
    .where('order_id', '=', order_id)
    .orderBy('callback_id', 'desc')
    .limit(limit)
    .execute()
  return newest.toReversed()
}

/** The callbacks of a step that its provider did not confirm: when the first came, and whether one waits for staff. */
export async function readUnconfirmed(
  db: Db,
  { order_id, step, why }: { order_id: number; step: string; why: readonly string[] },
): Promise<{ readonly first_at: Temporal.Instant | null; readonly has_case: boolean }> {
  return db
    .selectFrom('payment_callbacks')
    .select(({ fn }) => fn.min('received_at').as('first_at'))
    .select(
      sql<boolean>`coalesce(bool_or(verdict = 'refused' and settled_at is null), false)`.as(
        'has_case',
      ),
    )
    .where('order_id', '=', order_id)
    .where('step', '=', step)
    .where('why', 'in', why)
    .executeTakeFirstOrThrow()
}

/** Whether this step of a payment has counted. */
export async function hasStep(db: Db, method: string, step_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_steps')
    .select('step_id')
    .where('method', '=', method)
    .where('step_id', '=', step_id)
    .executeTakeFirst()
  return row !== undefined
}

/** The card or wallet of the order `own` has few accounts, so it identifies its user. */
const identifies = sql<boolean>`(select count(*) from (
  select distinct user_id from orders shared where shared.instrument = own.instrument
  limit ${INSTRUMENT_ACCOUNTS_MAX + 1}) accounts) <= ${INSTRUMENT_ACCOUNTS_MAX}`

/** Whether both users have paid with one card or wallet. */
export async function sharesInstrument(db: Db, one: UserId, other: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('orders as own')
    .innerJoin('orders as same', 'same.instrument', 'own.instrument')
    .select('own.order_id')
    .where('own.user_id', '=', one)
    .where('same.user_id', '=', other)
    .where(identifies)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Other accounts that paid with the cards or wallets of these accounts. */
export async function accountsOfInstruments(db: Db, ids: readonly UserId[]): Promise<UserId[]> {
  const rows = await db
    .selectFrom('orders as own')
    .innerJoin('orders as same', 'same.instrument', 'own.instrument')
    .select('same.user_id')
    .distinct()
    .where('own.user_id', 'in', ids)
    .whereRef('same.user_id', '<>', 'own.user_id')
    .where(identifies)
    .limit(ids.length * INSTRUMENT_ACCOUNTS_MAX)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

const DISPUTED_MAX = 500
const SAME_INSTRUMENT_MAX = 20

/**
 * The accounts with a chargeback, those with the most first, and other accounts that paid with a card or wallet of a
 * payment that was charged back. `usd` is in cents.
 */
export function disputedAccounts(db: Db) {
  const others = sql<UserId[]>`array(
    select distinct same.user_id from orders as own join orders as same using (instrument)
    where own.user_id = orders.user_id and own.state = 'charged_back' and same.user_id <> own.user_id
      and ${identifies}
    limit ${SAME_INSTRUMENT_MAX})`
  return db
    .selectFrom('orders')
    .select(['user_id', others.as('same_instrument')])
    .select(sql<number>`count(*)::integer`.as('chargebacks'))
    .select(sql<string>`sum(price_usd)::text`.as('usd'))
    .where('state', '=', 'charged_back')
    .groupBy('user_id')
    .orderBy('chargebacks', 'desc')
    .orderBy('user_id')
    .limit(DISPUTED_MAX)
    .execute()
}

/** The orders with this number, reference or payment of their provider. */
export async function findOrders(
  db: Db,
  text: string,
): Promise<readonly { order_id: number; user_id: UserId }[]> {
  const number = parseId(text) ?? null
  const { rows } = await sql<{ order_id: number; user_id: UserId }>`
    select order_id, user_id from orders where order_id = ${number}::bigint
    union select order_id, user_id from orders where reference = ${text}
    union (select order_id, user_id from orders where payment_id = ${text} limit 20)`.execute(db)
  return rows
}
