import { type Selectable, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'

export type TotalRow = Selectable<Tables['referral_totals']>

export function readTotals(db: Db, inviter_id: UserId): Promise<TotalRow[]> {
  return db.selectFrom('referral_totals').selectAll().where('inviter_id', '=', inviter_id).execute()
}

export async function heldSum(db: Db, inviter_id: UserId): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount - taken_back), 0)::text as sum from referral_shares
    where inviter_id = ${inviter_id} and state = 'held'`.execute(db)
  return BigInt(rows[0]!.sum)
}

/** The newest shares of an inviter, with the names of the invited. */
export function readShares(db: Db, inviter_id: UserId, limit: number) {
  return db
    .selectFrom('referral_shares')
    .innerJoin('users', 'users.id', 'referral_shares.invited_id')
    .select(['share_id', 'what', 'asset', 'amount', 'taken_back', 'state', 'due_at'])
    .select('referral_shares.created_at')
    .select(['users.nick', 'users.role'])
    .where('inviter_id', '=', inviter_id)
    .where('state', '!=', 'flagged')
    .orderBy('share_id', 'desc')
    .limit(limit)
    .execute()
}

export function dueShares(db: Db, now: Temporal.Instant, limit: number) {
  return db
    .selectFrom('referral_shares')
    .select('share_id')
    .where('state', '=', 'held')
    .where('due_at', '<=', now)
    .orderBy('due_at')
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
    join users guy on guy.id = girl.referred_by and guy.role = 'guy'
    where not earned.has_bonus and earned.units >= ${units}
    order by girl.id limit ${limit}`.execute(db)
  return rows
}
