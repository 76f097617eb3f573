import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { inKeys } from '../../platform/database/statements/batched-read.ts'

export type ShareRow = Selectable<Tables['referral_shares']>

type NewShare = Omit<Insertable<Tables['referral_shares']>, 'created_at'>

/** False: the order, the day or the bonus has its share already. */
export async function insertShare(tx: Tx, share: NewShare): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('referral_shares')
    .values({ ...share, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Adds to the share of a day, which is one row however often she earns. */
export async function addToDay(
  tx: Tx,
  share: { readonly inviter_id: UserId; readonly invited_id: UserId; readonly day: string },
  { amount, due_at }: { readonly amount: bigint; readonly due_at: Temporal.Instant },
): Promise<void> {
  const { inviter_id, invited_id, day } = share
  await sql`
    insert into referral_shares as share
      (inviter_id, invited_id, what, day, asset, amount, state, created_at, due_at)
    values (${inviter_id}, ${invited_id}, 'premium_earnings', ${day}::date, 'coin', ${amount}, 'held', ${tx.now}, ${due_at})
    on conflict (invited_id, day) where day is not null do update set amount = share.amount + excluded.amount
    where share.state <> 'paid'`.execute(tx)
}

/** The earnings of an invited girl, after this addition. */
export async function addEarnings(tx: Tx, girl_id: UserId, units: bigint): Promise<void> {
  await sql`
    insert into referred_earnings as sum (girl_id, units) values (${girl_id}, ${units})
    on conflict (girl_id) do update set units = sum.units + excluded.units
    where not sum.has_bonus`.execute(tx)
}

/** The bonus of this girl was given. */
export async function endEarnings(tx: Tx, girl_id: UserId): Promise<void> {
  await tx
    .updateTable('referred_earnings')
    .set({ has_bonus: true })
    .where('girl_id', '=', girl_id)
    .execute()
}

export async function addTotal(
  tx: Tx,
  of: { readonly inviter_id: UserId; readonly kind: Role },
  more: {
    readonly invited?: number
    readonly registered?: number
    readonly bought?: number
    readonly earned?: bigint
  },
): Promise<void> {
  const { inviter_id, kind } = of
  const { invited = 0, registered = 0, bought = 0, earned = 0n } = more
  await sql`
    insert into referral_totals as total (inviter_id, kind, invited, registered, bought, earned)
    values (${inviter_id}, ${kind}, ${invited}, ${registered}, ${bought}, ${earned})
    on conflict (inviter_id, kind) do update set invited = total.invited + excluded.invited, registered = total.registered + excluded.registered,
      bought = total.bought + excluded.bought, earned = total.earned + excluded.earned`.execute(tx)
}

/** Locked in one order, so that two payments do not deadlock. */
export function lockHeld(tx: Tx, shares: readonly number[]): Promise<ShareRow[]> {
  return tx
    .selectFrom('referral_shares')
    .selectAll()
    .where('share_id', '=', inKeys(shares))
    .where('state', '=', 'held')
    .orderBy('share_id')
    .forUpdate()
    .execute()
}

export function lockShare(tx: Tx, share_id: number): Promise<ShareRow | undefined> {
  return tx
    .selectFrom('referral_shares')
    .selectAll()
    .where('share_id', '=', share_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The shares of these two that wait for staff, locked, the oldest first. */
export function lockFlagged(tx: Tx, inviter_id: UserId, invited_id: UserId): Promise<ShareRow[]> {
  return tx
    .selectFrom('referral_shares')
    .selectAll()
    .where('inviter_id', '=', inviter_id)
    .where('invited_id', '=', invited_id)
    .where('state', '=', 'flagged')
    .orderBy('share_id')
    .forUpdate()
    .execute()
}

export function lockShareOfOrder(tx: Tx, order_id: number): Promise<ShareRow | undefined> {
  return tx
    .selectFrom('referral_shares')
    .selectAll()
    .where('order_id', '=', order_id)
    .forUpdate()
    .executeTakeFirst()
}

export async function changeShare(
  tx: Tx,
  share_id: number,
  change: Partial<
    Pick<
      ShareRow,
      'state' | 'flag' | 'taken_back' | 'owed' | 'paid_at' | 'released_at' | 'release_comment'
    >
  >,
): Promise<void> {
  await tx
    .updateTable('referral_shares')
    .set(change)
    .where('share_id', '=', share_id)
    .executeTakeFirstOrThrow()
}

/** The shares of an inviter that were paid and then taken back, locked, the oldest first. */
export function lockOwed(tx: Tx, inviter_id: UserId): Promise<ShareRow[]> {
  return tx
    .selectFrom('referral_shares')
    .selectAll()
    .where('inviter_id', '=', inviter_id)
    .where('owed', '>', 0n)
    .orderBy('share_id')
    .limit(100)
    .forUpdate()
    .execute()
}

/** False: this visitor has counted for this inviter. */
export async function insertVisit(tx: Tx, inviter_id: UserId, visitor: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('referral_visits')
    .values({ inviter_id, visitor, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
