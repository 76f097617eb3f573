import { type Insertable, sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { ASKED_STATES, type OrderState } from './order-rules.ts'
import type { OrderRow } from './queries.ts'

export type NewOrder = Pick<
  Insertable<Tables['orders']>,
  | 'user_id'
  | 'reference'
  | 'place'
  | 'method'
  | 'package_id'
  | 'pack'
  | 'value'
  | 'bonus'
  | 'price'
  | 'currency'
  | 'price_usd'
  | 'expires_at'
>

/** Writes an order before the buyer leaves for the provider. */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  return (await tx
    .insertInto('orders')
    .values({
      ...order,
      state: 'created',
      ask_at: order.expires_at,
      created_at: tx.now,
      changed_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()) as OrderRow
}

type ChangedColumns = Partial<
  Pick<
    OrderRow,
    | 'payment_id'
    | 'instrument'
    | 'paid_at'
    | 'premium_from'
    | 'premium_until'
    | 'returned'
    | 'returned_units'
    | 'quarantined_why'
  > & { readonly state: OrderState }
>

/** The row is locked by this transaction, or the change needs one of the states in `from`. False: it has another state. */
export async function changeOrder(
  tx: Tx,
  order_id: number,
  change: ChangedColumns,
  from?: readonly OrderState[],
): Promise<boolean> {
  let update = tx
    .updateTable('orders')
    .set({ ...change, changed_at: tx.now })
    .where('order_id', '=', order_id)
  if (from) update = update.where('state', 'in', [...from])
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** After its time is over an order is asked about after 0 and 15 minutes, 1, 3, 10 and 30 hours. */
const QUESTIONS_MAX = 6
const FIRST_PAUSE = sql`interval '15 minutes'`

/** Takes orders about which the provider is to be asked now, and sets the time of the next question. */
export async function takeDueQuestions(tx: Tx, limit: number): Promise<OrderRow[]> {
  return (await tx
    .updateTable('orders')
    .set({
      questions: sql`questions + 1`,
      ask_at: sql`case when questions + 1 < ${QUESTIONS_MAX}
        then ${tx.now}::timestamptz + ${FIRST_PAUSE} * power(3, questions) end`,
    })
    .where('order_id', 'in', (orders) =>
      orders
        .selectFrom('orders')
        .select('order_id')
        .where('ask_at', '<=', tx.now)
        .where('state', 'in', ASKED_STATES)
        .orderBy('ask_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()) as OrderRow[]
}

/** False: this step of a payment has counted already. */
export async function insertStep(
  tx: Tx,
  step: Omit<Insertable<Tables['payment_steps']>, 'at'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('payment_steps')
    .values({ ...step, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Keeps a callback as it arrived. */
export async function insertCallback(
  tx: Tx,
  callback: Omit<Insertable<Tables['payment_callbacks']>, 'received_at'>,
): Promise<void> {
  await tx
    .insertInto('payment_callbacks')
    .values({ ...callback, received_at: tx.now })
    .execute()
}

type SettledCallbacks =
  | { readonly callback_id: number }
  /** `refused_for`: only the callbacks that were refused for one of these reasons. */
  | {
      readonly order_id: number
      readonly refused_for?: readonly string[]
      /** Only those about this kind of step, or about this step. */
      readonly kind?: string
      readonly step?: string
    }

/** Marks the refused callbacks with this number, or of this order, as settled. Returns how many waited. */
export async function settleCallbacks(
  tx: Tx,
  of: SettledCallbacks,
  { by, why }: { readonly by: string; readonly why: string },
): Promise<number> {
  const update = tx
    .updateTable('payment_callbacks')
    .set({ settled_at: tx.now, settled_by: by, settled_why: why })
    .where('verdict', '=', 'refused')
    .where('settled_at', 'is', null)
  const named =
    'order_id' in of
      ? update
          .where('order_id', '=', of.order_id)
          .$if(of.refused_for !== undefined, (query) => query.where('why', 'in', of.refused_for!))
          .$if(of.kind !== undefined, (query) =>
            query.where(sql<boolean>`(step is null or starts_with(step, ${`${of.kind}:`}))`),
          )
          .$if(of.step !== undefined, (query) =>
            query.where(sql<boolean>`(step is null or step = ${of.step})`),
          )
      : update.where('callback_id', '=', of.callback_id)
  const { numUpdatedRows } = await named.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The later purchases of this user gave their parts of Premium behind this part: they move forward by `ms`. */
export async function movePremium(
  tx: Tx,
  { user_id, premium_until }: Pick<OrderRow, 'user_id' | 'premium_until'>,
  ms: number,
): Promise<void> {
  await sql`
    update orders set premium_from = premium_from - ${ms} * interval '1 millisecond',
      premium_until = premium_until - ${ms} * interval '1 millisecond'
    where user_id = ${user_id} and paid_at is not null and premium_from >= ${premium_until}`.execute(
    tx,
  )
}

export async function saveLimits(
  tx: Tx,
  limits: Omit<Insertable<Tables['spending_limits']>, 'changed_at'>,
): Promise<void> {
  const { user_id, ...values } = { ...limits, changed_at: tx.now }
  await tx
    .insertInto('spending_limits')
    .values({ user_id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** One user changes limits, or buys under them, at a time. */
export async function lockBuyer(tx: Tx, user_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`purchases ${user_id}`}, 0))`.execute(
    tx,
  )
}

export async function insertGiftCards(
  tx: Tx,
  cards: readonly Omit<Insertable<Tables['gift_cards']>, 'created_at'>[],
): Promise<void> {
  await tx
    .insertInto('gift_cards')
    .values(cards.map((card) => ({ ...card, created_at: tx.now })))
    .execute()
}

/** Redeems a card with its condition in one statement. False: it was redeemed before, or is over. */
export async function redeemCard(tx: Tx, code_hash: Buffer, order_id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('gift_cards')
    .set({ order_id, redeemed_at: tx.now })
    .where('code_hash', '=', code_hash)
    .where('order_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** A package with its price in a currency, whose change is decided in this transaction. */
export function lockPackage(
  tx: Tx,
  { pack, value, currency }: { readonly pack: string; readonly value: number; currency: string },
) {
  return tx
    .selectFrom('packages')
    .leftJoin('package_prices as priced', (join) =>
      join
        .onRef('priced.package_id', '=', 'packages.package_id')
        .on('priced.currency', '=', currency),
    )
    .select(['on_sale', 'priced.price'])
    .where('pack', '=', pack)
    .where('value', '=', value)
    .forUpdate('packages')
    .executeTakeFirst()
}

export async function savePackage(
  tx: Tx,
  {
    pack,
    value,
    on_sale,
  }: { readonly pack: string; readonly value: number; readonly on_sale: boolean },
): Promise<number> {
  const row = await tx
    .insertInto('packages')
    .values({ pack, value, on_sale })
    .onConflict((conflict) => conflict.columns(['pack', 'value']).doUpdateSet({ on_sale }))
    .returning('package_id')
    .executeTakeFirstOrThrow()
  return row.package_id
}

export async function savePrice(
  tx: Tx,
  price: Insertable<Tables['package_prices']>,
): Promise<void> {
  await tx
    .insertInto('package_prices')
    .values(price)
    .onConflict((conflict) =>
      conflict.columns(['package_id', 'currency']).doUpdateSet({ price: price.price }),
    )
    .execute()
}

/** Months-old callbacks that belong to no order and wait for no staff. Returns how many were deleted. */
export async function deleteStrayCallbacks(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with old as (
      select callback_id from payment_callbacks
      where received_at < ${before} and order_id is null
        and not (verdict = 'refused' and settled_at is null) order by received_at limit ${limit}
    ), gone as (
      delete from payment_callbacks where callback_id in (select callback_id from old) returning 1
    )
    select count(*)::integer as deleted from gone`.execute(tx)
  return rows[0]!.deleted
}
