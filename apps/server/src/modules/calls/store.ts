import { type Insertable, sql } from 'kysely'
import type { SessionText } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { assert } from '../../lib/assert.ts'
import { plusMs, wireTime } from '../../lib/clock.ts'
import type { ProcessStamp, WrittenState } from '../../platform/process/process.ts'
import { isHeld } from '../privacy/index.ts'
import type { Call, Side } from './rules/call.ts'
import { tickRow } from './rules/decide.ts'
import { openedAt, type FlagName } from './queries.ts'
import { getJsonRow, toRow } from './rows.ts'
import type { StoredCall } from './stored-call.ts'

export async function nextSessionId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('video_session_ids') as id`.execute(tx)
  return rows[0]!.id
}

/** False if one of the two is in an open call already: a unique index for each side guarantees it. */
export async function insertCall(
  tx: Tx,
  stored: StoredCall,
  stamp: ProcessStamp,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('video_sessions')
    .values({ ...toRow(stored), ...stamp })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The runtime holds the lock of the row. A closed call stays closed, and an outdated fence writes nothing. */
export async function updateCall(
  tx: Tx,
  stored: StoredCall,
  { fence, version }: Pick<ProcessStamp, 'fence' | 'version'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('video_sessions')
    .set({ ...toRow(stored), version })
    .where('session_id', '=', stored.call.session_id)
    .where('fence', '=', fence)
    .where('status', '<>', 'closed')
    .executeTakeFirst()
  assert(numUpdatedRows === 1n, 'the row of an open call is updated by its owner')
}

/** The same for many calls in one statement; it writes all of them, or throws. */
export async function updateCalls(
  tx: Tx,
  written: readonly WrittenState<StoredCall>[],
): Promise<void> {
  const rows = written.map(({ state, fence, version }) => ({
    ...getJsonRow(state),
    fence,
    version,
  }))
  const columns = Object.keys(rows[0]!).filter((name) => name !== 'session_id' && name !== 'fence')
  const { numAffectedRows } = await sql`
    update video_sessions s
    set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`r.${name}`)}`))}
    from jsonb_populate_recordset(null::video_sessions, ${JSON.stringify(rows)}::jsonb) r
    where s.session_id = r.session_id and s.fence = r.fence and s.status <> 'closed'`.execute(tx)
  assert(
    numAffectedRows === BigInt(written.length),
    'the rows of open calls are updated by their owner',
  )
}

/** A wish for a break that comes later than this belongs to no call any more: she may have gone on since. */
const LATE_BREAK_MS = 60_000

/** The girl's wish for a break that came after the end of the call. A repeat or a late wish changes nothing. */
export async function setLateBreak(tx: Tx, session_id: number, girl_id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('video_sessions')
    .set({ break_set: true })
    .where('session_id', '=', session_id)
    .where('girl_id', '=', girl_id)
    .where('status', '=', 'closed')
    .where('break_set', '=', false)
    .where('closed_at', '>', plusMs(tx.now, -LATE_BREAK_MS))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export interface CountedCall {
  readonly call: Call
  /** Of the owner that counted: a server process that lost the call changes nothing. */
  readonly fence: number
}

/**
 * Stores what was counted for all calls in one statement. A late statement does not overwrite a newer row.
 * Returns the sessions of the changed rows.
 */
export async function storeTick(
  app: App,
  counted: readonly CountedCall[],
): Promise<ReadonlySet<number>> {
  if (counted.length === 0) return new Set()
  const rows = JSON.stringify(
    counted.map(({ call, fence }) => ({
      ...tickRow(call),
      fence,
      last_round_at: call.last_round_at?.toString() ?? null,
    })),
  )
  const { rows: stored } = await sql<{ session_id: number }>`
    update video_sessions s
    set good_ms = r.good_ms, free_used = r.free_used, quota_used = r.quota_used, paid_seconds = r.paid_seconds,
        phase = r.phase, last_round_at = r.last_round_at
    from jsonb_to_recordset(${rows}::jsonb) as r(session_id bigint, fence integer, good_ms integer, free_used integer, quota_used integer,
      paid_seconds integer, phase text, last_round_at timestamptz)
    where s.session_id = r.session_id and s.fence = r.fence and s.status <> 'closed' and s.good_ms < r.good_ms
    returning s.session_id`.execute(app.db)
  return new Set(stored.map(({ session_id }) => session_id))
}

export interface NewFlag {
  readonly session_id: number
  readonly user_id: UserId
  readonly partner_id: UserId
  readonly about: FlagName
  /** When a consequence ends. */
  readonly until?: Temporal.Instant
}

/** A row for staff, by which later calls of this user are judged too. */
export async function insertFlag(tx: Tx, flag: NewFlag): Promise<void> {
  await tx
    .insertInto('call_flags')
    .values({ ...flag, at: tx.now })
    .execute()
}

/** A device of a user was switched in a call. */
export async function insertMedia(
  tx: Tx,
  media: Omit<Insertable<Tables['call_media']>, 'at'>,
): Promise<void> {
  await tx
    .insertInto('call_media')
    .values({ ...media, at: tx.now })
    .execute()
}

export interface NewText {
  readonly session_id: number
  readonly sender_id: UserId
  /** The sender's own id for this text: sending it again returns the first answer. */
  readonly id: string
  readonly text: string
  /** The text before masking, if something was masked. */
  readonly original: string | null
}

type StoredText = Pick<SessionText, 'text_id' | 'id' | 'text' | 'create_time'>

/** Stores a text once for each id of the sender. A repeated id returns the first text. */
export async function insertText(
  tx: Tx,
  text: NewText,
): Promise<{ stored: StoredText; is_new: boolean }> {
  const call_opened_at = openedAt(tx, text.session_id)
  const inserted = await tx
    .insertInto('session_texts')
    .values({ ...text, call_opened_at, create_time: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'sender_id', 'id', 'call_opened_at']).doNothing(),
    )
    .returning(['text_id', 'id', 'text', 'create_time'])
    .executeTakeFirst()
  if (inserted)
    return { stored: { ...inserted, create_time: wireTime(inserted.create_time) }, is_new: true }
  const first = await tx
    .selectFrom('session_texts')
    .select(['text_id', 'id', 'text', 'create_time'])
    .where('call_opened_at', '=', call_opened_at)
    .where('session_id', '=', text.session_id)
    .where('sender_id', '=', text.sender_id)
    .where('id', '=', text.id)
    .executeTakeFirstOrThrow()
  return { stored: { ...first, create_time: wireTime(first.create_time) }, is_new: false }
}

