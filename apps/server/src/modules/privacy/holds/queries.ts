import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** Whether evidence about this user must not be destroyed. */
export async function hasEvidenceHold(db: Db, user_id: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('evidence_holds')
    .select('hold_id')
    .where('user_id', '=', user_id)
    .where('lifted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a hold keeps the data of a user, as a condition of a statement. */
export function isHeld(userColumn: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from evidence_holds as hold where hold.user_id = ${sql.ref(userColumn)} and hold.lifted_at is null)`
}

/** The same for data of this time: a hold keeps what there was when it was placed. */
export function isHeldSince(userColumn: string, timeColumn: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from evidence_holds as hold where hold.user_id = ${sql.ref(userColumn)} and hold.lifted_at is null
      and hold.placed_at >= ${sql.ref(timeColumn)})`
}

const LISTED_MAX = 200

/** The holds that stand, the oldest first. */
export function openHolds(db: Db) {
  return db
    .selectFrom('evidence_holds')
    .select(['hold_id', 'user_id', 'reason', 'placed_by', 'placed_at'])
    .where('lifted_at', 'is', null)
    .orderBy('hold_id')
    .limit(LISTED_MAX)
    .execute()
}
