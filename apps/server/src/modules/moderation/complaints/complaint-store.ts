import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { ComplaintDecision } from './complaint-rules.ts'

/** `isSerious` of complaint-rules.ts, for a row. */
export const IS_SERIOUS = sql<boolean>`(is_panic or reason = 'child')`

export type ComplaintRow = Selectable<Tables['complaints']>

/** Writes a complaint. Undefined: the complainer has complained of this call, or today of this user, already. */
export async function insertComplaint(
  tx: Tx,
  complaint: Omit<Insertable<Tables['complaints']>, 'at' | 'complaint_id'>,
): Promise<ComplaintRow | undefined> {
  return tx
    .insertInto('complaints')
    .values({ ...complaint, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The complaint that stands in the way of a second one, locked. */
export function lockFormer(
  tx: Tx,
  of: Pick<ComplaintRow, 'complainer_id' | 'accused_id' | 'session_id' | 'message_id' | 'day'>,
): Promise<ComplaintRow | undefined> {
  const own = tx
    .selectFrom('complaints')
    .selectAll()
    .where('complainer_id', '=', of.complainer_id)
    .forUpdate()
  return of.session_id === null
    ? own
        .where('accused_id', '=', of.accused_id)
        .where('session_id', 'is', null)
        .where('day', '=', of.day)
        .where('message_id', 'is not distinct from', of.message_id)
        .executeTakeFirst()
    : own.where('session_id', '=', of.session_id).executeTakeFirst()
}

export function lockComplaint(tx: Tx, complaint_id: number): Promise<ComplaintRow | undefined> {
  return tx
    .selectFrom('complaints')
    .selectAll()
    .where('complaint_id', '=', complaint_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Leaves the decision to managers. */
export async function passComplaint(
  tx: Tx,
  complaint_id: number,
  { note, by }: { readonly note: string; readonly by: string },
): Promise<void> {
  await tx
    .updateTable('complaints')
    .set({ passed_note: note, passed_by: by, passed_at: tx.now })
    .where('complaint_id', '=', complaint_id)
    .execute()
}

export async function changeComplaint(
  tx: Tx,
  complaint_id: number,
  change: Partial<
    Pick<
      ComplaintRow,
      | 'reason'
      | 'comment'
      | 'is_panic'
      | 'message_id'
      | 'media_id'
      | 'hold_id'
      | 'suspension_id'
      | 'statement_id'
      | 'decision_comment'
    >
  > & { decision?: ComplaintDecision; decided_by?: string; decided_at?: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('complaints')
    .set(change)
    .where('complaint_id', '=', complaint_id)
    .where('decided_at', 'is', null)
    .execute()
}

/**
 * The waiting case about a minor that has suspended this user, or that staff opened. `is_suspended`: its suspension
 * was not lifted.
 */
export function suspendingCase(
  db: Db,
  accused_id: UserId,
): Promise<(ComplaintRow & { readonly is_suspended: boolean }) | undefined> {
  return db
    .selectFrom('complaints')
    .selectAll()
    .select(
      sql<boolean>`exists (select from sanctions where statement_id = suspension_id and ended_at is null)`.as(
        'is_suspended',
      ),
    )
    .where('accused_id', '=', accused_id)
    .where('decided_at', 'is', null)
    .where('reason', '=', 'child')
    .where((or) => or.or([or('opened_by', 'is not', null), or('suspension_id', 'is not', null)]))
    .orderBy('complaint_id')
    .executeTakeFirst()
}

/** The call that a user had last, if it began since then. */
export async function latestCall(
  db: Db,
  user_id: UserId,
  since: Temporal.Instant,
): Promise<number | null> {
  const { rows } = await sql<{ session_id: number }>`
    select session_id from (
      (select session_id, opened_at from video_sessions where guy_id = ${user_id} order by session_id desc limit 1)
      union all
      (select session_id, opened_at from video_sessions where girl_id = ${user_id} order by session_id desc limit 1)) calls
    where opened_at >= ${since} order by session_id desc limit 1`.execute(db)
  return rows[0]?.session_id ?? null
}

export function complaintById(db: Db, complaint_id: number): Promise<ComplaintRow | undefined> {
  return db
    .selectFrom('complaints')
    .selectAll()
    .where('complaint_id', '=', complaint_id)
    .executeTakeFirst()
}

/** Whether the two were connected in a call, or the accused has written to the complainer. */
export async function haveHadContact(
  db: Db,
  { complainer_id, accused_id }: Pick<ComplaintRow, 'complainer_id' | 'accused_id'>,
): Promise<boolean> {
  // Staff opened the case because of what they saw.
  if (complainer_id === null) return true
  const pair = [complainer_id, accused_id]
  const met = await db
    .selectFrom('video_sessions')
    .select('session_id')
    .where('guy_id', 'in', pair)
    .where('girl_id', 'in', pair)
    .where('connected_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (met) return true
  const written = await db
    .selectFrom('dialogs')
    .innerJoin('messages', 'messages.dialog_id', 'dialogs.id')
    .select('messages.id')
    .where('dialogs.guy_id', 'in', pair)
    .where('dialogs.girl_id', 'in', pair)
    .where('messages.sender_id', '=', accused_id)
    .limit(1)
    .executeTakeFirst()
  return written !== undefined
}

/**
 * Staff found no violation in a complaint of the complainer about this user, or, outside of a call of the two, another
 * complaint of the complainer suspends a user now.
 */
export async function isDoubtful(
  db: Db,
  { complaint_id, complainer_id, accused_id, session_id }: ComplaintRow,
): Promise<boolean> {
  const row = await db
    .selectFrom('complaints')
    .select('complaint_id')
    .where('complainer_id', '=', complainer_id)
    .where('complaint_id', '!=', complaint_id)
    .where((or) =>
      or.or([
        or.and([
          or.val(session_id === null),
          or('suspension_id', 'is not', null),
          or('decided_at', 'is', null),
        ]),
        or.and([or('accused_id', '=', accused_id), or('decision', '=', 'no_violation')]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The uploads of the accused that the complaint is about or that the complainer received, the newest first; of a case that
 * staff opened all uploads.
 */
export async function readPictures(
  db: Db,
  { media_id, complainer_id, accused_id, opened_by }: ComplaintRow,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from media where owner_id = ${accused_id} and (id = ${media_id}
      or receiver_id = ${complainer_id} or ${opened_by !== null}::boolean)
    order by id = ${media_id} desc nulls last, created_at desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