export interface LogLine {
  readonly session_id: number
  readonly user_id: UserId
  readonly level: string
  readonly text: string
  readonly at: Temporal.Instant
}

/** On the pool and outside a transaction: nothing else depends on a log line. */
export async function insertLogLine(db: Db, line: LogLine): Promise<void> {
  await db.insertInto('session_logs').values(line).execute()
}

/**
 * Clears the unmasked originals of at most `limit` texts. If evidence of a user must be kept, the texts of
 * that user's calls stay. The masked texts always stay.
 */
export async function clearOriginals(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update session_texts set original = null from (
      select text_id, call_opened_at from session_texts written
      join video_sessions call on call.session_id = written.session_id
      where original is not null and create_time < ${before}
        and not (${isHeld('call.guy_id')} or ${isHeld('call.girl_id')})
      limit ${limit}) old
    where (session_texts.text_id, session_texts.call_opened_at) = (old.text_id, old.call_opened_at)`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

const TEXTS_PER_STEP = 500

/**
 * One step of an erasure: the texts of this user in calls. If the partner's data must be kept as evidence,
 * a text becomes an original, which its retention removes after the hold.
 */
export async function eraseTexts(tx: Tx, user_id: UserId): Promise<'more' | void> {
  const { rows } = await sql<{ text_id: number }>`
    with written as (
      select text_id, call_opened_at, ${isHeld('call.guy_id')} or ${isHeld('call.girl_id')} as is_held
      from session_texts join video_sessions call using (session_id)
      where sender_id = ${user_id} and text <> '' limit ${TEXTS_PER_STEP}
    ), deleted as (
      delete from session_texts using written where not is_held
        and (session_texts.text_id, session_texts.call_opened_at) = (written.text_id, written.call_opened_at)
    ), kept as (
      update session_texts set original = coalesce(original, text), text = '' from written where is_held
        and (session_texts.text_id, session_texts.call_opened_at) = (written.text_id, written.call_opened_at)
    )
    select text_id from written`.execute(tx)
  if (rows.length === TEXTS_PER_STEP) return 'more'
}

/** Clears the history of a user up to the last closed call and this moment. A later call stays. */
export async function clearHistory(tx: Tx, user_id: UserId, side: Side): Promise<void> {
  await sql`
    insert into cleared_histories (user_id, session_id, at)
    select ${user_id}, coalesce((
      select session_id from video_sessions
      where ${sql.ref(`${side}_id`)} = ${user_id} and status = 'closed' order by session_id desc limit 1), 0), ${tx.now}
    on conflict (user_id) do update set session_id = excluded.session_id, at = excluded.at`.execute(
    tx,
  )
}
