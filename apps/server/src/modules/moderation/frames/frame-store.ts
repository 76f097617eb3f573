import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { isHeldSince } from '../../privacy/index.ts'
import { isContestable, OF_COMPLAINT } from '../appeals/appeal-store.ts'
import { SCORES_MAX } from './frame-rules.ts'

export type FrameRow = Selectable<Tables['call_frames']>

/** A frame as it was asked for. */
export interface AskedFrame {
  readonly girl_id: UserId
  readonly session_id: number
  readonly asked_at: Temporal.Instant
}

export async function hasFrame(db: Db, { session_id, asked_at }: AskedFrame): Promise<boolean> {
  const row = await db
    .selectFrom('call_frames')
    .select('frame_id')
    .where('session_id', '=', session_id)
    .where('asked_at', '=', asked_at)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an earlier frame of the call is the same picture. */
export async function isRepeated(
  db: Db,
  { session_id, sha256 }: Pick<FrameRow, 'session_id' | 'sha256'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('call_frames')
    .select('frame_id')
    .where('session_id', '=', session_id)
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** False: this request has its frame already. */
export async function insertFrame(tx: Tx, frame: Omit<FrameRow, 'at'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('call_frames')
    .values({ ...frame, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteFrame(tx: Tx, frame_id: string): Promise<void> {
  await tx.deleteFrom('call_frames').where('frame_id', '=', frame_id).execute()
}

/** The scores of the latest judged frames of a call, the newest first. */
export async function latestScores(db: Db, session_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('call_frames')
    .select('nudity')
    .where('session_id', '=', session_id)
    .where('nudity', 'is not', null)
    .orderBy('asked_at', 'desc')
    .limit(SCORES_MAX)
    .execute()
  return rows.map(({ nudity }) => nudity!)
}

/** The kinds of the findings of a call. */
export async function findingKinds(db: Db, session_id: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('frame_findings')
    .select('kind')
    .where('session_id', '=', session_id)
    .execute()
  return new Set(rows.map(({ kind }) => kind))
}

export async function insertFinding(
  tx: Tx,
  finding: Omit<Insertable<Tables['frame_findings']>, 'at'>,
): Promise<void> {
  await tx
    .insertInto('frame_findings')
    .values({ ...finding, at: tx.now })
    .execute()
}

/** Records once a call that its frames were missing. */
export async function insertMissing(
  tx: Tx,
  missing: Omit<Insertable<Tables['missing_frames']>, 'at'>,
): Promise<void> {
  await tx
    .insertInto('missing_frames')
    .values({ ...missing, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export function framesOfCall(db: Db, session_id: number, limit: number): Promise<FrameRow[]> {
  return db
    .selectFrom('call_frames')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .execute()
}

/** The latest frames of the camera of a girl, whatever the call. */
export function latestFrames(db: Db, girl_id: UserId, limit: number): Promise<FrameRow[]> {
  return db
    .selectFrom('call_frames')
    .selectAll()
    .where('girl_id', '=', girl_id)
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .execute()
}

/** A page of all frames of a user, by their ids. */
export function framesShowing(
  db: Db,
  girl_id: UserId,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<Pick<FrameRow, 'frame_id' | 'session_id' | 'sha256'>[]> {
  return db
    .selectFrom('call_frames')
    .select(['frame_id', 'session_id', 'sha256'])
    .where('girl_id', '=', girl_id)
    .$if(after !== undefined, (query) => query.where('frame_id', '>', after!))
    .orderBy('frame_id')
    .limit(limit)
    .execute()
}

export function frameById(db: Db, frame_id: string): Promise<FrameRow | undefined> {
  return db
    .selectFrom('call_frames')
    .selectAll()
    .where('frame_id', '=', frame_id)
    .executeTakeFirst()
}

/** The frames of a call that an automatic check acted on. */
export async function flaggedFrames(db: Db, session_id: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('frame_findings')
    .select('frame_id')
    .where('session_id', '=', session_id)
    .execute()
  return new Set(rows.map(({ frame_id }) => frame_id))
}

/** The newest findings of all calls. */
export function newestFindings(
  db: Db,
  limit: number,
): Promise<Selectable<Tables['frame_findings']>[]> {
  return db.selectFrom('frame_findings').selectAll().orderBy('at', 'desc').limit(limit).execute()
}

/** The newest calls whose frames were missing. */
export function newestMissing(
  db: Db,
  limit: number,
): Promise<Selectable<Tables['missing_frames']>[]> {
  return db.selectFrom('missing_frames').selectAll().orderBy('at', 'desc').limit(limit).execute()
}

export async function recordFrameView(tx: Tx, session_id: number, viewer: string): Promise<void> {
  await tx.insertInto('frame_views').values({ session_id, viewer, at: tx.now }).execute()
}

/**
 * The frames of an open case stay: a finding names the frame, or a complaint about the call, or an absence or nudity
 * in it, waits or was decided since.
 */
function isInCase(before: Temporal.Instant) {
  return sql<boolean>`(
    exists (select from frame_findings finding where finding.frame_id = frame.frame_id)
    or exists (select from findings where findings.session_id = frame.session_id and findings.kind in ('absence', 'nudity')
      and (findings.decided_at is null or findings.decided_at >= ${before}))
    or exists (select from complaints complaint where complaint.session_id = frame.session_id
      and (complaint.decided_at is null or complaint.decided_at >= ${before})))`
}

interface FrameTimes {
  readonly from: Temporal.Instant
  readonly before: Temporal.Instant
}

/**
 * Deletes the oldest rows of frames from this time that are in no open case, and that no hold keeps and no appeal may need. A
 * hold keeps what there was when it was placed: a user under it may go on for years. Returns the ids and the time of the last.
 */
export async function deleteAgedFrames(
  tx: Tx,
  { from, before }: FrameTimes,
  limit: number,
): Promise<{ readonly ids: string[]; readonly last: Temporal.Instant }> {
  const { rows } = await sql<{ frame_id: string; at: Temporal.Instant }>`
    delete from call_frames where frame_id = any(array(
      select frame_id from call_frames frame where at >= ${from} and at < ${before} and not ${isInCase(before)}
        and not ${isHeldSince('frame.girl_id', 'frame.at')} and not exists (select from complaints complaint
          where complaint.session_id = frame.session_id and ${isContestable(tx, OF_COMPLAINT)})
        and not ${isContestable(tx, sql`statement.session_id = frame.session_id and not statement.automatic`)}
      order by at limit ${limit}))
    returning frame_id, at`.execute(tx)
  const last = rows.reduce(
    (time, { at }) => (Temporal.Instant.compare(at, time) > 0 ? at : time),
    from,
  )
  return { ids: rows.map(({ frame_id }) => frame_id), last }
}

/** The same for every frame of a user whose account is erased. */
export async function deleteFramesShowing(tx: Tx, girl_id: UserId): Promise<string[]> {
  const { rows } = await sql<{ frame_id: string }>`
    delete from call_frames frame where girl_id = ${girl_id} and not ${isInCase(tx.now)}
    returning frame_id`.execute(tx)
  return rows.map(({ frame_id }) => frame_id)
}

/** Of the newest frames: how many no model judged. */
export async function countUnjudged(
  db: Db,
  newest: number,
): Promise<{ frames: number; unjudged: number }> {
  const { rows } = await sql<{ frames: number; unjudged: number }>`
    select count(*)::integer as frames, (count(*) filter (where nudity is null))::integer as unjudged
    from (select nudity from call_frames order by at desc limit ${newest}) newest`.execute(db)
  return rows[0]!
}
