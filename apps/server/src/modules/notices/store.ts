import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { jsonb } from '../../platform/database/values.ts'
import type { NoticeFacts, SentNoticeKind } from './kinds.ts'

interface NewRow {
  readonly user_id: UserId
  readonly kind: SentNoticeKind
  readonly about_id: UserId | null
  readonly facts: NoticeFacts
  readonly key: string | null
  /** No digest mentions the notice: it has a separate mail, or no mail. */
  readonly is_settled: boolean
}

/** Undefined if the user has a notice for this key. */
export async function insertNotice(
  tx: Tx,
  { user_id, kind, about_id, facts, key, is_settled }: NewRow,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('notices')
    .values({
      user_id,
      kind,
      about_id,
      key,
      at: tx.now,
      facts: jsonb(facts),
      mailed_at: is_settled ? tx.now : null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).where('key', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

interface PresenceNotices {
  readonly kind: SentNoticeKind
  readonly about_id: UserId
  readonly user_ids: readonly UserId[]
  readonly since: Temporal.Instant
}

/**
 * Writes a notice about a user for each of these users without a notice about that user since a time.
 * Returns the written notices.
 */
export async function insertPresenceNotices(
  tx: Tx,
  { kind, about_id, user_ids, since }: PresenceNotices,
): Promise<{ id: number; user_id: UserId }[]> {
  const { rows } = await sql<{ id: number; user_id: UserId }>`
    insert into notices (user_id, kind, about_id, facts, at, mailed_at)
    select wanted.user_id, ${kind}, ${about_id}, '{}', ${tx.now}, ${tx.now}
    from unnest(${[...user_ids]}::bigint[]) as wanted (user_id)
    where not exists (
      select from notices former
      where former.user_id = wanted.user_id and former.about_id = ${about_id} and former.kind = ${kind} and former.at > ${since})
    order by wanted.user_id
    returning id, user_id`.execute(tx)
  return rows
}

/** Marks these notices of the user as read, or all; returns those that were unread. */
export async function markRead(
  tx: Tx,
  user_id: UserId,
  ids: readonly number[] | undefined,
): Promise<number> {
  if (ids?.length === 0) return 0
  const unread = tx
    .updateTable('notices')
    .set({ read_at: tx.now })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
  const { numUpdatedRows } = await (
    ids === undefined ? unread : unread.where('id', 'in', [...ids])
  ).executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** No further digest mentions these. */
export async function settleDigest(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ mailed_at: tx.now })
    .where('id', 'in', [...ids])
    .execute()
}

/** Stores a wish; beyond `most` the oldest wishes of the guy end. */
export async function addWanted(
  tx: Tx,
  guy_id: UserId,
  girl_id: UserId,
  most: number,
): Promise<void> {
  await tx
    .insertInto('wanted_girls')
    .values({ guy_id, girl_id, at: tx.now })
    .onConflict((conflict) => conflict.columns(['guy_id', 'girl_id']).doUpdateSet({ at: tx.now }))
    .execute()
  await sql`
    delete from wanted_girls where (guy_id, girl_id) in (
      select guy_id, girl_id from wanted_girls where guy_id = ${guy_id} order by at desc, girl_id desc offset ${most})`.execute(
    tx,
  )
}

export async function removeWanted(tx: Tx, guy_id: UserId, girl_id: UserId): Promise<void> {
  await tx
    .deleteFrom('wanted_girls')
    .where('guy_id', '=', guy_id)
    .where('girl_id', '=', girl_id)
    .execute()
}

/** Begins to notify others of these users, except of those who arrived after `since`. */
export async function openArrivals(
  tx: Tx,
  user_ids: readonly UserId[],
  since: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into arrivals (user_id, arrived_at, above, turn_at)
    select user_id, ${tx.now}, 0, ${tx.now} from unnest(${[...user_ids]}::bigint[]) as online (user_id) order by user_id
    on conflict (user_id) do update set arrived_at = excluded.arrived_at, above = 0, turn_at = excluded.turn_at
    where arrivals.arrived_at <= ${since}`.execute(tx)
}

/** A user who came online; those with ids above `above` have not been notified yet. */
export interface Arrival {
  readonly user_id: UserId
  readonly above: UserId
}

/** The open arrival whose turn it is, except of some users, locked until the transaction ends. */
export async function claimArrival(
  tx: Tx,
  except: readonly UserId[],
): Promise<Arrival | undefined> {
  const row = await tx
    .selectFrom('arrivals')
    .select(['user_id', 'above'])
    .where('above', 'is not', null)
    .$if(except.length > 0, (query) => query.where('user_id', 'not in', [...except]))
    .orderBy('turn_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && { user_id: row.user_id, above: row.above! }
}

/** An arrival of which no user was notified: when the user comes back, it begins again. */
export async function dropArrival(tx: Tx, user_id: UserId): Promise<void> {
  await tx.deleteFrom('arrivals').where('user_id', '=', user_id).execute()
}

/** `above` null: all have been notified. */
export async function continueArrival(
  tx: Tx,
  user_id: UserId,
  above: UserId | null,
): Promise<void> {
  await tx
    .updateTable('arrivals')
    .set({ above, turn_at: tx.now })
    .where('user_id', '=', user_id)
    .execute()
}
