import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { fromDecimal } from '../../lib/money.ts'
import { userById } from '../identity/index.ts'
import { notifyBalance, transfer } from '../ledger/index.ts'
import { setting } from '../settings/index.ts'
import { findFlag } from './find-flag.ts'
import { bonusGirls, type DueShare, dueShares } from './queries.ts'
import { kindOfInvited } from './rules.ts'
import * as store from './store.ts'

const AT_ONCE = 100

/** Pays the shares whose time is over. The shares of an inviter are paid together, and each is paid once. */
export async function payShares(app: App): Promise<void> {
  await addBonuses(app)
  const now = app.clock.now()
  let after: DueShare | undefined
  for (;;) {
    const due = await dueShares(app.db, { now, after, limit: AT_ONCE })
    for (const [inviter_id, shares] of Map.groupBy(due, (share) => share.inviter_id))
      await payTogether(app, inviter_id, shares)
    if (due.length < AT_ONCE) return
    after = due.at(-1)
  }
}

/** The shares of one inviter that cannot be paid do not keep back those of the others: the next run tries them again. */
async function payTogether(
  app: App,
  inviter_id: UserId,
  shares: readonly DueShare[],
): Promise<void> {
  const ids = shares.map(({ share_id }) => share_id)
  try {
    await app.transact((tx) => payInviter(tx, inviter_id, ids))
  } catch (error) {
    app.log.error({ err: error, inviter_id }, 'the shares of an inviter could not be paid')
  }
}

async function payInviter(tx: Tx, inviter_id: UserId, ids: readonly number[]): Promise<void> {
  const shares = await store.lockHeld(tx, ids)
  const [first] = shares
  if (!first) return
  if ((await userById(tx, inviter_id))?.erased_at) {
    for (const { share_id } of shares) await store.changeShare(tx, share_id, { state: 'lapsed' })
    return
  }
  const owing = await store.lockOwed(tx, inviter_id)
  let amount = 0n
  for (const share of shares) amount += await payShare(tx, share, owing)
  if (amount === 0n) return
  await notifyBalance(tx, inviter_id, 'referral')
  await tx.publish('balance_added', {
    user_id: inviter_id,
    asset: first.asset as 'coin' | 'diamond',
    amount,
    reason: 'referral',
    key: `referral:${first.share_id}`,
    by: 'operator',
  })
}

/** Pays a locked share, less what the inviter owes. Returns what was paid. */
async function payShare(tx: Tx, share: store.ShareRow, owing: store.ShareRow[]): Promise<bigint> {
  const { share_id, inviter_id, invited_id } = share
  // Since the share was written the two may have shown that they are one user.
  const flag = share.released_at ? null : await findFlag(tx, inviter_id, invited_id)
  if (flag) {
    await store.changeShare(tx, share_id, { state: 'flagged', flag })
    return 0n
  }
  const whole = share.amount - share.taken_back
  const amount = whole - (await settleOwed(tx, owing, whole))
  await store.changeShare(tx, share_id, { state: 'paid', paid_at: tx.now })
  await store.addTotal(tx, { inviter_id, kind: kindOfInvited(share.what) }, { earned: whole })
  if (amount > 0n)
    await transfer(tx, {
      key: `referral:${share_id}`,
      asset: share.asset as 'coin' | 'diamond',
      from: { house: 'referral' },
      to: { user_id: inviter_id },
      amount,
      what: 'referral',
      cause: { kind: 'referral', id: share_id },
    })
  return amount
}

/** Takes what former shares owe from a share of this amount. Returns what was taken. */
async function settleOwed(tx: Tx, owing: store.ShareRow[], amount: bigint): Promise<bigint> {
  let taken = 0n
  for (const [index, former] of owing.entries()) {
    const part = former.owed < amount - taken ? former.owed : amount - taken
    if (part === 0n) continue
    const owed = former.owed - part
    await store.changeShare(tx, former.share_id, { owed })
    owing[index] = { ...former, owed }
    taken += part
  }
  return taken
}

/** The minutes of a guy whose invited girl is verified and has earned enough, once for each girl. */
async function addBonuses(app: App): Promise<void> {
  const amount = fromDecimal('diamond', setting(app, 'referral_bonus'))
  const units = fromDecimal('coin', setting(app, 'referral_bonus_at'))
  for (;;) {
    const girls = await bonusGirls(app.db, units, AT_ONCE)
    for (const { girl_id, inviter_id } of girls)
      await app.transact(async (tx) => {
        const hold = { hours: 24 * setting(app, 'referral_hold_days') }
        const flag = await findFlag(tx, inviter_id, girl_id)
        await store.insertShare(tx, {
          inviter_id,
          invited_id: girl_id,
          what: 'verified_earned',
          asset: 'diamond',
          amount,
          flag,
          state: flag ? 'flagged' : 'held',
          due_at: tx.now.add(hold),
        })
        await store.endEarnings(tx, girl_id)
      })
    if (girls.length < AT_ONCE) return
  }
}
