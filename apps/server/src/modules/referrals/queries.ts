import { type Selectable, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'

export type TotalRow = Selectable<Tables['referral_totals']>
export type DueShare = Pick<
  Selectable<Tables['referral_shares']>,
  'share_id' | 'inviter_id' | 'due_at'
>

export function readTotals(db: Db, inviter_id: UserId): Promise<TotalRow[]> {
  return db.selectFrom('referral_totals').selectAll().where('inviter_id', '=', inviter_id).execute()
}

export async function heldSum(db: Db, inviter_id: UserId): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount - taken_back), 0)::text as sum from referral_shares
    where inviter_id = ${inviter_id} and state = 'held'`.execute(db)
  return BigInt(rows[0]!.sum)
}

/** The part of paid shares that was given back and that the balance did not cover. */
export async function owedSum(db: Db, inviter_id: UserId): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(owed), 0)::text as sum from referral_shares
    where inviter_id = ${inviter_id} and owed > 0`.execute(db)
  return BigInt(rows[0]!.sum)
}

export function readFlagged(db: Db, limit: number) {
  return db
    .selectFrom('referral_shares')
    .select(['share_id', 'inviter_id', 'invited_id', 'flag', 'asset', 'amount'])
    .where('state', '=', 'flagged')
    .orderBy('share_id')
    .limit(limit)
    .execute()
}

/** The newest shares of an inviter, as staff see them. */
export function readSharesForStaff(db: Db, inviter_id: UserId, limit: number) {
  return db
    .selectFrom('referral_shares')
    .select(['share_id', 'invited_id', 'what', 'order_id', 'state', 'flag', 'release_comment'])
    .select(['amount', 'taken_back', 'owed', 'created_at', 'due_at'])
    .where('inviter_id', '=', inviter_id)
    .orderBy('share_id', 'desc')
    .limit(limit)
    .execute()
}

/** The newest shares of an inviter, with the names of the invited. */
export function readShares(db: Db, inviter_id: UserId, limit: number) {
  return db
    .selectFrom('referral_shares')
    .innerJoin('users', 'users.id', 'referral_shares.invited_id')
    .select(['share_id', 'what', 'amount', 'taken_back', 'state', 'due_at'])
    .select(['referral_shares.created_at', 'users.nick'])
    .where('inviter_id', '=', inviter_id)
    .where('state', 'in', ['held', 'paid'])
    .orderBy('share_id', 'desc')
    .limit(limit)
    .execute()
}

/** A page of the held shares whose time is over. A share that cannot be paid does not keep the next page. */
export function dueShares(
  db: Db,
  { now, after, limit }: { now: Temporal.Instant; after: DueShare | undefined; limit: number },
): Promise<DueShare[]> {
  return db
    .selectFrom('referral_shares')
    .select(['share_id', 'inviter_id', 'due_at'])
    .where('state', '=', 'held')
    .where('due_at', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(due_at, share_id) > (${after!.due_at}, ${after!.share_id})`),
    )
    .orderBy('due_at')
    .orderBy('share_id')
    .limit(limit)
    .execute()
}

/** The newest users who registered with the code of an inviter. */
export function readRegistered(db: Db, inviter_id: UserId, limit: number) {
  return db
    .selectFrom('users')
    .select(['nick', 'role', 'registered_at'])
    .where('referred_by', '=', inviter_id)
    .where('role', 'is not', null)
    .orderBy('registered_at', 'desc')
    .limit(limit)
    .execute()
}

/** Verified girls, invited by guys, who have earned the amount of the bonus and brought none yet. */
export async function bonusGirls(
  db: Db,
  units: bigint,
  limit: number,
): Promise<{ girl_id: UserId; inviter_id: UserId }[]> {
  const { rows } = await sql<{ girl_id: UserId; inviter_id: UserId }>`
    select girl.id as girl_id, guy.id as inviter_id from referred_earnings earned
    join users girl on girl.id = earned.girl_id and girl.verified_at is not null
    join users guy on guy.id = girl.referred_by and guy.role = 'guy' and guy.erased_at is null
    where not earned.has_bonus and earned.units >= ${units}
    order by girl.id limit ${limit}`.execute(db)
  return rows
}
