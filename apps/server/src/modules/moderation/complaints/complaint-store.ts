import { type Insertable, type Selectable, sql } from 'kysely'
import { assert } from '../../../lib/assert.ts'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { ComplaintDecision } from './complaint-rules.ts'

/** `isSerious` of complaint-rules.ts, for a row. */
export const IS_SERIOUS = sql<boolean>`(is_panic or reason = 'child')`

export type ComplaintRow = Selectable<Tables['complaints']>
type EvidenceRow = Selectable<Tables['evidence_files']>

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
  of: Pick<ComplaintRow, 'complainer_id' | 'accused_id' | 'session_id' | 'day'>,
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

export function complaintById(db: Db, complaint_id: number): Promise<ComplaintRow | undefined> {
  return db
    .selectFrom('complaints')
    .selectAll()
    .where('complaint_id', '=', complaint_id)
    .executeTakeFirst()
}

/**
 * Complaints that wait for a decision: those about minors and those of the panic key first, then the oldest. A serious
 * complaint of a stranger, who holds nothing, stands behind the other serious complaints.
 */
export function waitingComplaints(db: Db, limit: number): Promise<ComplaintRow[]> {
  return db
    .selectFrom('complaints')
    .selectAll()
    .where('decided_at', 'is', null)
    .orderBy(sql`hold_id is not null`, 'desc')
    .orderBy(sql`${IS_SERIOUS}`, 'desc')
    .orderBy(sql`reason = 'child'`, 'desc')
    .orderBy('at')
    .limit(limit)
    .execute()
}

/** Registers a file that is about to be stored. */
export async function insertDraft(tx: Tx, file_id: string): Promise<void> {
  await tx.insertInto('evidence_drafts').values({ file_id, created_at: tx.now }).execute()
}

/** Deletes the drafts from before this moment; returns their ids. From here on their files belong to the caller. */
export async function deleteDrafts(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ file_id: string }>`
    delete from evidence_drafts where file_id = any(array(
      select file_id from evidence_drafts where created_at < ${before} limit ${limit} for update skip locked))
    returning file_id`.execute(tx)
  return rows.map(({ file_id }) => file_id)
}

/** Writes the row of a file that is stored, in the place of its draft. False: there is such a file of the complaint already. */
export async function insertEvidence(
  tx: Tx,
  file: Omit<EvidenceRow, 'at' | 'is_sealed'>,
): Promise<boolean> {
  // The complaint may have become serious while the picture was encoded.
  const complaint = tx.selectFrom('complaints').where('complaint_id', '=', file.complaint_id)
  const is_sealed = complaint.select(sql<boolean>`${IS_SERIOUS}`.as('is_serious'))
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('evidence_files')
    .values({ ...file, is_sealed, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return false
  const { numDeletedRows } = await tx
    .deleteFrom('evidence_drafts')
    .where('file_id', '=', file.file_id)
    .executeTakeFirst()
  assert(numDeletedRows === 1n, 'a file has a draft until its row is written')
  return true
}

/** The complaint has become serious: its evidence outlives every erasure and retention. */
export async function sealEvidence(tx: Tx, complaint_id: number): Promise<void> {
  await tx
    .updateTable('evidence_files')
    .set({ is_sealed: true })
    .where('complaint_id', '=', complaint_id)
    .execute()
}

export function newestEvidence(db: Db): Promise<EvidenceRow | undefined> {
  return db
    .selectFrom('evidence_files')
    .selectAll()
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function evidenceFiles(db: Db, complaint_id: number): Promise<EvidenceRow[]> {
  return db
    .selectFrom('evidence_files')
    .selectAll()
    .where('complaint_id', '=', complaint_id)
    .orderBy('at')
    .execute()
}

/** Deletes the rows of unsealed files whose complaint was decided before this moment; returns their ids. */
export async function deleteDecidedEvidence(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ file_id: string }>`
    delete from evidence_files where file_id = any(array(
      select file_id from evidence_files join complaints using (complaint_id)
      where not is_sealed and decided_at < ${before} limit ${limit}))
    returning file_id`.execute(tx)
  return rows.map(({ file_id }) => file_id)
}

export async function recordView(tx: Tx, complaint_id: number, viewer: string): Promise<void> {
  await tx.insertInto('complaint_views').values({ complaint_id, viewer, at: tx.now }).execute()
}

/** The texts and the course of a call, and the last messages of the two, as a record of the evidence. */
export async function readCourse(
  db: Db,
  { session_id, complainer_id, accused_id }: ComplaintRow,
  messagesMax: number,
): Promise<object> {
  const users = sql`array[${complainer_id}, ${accused_id}]::bigint[]`
  const { rows: calls } = await sql<object>`
    select session_id, guy_id, girl_id, kind, state, opened_at, connected_at, closed_at, reason
    from video_sessions where session_id = ${session_id}`.execute(db)
  const { rows: texts } = await sql<object>`
    select text_id, sender_id, coalesce(original, text) as text, create_time
    from session_texts where session_id = ${session_id} order by text_id`.execute(db)
  const { rows: messages } = await sql<object>`
    select message.id, message.sender_id, message.type, coalesce(original.text, message.text) as text, message.create_time
    from messages message left join message_originals original on original.message_id = message.id
    where message.dialog_id in (select id from dialogs where guy_id = any(${users}) and girl_id = any(${users}))
    order by message.id desc limit ${messagesMax}`.execute(db)
  return { call: calls[0] ?? null, texts, messages: messages.toReversed() }
}

/** Whether the accused sent this message to the complainer. */
export async function wasWrittenTo(
  db: Db,
  message_id: number,
  { complainer_id, accused_id }: { complainer_id: UserId; accused_id: UserId },
): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', message_id)
    .where('sender_id', '=', accused_id)
    .where('receiver_id', '=', complainer_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the two were connected in a call, or the accused has written to the complainer. */
export async function haveHadContact(
  db: Db,
  { complainer_id, accused_id }: { complainer_id: UserId; accused_id: UserId },
): Promise<boolean> {
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

/** Another complaint of the complainer suspends a user now, or staff found no violation in one about this user. */
export async function isDoubtful(
  db: Db,
  { complaint_id, complainer_id, accused_id }: ComplaintRow,
): Promise<boolean> {
  const row = await db
    .selectFrom('complaints')
    .select('complaint_id')
    .where('complainer_id', '=', complainer_id)
    .where('complaint_id', '!=', complaint_id)
    .where((or) =>
      or.or([
        or.and([or('suspension_id', 'is not', null), or('decided_at', 'is', null)]),
        or.and([or('accused_id', '=', accused_id), or('decision', '=', 'no_violation')]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function ownsMedia(db: Db, media_id: string, owner_id: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('media')
    .select('id')
    .where('id', '=', media_id)
    .where('owner_id', '=', owner_id)
    .executeTakeFirst()
  return row !== undefined
}
