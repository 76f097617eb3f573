import { type Selectable, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'
import type { Answer, Offer, PairClosedReason } from './offers/offer-rules.ts'

/** Every write of offers and meetings, each a single statement with its condition. */

export type Kind = 'random' | 'direct'
/** An offer with what its row keeps besides. */
export interface Kept {
  readonly kind: Kind
  readonly offer: Offer
}

/** False: one of the two is in an open offer already. */
export async function insertOffer(
  tx: Tx,
  offer: Offer,
  of: { kind: Kind; guy_locales: readonly string[]; girl_locales: readonly string[] },
): Promise<boolean> {
  const { guy_locales, girl_locales, kind } = of
  const row = await tx
    .insertInto('pairs')
    .values({ ...offer, kind, guy_locales: [...guy_locales], girl_locales: [...girl_locales] })
    .onConflict((conflict) => conflict.doNothing())
    .returning('pair_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The offer as it is, until the transaction ends. */
export async function lockOffer(tx: Tx, pair_id: string): Promise<Kept | undefined> {
  const row = await tx
    .selectFrom('pairs')
    .selectAll()
    .where('pair_id', '=', pair_id)
    .forUpdate()
    .executeTakeFirst()
  return row && keptOf(row)
}

export async function readOffer(db: Db, pair_id: string): Promise<Kept | undefined> {
  const row = await db
    .selectFrom('pairs')
    .selectAll()
    .where('pair_id', '=', pair_id)
    .executeTakeFirst()
  return row && keptOf(row)
}

export async function updateOffer(tx: Tx, offer: Offer): Promise<void> {
  const { pair_id, state, reason, guy_answer, girl_answer, wake_at, closed_at } = offer
  await tx
    .updateTable('pairs')
    .set({ state, reason, guy_answer, girl_answer, wake_at, closed_at })
    .where('pair_id', '=', pair_id)
    .where('state', '=', 'open')
    .execute()
}

/** The server came back: waiting was memory, so no offer can be kept. Answers how many were let go; none counts as missed. */
export async function cancelOpenOffers(app: App): Promise<number> {
  const { numUpdatedRows } = await app.db
    .updateTable('pairs')
    .set({ state: 'closed', reason: 'cancelled', wake_at: null, closed_at: app.clock.now() })
    .where('state', '=', 'open')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** They met, or one declined the other. */
export async function rememberMeeting(
  tx: Tx,
  guy_id: UserId,
  girl_id: UserId,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into meetings (guy_id, girl_id, at) values (${guy_id}, ${girl_id}, ${at})
    on conflict (guy_id, girl_id) do update set at = greatest(meetings.at, excluded.at)`.execute(tx)
}

function keptOf(row: Selectable<Tables['pairs']>): Kept {
  const {
    kind,
    state,
    reason,
    guy_answer,
    girl_answer,
    guy_locales: _,
    girl_locales: __,
    ...rest
  } = row
  return {
    kind: kind as Kind,
    offer: {
      ...rest,
      state: state as Offer['state'],
      reason: reason as PairClosedReason | null,
      guy_answer: guy_answer as Answer | null,
      girl_answer: girl_answer as Answer | null,
    },
  }
}
