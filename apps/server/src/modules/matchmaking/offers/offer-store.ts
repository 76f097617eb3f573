import { type Selectable, sql } from 'kysely'
import type { PairClosedReason } from '@duet/protocol'
import type { Db } from '../../../core/db.ts'
import type { ProcessTable } from '../../../platform/process/process.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { MatchRecord } from '../queue/match-record.ts'
import type { Offer, OfferAnswer } from './offer-rules.ts'

export type OfferKind = 'random' | 'direct'

/** An offer, and what its row has besides the rules' state. */
export interface StoredOffer {
  readonly kind: OfferKind
  readonly offer: Offer
  /** The languages of each search: a later search of the same user can continue with them. */
  readonly guy_locales: readonly string[]
  readonly girl_locales: readonly string[]
  /** Null for an invitation, which no rule of the queue decided. */
  readonly match_record: MatchRecord | null
}

export const offerTable: ProcessTable<string, StoredOffer> = {
  name: 'pairs',
  id_column: 'pair_id',
  open: sql`state = 'open'`,
  load: loadOffer,
  /** False: one of the two is in an open offer already. */
  async insert(tx, { kind, offer, guy_locales, girl_locales, match_record }, stamp) {
    const row = await tx
      .insertInto('pairs')
      .values({
        ...offer,
        ...stamp,
        kind,
        guy_locales: [...guy_locales],
        girl_locales: [...girl_locales],
        match_record: match_record && JSON.stringify(match_record),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('pair_id')
      .executeTakeFirst()
    return row !== undefined
  },
  async update(tx, { offer }, { fence, version }) {
    const { pair_id, state, reason, guy_answer, girl_answer, wake_at, closed_at } = offer
    await tx
      .updateTable('pairs')
      .set({ state, reason, guy_answer, girl_answer, wake_at, closed_at, version })
      .where('pair_id', '=', pair_id)
      .where('fence', '=', fence)
      .execute()
  },
}

export async function loadOffer(db: Db, pair_id: string): Promise<StoredOffer | undefined> {
  const row = await db
    .selectFrom('pairs')
    .selectAll()
    .where('pair_id', '=', pair_id)
    .executeTakeFirst()
  return row && toOffer(row)
}

function toOffer(row: Selectable<Tables['pairs']>): StoredOffer {
  return {
    kind: row.kind as OfferKind,
    guy_locales: row.guy_locales,
    girl_locales: row.girl_locales,
    match_record: row.match_record as MatchRecord | null,
    offer: {
      pair_id: row.pair_id,
      guy_id: row.guy_id,
      girl_id: row.girl_id,
      state: row.state as Offer['state'],
      reason: row.reason as PairClosedReason | null,
      free_seconds: row.free_seconds,
      guy_answer: row.guy_answer as OfferAnswer | null,
      girl_answer: row.girl_answer as OfferAnswer | null,
      guy_waiting_since: row.guy_waiting_since,
      girl_waiting_since: row.girl_waiting_since,
      missed_before: row.missed_before,
      opened_at: row.opened_at,
      wake_at: row.wake_at,
      closed_at: row.closed_at,
    },
  }
}
