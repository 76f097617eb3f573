import { type RawBuilder, sql } from 'kysely'
import type { SessionText } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { limits } from '@duet/protocol'
import type { AppContext, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import { wireTime } from '../../lib/clock.ts'
import { NEIGHBOURS_MAX, NEIGHBOURS_WITHIN_MINUTES } from '../../lib/text-mask.ts'
import type { FlagReason } from './rules/call-events.ts'
import type { Call, Side } from './rules/call.ts'
import { isBlockedPair } from '../blocks/index.ts'
import { toCall, toStoredCall, type CallRow } from './rows.ts'
import type { StoredCall } from './stored-call.ts'

export async function callById(db: Db, sessionId: number): Promise<StoredCall | undefined> {
  const row = await db
    .selectFrom('video_sessions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row && toStoredCall(row)
}

/** Many calls in one statement. */
export async function callsByIds(db: Db, sessionIds: readonly number[]): Promise<StoredCall[]> {
  const { rows } = await sql<CallRow>`
    select * from video_sessions where session_id = any (${sessionIds}::bigint[])`.execute(db)
  return rows.map(toStoredCall)
}

/** The open calls between two users if a user has blocked the other. */
export async function callsBetweenBlocked(db: Db): Promise<number[]> {
  const { rows } = await sql<{ session_id: number }>`
    select session_id from video_sessions
    where status <> 'closed' and ${isBlockedPair(sql.ref('guy_id'), sql.ref('girl_id'))}`.execute(
    db,
  )
  return rows.map(({ session_id }) => session_id)
}

/** The open call of a user, whichever server process owns it. */
export async function findOpenCall(db: Db, userId: UserId): Promise<StoredCall | undefined> {
  const row = await db
    .selectFrom('video_sessions')
    .selectAll()
    .where('status', '<>', 'closed')
    .where((or) => or.or([or('guy_id', '=', userId), or('girl_id', '=', userId)]))
    .executeTakeFirst()
  return row && toStoredCall(row)
}

/** Whether these two were the parties of a call. */
export async function hadCall(db: Db, sessionId: number, a: UserId, b: UserId): Promise<boolean> {
  const stored = await callById(db, sessionId)
  if (!stored) return false
  const { guy_id, girl_id } = stored.call
  return [a, b].every((id) => id === guy_id || id === girl_id)
}

/** The other party of a call that runs, or has ended since then. Undefined: there is no such call of the user. */
export async function partnerIn(
  db: Db,
  sessionId: number,
  userId: UserId,
  since: Temporal.Instant,
): Promise<UserId | undefined> {
  const stored = await callById(db, sessionId)
  if (!stored) return undefined
  const { guy_id, girl_id, closed_at } = stored.call
  if (closed_at !== null && Temporal.Instant.compare(closed_at, since) < 0) return undefined
  if (userId === guy_id) return girl_id
  return userId === girl_id ? guy_id : undefined
}

/** How a call began, and how it was when it ended. */
export async function callKinds(db: Db, sessionId: number): Promise<Pick<Call, 'kind' | 'state'>> {
  const stored = await callById(db, sessionId)
  assert(stored, 'a call is stored')
  const { kind, state } = stored.call
  return { kind, state }
}

/** A statement that the ledger joins to the balances: the posted units of the open calls of these users. */
export function getPostedUnits(ids: readonly UserId[]): RawBuilder<unknown> {
  const users = sql`any (${[...ids]}::bigint[])`
  return sql`
    select guy_id as user_id, session_id as process_id, -posted_his::bigint as posted
      from video_sessions where guy_id = ${users} and status <> 'closed'
    union all
    select girl_id, session_id, posted_hers::bigint
      from video_sessions where girl_id = ${users} and status <> 'closed'`
}

/** The last closed calls of a user, newest first. A role never changes, so one of the two columns is enough. */
export async function closedCalls(db: Db, of: ClosedCalls, limit: number): Promise<Call[]> {
  const rows = await selectClosedCalls(db, of, limit).execute()
  return rows.map(toCall)
}

interface ClosedCalls {
  readonly user_id: UserId
  readonly side: Side
  readonly above: number
  readonly below?: Pick<Call, 'session_id'> | undefined
}

/**
 * The statement of `closedCalls`. Pairs of values keep the database from reading the calls of all users by their keys, which
 * it does for a user with a large part of them.
 */
export function selectClosedCalls(
  db: Db,
  { user_id, side, above, below }: ClosedCalls,
  limit: number,
) {
  const place = sql`(${sql.ref(`${side}_id`)}, session_id)`
  const before = below?.session_id ?? Number.MAX_SAFE_INTEGER
  return db
    .selectFrom('video_sessions')
    .selectAll()
    .where(sql<boolean>`${place} > (${user_id}, ${above})`)
    .where(sql<boolean>`${place} < (${user_id}, ${before})`)
    .where('status', '=', 'closed')
    .orderBy(`${side}_id`, 'desc')
    .orderBy('session_id', 'desc')
    .limit(limit)
}

/** The end of the part of the history that the user has cleared. */
export interface ClearedHistory {
  readonly session_id: number
  readonly at: Temporal.Instant
}

export async function clearedHistory(db: Db, user_id: UserId): Promise<ClearedHistory> {
  const row = await db
    .selectFrom('cleared_histories')
    .select(['session_id', 'at'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row ?? { session_id: 0, at: Temporal.Instant.fromEpochMilliseconds(0) }
}

/** Texts are stored in the partition of the month in which their call was opened. */
export function openedAt(db: Db, sessionId: number) {
  return db.selectFrom('video_sessions').select('opened_at').where('session_id', '=', sessionId)
}

/** The last texts of a call, oldest first. */
export async function readTexts(db: Db, sessionId: number): Promise<SessionText[]> {
  const rows = await db
    .selectFrom('session_texts')
    .select(['text_id', 'id', 'sender_id', 'text', 'create_time'])
    .where('call_opened_at', '=', openedAt(db, sessionId))
    .where('session_id', '=', sessionId)
    .orderBy('text_id', 'desc')
    .limit(limits.session_texts)
    .execute()
  return rows.toReversed().map(({ create_time, ...row }) => ({
    ...row,
    session_id: sessionId,
    create_time: wireTime(create_time),
  }))
}

/** The texts that a user wrote shortly before in a call, as they were written, oldest first: a contact may be split over them. */
export async function recentTextsBy(
  tx: Tx,
  { session_id, sender_id }: { readonly session_id: number; readonly sender_id: UserId },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('session_texts')
    .select(({ fn }) => fn.coalesce('original', 'text').as('written'))
    .where('call_opened_at', '=', openedAt(tx, session_id))
    .where('session_id', '=', session_id)
    .where('sender_id', '=', sender_id)
    .where('create_time', '>', tx.now.subtract({ minutes: NEIGHBOURS_WITHIN_MINUTES }))
    .orderBy('text_id', 'desc')
    .limit(NEIGHBOURS_MAX)
    .execute()
  return rows.toReversed().map(({ written }) => written)
}

/** False while the guy's word does not count, because his reports contradicted those of too many partners. */
export async function isTrusted(db: Db, guyId: UserId, now: Temporal.Instant): Promise<boolean> {
  const row = await db
    .selectFrom('call_flags')
    .select('id')
    .where('user_id', '=', guyId)
    .where('until', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}

/** The reasons that calls give, and what followed from several of them. */
export type FlagName = FlagReason | 'untrusted' | 'repeated_losses'

/** With how many partners a user got such flags since then. */
export async function partnersOfFlags(
  db: Db,
  userId: UserId,
  about: FlagName,
  since: Temporal.Instant,
): Promise<number> {
  const { partners } = await db
    .selectFrom('call_flags')
    .select((row) => row.fn.count<number>('partner_id').distinct().as('partners'))
    .where('user_id', '=', userId)
    .where('about', '=', about)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(partners)
}

export interface FlaggedUser {
  readonly user_id: UserId
  readonly contradictions: number
  readonly never_reported: number
  readonly losses: number
  readonly partners: number
  readonly last_at: Temporal.Instant
  readonly untrusted_until: Temporal.Instant | null
}

/** The users with flags, the latest first. Lost sockets alone list a user only when there were several partners. */
export async function flaggedUsers(db: Db, limit: number): Promise<FlaggedUser[]> {
  const { rows } = await sql<FlaggedUser>`
    select user_id, count(*) filter (where about = 'contradiction')::integer as contradictions,
      count(*) filter (where about = 'never_reported')::integer as never_reported,
      count(*) filter (where about = 'loss')::integer as losses,
      count(distinct partner_id)::integer as partners, max(at) as last_at, max(until) as untrusted_until
    from call_flags group by user_id having bool_or(about <> 'loss') order by max(id) desc limit ${limit}`.execute(
    db,
  )
  return rows
}

const TALKED_DAYS = 30

/** The girls that a guy was connected with lately. A guy who talked with a girl does not ask to hear of her by that. */
export async function girlsTalkedWith(
  db: Db,
  { id, role }: { readonly id: UserId; readonly role: Role },
  { above, limit }: { readonly above: UserId; readonly limit: number },
  { clock }: AppContext,
): Promise<readonly UserId[]> {
  if (role !== 'guy') return []
  const rows = await db
    .selectFrom('video_sessions')
    .select('girl_id')
    .distinct()
    .where('guy_id', '=', id)
    .where('connected_at', '>', clock.now().subtract({ hours: 24 * TALKED_DAYS }))
    .where('girl_id', '>', above)
    .orderBy('girl_id')
    .limit(limit)
    .execute()
  return rows.map(({ girl_id }) => girl_id)
}

/** The text of a call as it is shown to its two users; undefined for everybody else. */
export async function textShownTo(
  db: Db,
  user_id: UserId,
  textId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('session_texts')
    .innerJoin('video_sessions', 'video_sessions.session_id', 'session_texts.session_id')
    .select('session_texts.text')
    .where('session_texts.text_id', '=', textId)
    .where((own) => own.or([own('guy_id', '=', user_id), own('girl_id', '=', user_id)]))
    .executeTakeFirst()
  return row?.text
}

/** The calls that count: older talks are not remembered. */
const LATEST_CALLS = 200

/** The girls of the longest talks in the latest calls of a guy, with the seconds. Shorter sums are left out. */
export async function longestTalks(
  db: Db,
  guy_id: UserId,
  secondsMin: number,
  limit: number,
): Promise<ReadonlyMap<UserId, number>> {
  const { rows } = await sql<{ girl_id: UserId; seconds: number }>`
    select girl_id, (sum(good_ms) / 1000)::integer as seconds from (
      select girl_id, good_ms from video_sessions
      where guy_id = ${guy_id} order by session_id desc limit ${LATEST_CALLS}::integer) latest
    group by girl_id having sum(good_ms) >= ${secondsMin * 1000}::integer
    order by seconds desc, girl_id limit ${limit}::integer`.execute(db)
  return new Map(rows.map(({ girl_id, seconds }) => [girl_id, seconds]))
}
