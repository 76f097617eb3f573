import { type Selectable, sql } from 'kysely'
import { plusMs } from '../../lib/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables.gen.ts'

const HOUR_MS = 3_600_000

/** Why a user does not search although they are online: a break, a pause, missed offers. Rows, so that a restart keeps them. */
export type Availability = Selectable<Tables['search_rests']>

/** The two met, or one declined the other. */
export async function recordMeeting(
  tx: Tx,
  guy_id: UserId,
  girl_id: UserId,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into meetings (guy_id, girl_id, at) values (${guy_id}, ${girl_id}, ${at})
    on conflict (guy_id, girl_id) do update set at = greatest(meetings.at, excluded.at)`.execute(tx)
}

export async function saveAvailability(
  tx: Tx,
  user_id: UserId,
  changed: Partial<Omit<Availability, 'user_id'>>,
): Promise<void> {
  await tx
    .insertInto('search_rests')
    .values({ user_id, ...changed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed))
    .execute()
}

/** Ends a break and resets the missed offers. Returns the end of a pause, also of a past pause. */
export async function endBreak(tx: Tx, user_id: UserId): Promise<Temporal.Instant | undefined> {
  const row = await tx
    .updateTable('search_rests')
    .set({ on_break: false, missed_out: false })
    .where('user_id', '=', user_id)
    .returning('paused_until')
    .executeTakeFirst()
  return row?.paused_until ?? undefined
}

/** When the girl was last recorded without a face before her camera. */
export async function lastWithoutFace(
  db: Db,
  user_id: UserId,
): Promise<Temporal.Instant | undefined> {
  const row = await db
    .selectFrom('absences')
    .select('at')
    .where('user_id', '=', user_id)
    .where('kind', '=', 'no_face')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

export type AbsenceKind = 'missed_offers' | 'no_face'

/** Returns the number of absences in the hour up to now. */
/** False: the user has no absence of this moment. */
export async function deleteAbsence(
  tx: Tx,
  user_id: UserId,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('absences')
    .where('user_id', '=', user_id)
    .where('at', '=', at)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The absences of a user in the hour up to this moment. */
export async function countAbsences(
  tx: Tx,
  user_id: UserId,
  until: Temporal.Instant,
): Promise<number> {
  const { count } = await tx
    .selectFrom('absences')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', user_id)
    .where('at', '>', plusMs(until, -HOUR_MS))
    .where('at', '<=', until)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertAbsence(tx: Tx, user_id: UserId, kind: AbsenceKind): Promise<number> {
  await tx.insertInto('absences').values({ user_id, kind, at: tx.now }).execute()
  return countAbsences(tx, user_id, tx.now)
}
