import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { productDay } from '../../lib/clock.ts'
import { unitsOf } from '../../lib/money.ts'
import { cachedUser, isPremium, userById, type UserRow } from '../identity/index.ts'
import { lockAffordable, notifyBalance, transfer } from '../ledger/index.ts'
import { setting } from '../settings/index.ts'
import { findFlag } from './find-flag.ts'
import { coinsOfPurchase, percentage, partTakenBack } from './rules.ts'
import * as store from './store.ts'

function dueAt(tx: Tx): Temporal.Instant {
  return tx.now.add({ hours: 24 * setting(tx.app, 'referral_hold_days') })
}

export async function countRegistered(
  tx: Tx,
  { user_id, role }: DomainEvents['registered'],
): Promise<void> {
  const user = await userById(tx, user_id)
  if (user?.referred_by == null || user.referred_by === user_id) return
  await store.addTotal(tx, { inviter_id: user.referred_by, kind: role }, { registered: 1 })
}

/** The share of the inviter in a purchase: coins for a girl, minutes for a guy. */
export async function sharePurchase(
  tx: Tx,
  purchase: DomainEvents['purchase_paid'],
): Promise<void> {
  const pair = await findInviter(tx, purchase.user_id)
  if (!pair) return
  const { inviter, invited } = pair
  const asset = inviter.role === 'girl' ? 'coin' : 'diamond'
  const amount =
    asset === 'coin'
      ? coinsOfPurchase(purchase.price_usd, {
          percent: setting(tx.app, 'referral_guest'),
          coin_rate: setting(tx.app, 'coin_rate'),
        })
      : minutesShare(tx, purchase)
  const of = { inviter_id: inviter.id, kind: 'guy' as const }
  await store.addTotal(tx, of, { bought: 1 })
  if (amount === 0n) return
  const flag = await findFlag(tx, inviter.id, invited.id)
  await store.insertShare(tx, {
    inviter_id: inviter.id,
    invited_id: invited.id,
    what: 'purchase',
    order_id: purchase.order_id,
    asset,
    amount,
    flag,
    state: flag ? 'flagged' : 'held',
    due_at: dueAt(tx),
  })
}

function minutesShare(tx: Tx, { pack, value }: DomainEvents['purchase_paid']): bigint {
  if (pack !== 'minutes') return 0n
  return percentage(BigInt(value) * unitsOf.diamond, setting(tx.app, 'referral_guy'))
}

async function findInviter(
  tx: Tx,
  invited_id: UserId,
): Promise<{ inviter: UserRow; invited: UserRow } | undefined> {
  const invited = await userById(tx, invited_id)
  if (invited?.referred_by == null || invited.referred_by === invited_id) return undefined
  const inviter = await userById(tx, invited.referred_by)
  return inviter?.role && !inviter.erased_at ? { inviter, invited } : undefined
}

/** A held share becomes smaller. A paid share is taken back from the balance, and the rest is owed. */
export async function correctShare(
  tx: Tx,
  { order_id, price_usd, returned_usd }: DomainEvents['purchase_returned'],
): Promise<void> {
  const share = await store.lockShareOfOrder(tx, order_id)
  if (!share) return
  const taken_back = partTakenBack(share.amount, { price_usd, returned_usd })
  const more = taken_back - share.taken_back
  if (more <= 0n) return
  if (share.state !== 'paid') return store.changeShare(tx, share.share_id, { taken_back })
  const taken = await takePaid(tx, share, more)
  await store.changeShare(tx, share.share_id, { taken_back, owed: share.owed + more - taken })
  await store.addTotal(tx, { inviter_id: share.inviter_id, kind: 'guy' }, { earned: -more })
}

/** Takes up to this amount of a paid share from the balance of the inviter. Returns what was taken. */
async function takePaid(tx: Tx, share: store.ShareRow, most: bigint): Promise<bigint> {
  const { share_id, inviter_id } = share
  const asset = share.asset as 'coin' | 'diamond'
  if ((await userById(tx, inviter_id))?.erased_at) return 0n
  const there = await lockAffordable(tx, inviter_id, asset)
  const amount = there < most ? there : most
  if (amount <= 0n) return 0n
  await transfer(tx, {
    key: `referral:${share_id}:back:${share.taken_back + most}`,
    asset,
    from: { user_id: inviter_id },
    to: { house: 'referral' },
    amount,
    what: 'referral',
    cause: { kind: 'referral', id: share_id },
  })
  await notifyBalance(tx, inviter_id, 'refund')
  return amount
}

/** The share of the inviter in what an invited girl earns from a guy with Premium, and the way to a guy's bonus. */
export async function shareEarnings(
  tx: Tx,
  { girl_id, guy_id, units }: DomainEvents['girl_earned'],
): Promise<void> {
  const girl = await cachedUser(tx.app, tx, girl_id)
  if (girl?.referred_by == null || girl.referred_by === girl_id) return
  const inviter = await cachedUser(tx.app, tx, girl.referred_by)
  if (!inviter?.role || inviter.erased_at) return
  if (inviter.role === 'guy') return store.addEarnings(tx, girl_id, units)
  const guy = await cachedUser(tx.app, tx, guy_id)
  if (!guy || !isPremium(guy, tx.now)) return
  const amount = percentage(units, setting(tx.app, 'referral_model'))
  if (amount === 0n) return
  const day = productDay(tx.now).toString()
  const of = { inviter_id: inviter.id, invited_id: girl_id, day }
  await store.addToDay(tx, of, { amount, due_at: dueAt(tx) })
}
