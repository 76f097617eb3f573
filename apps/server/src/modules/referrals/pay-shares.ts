import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { fromDecimal } from '../../lib/money.ts'
import { notifyBalance, transfer } from '../ledger/index.ts'
import { setting } from '../settings/index.ts'
import { bonusGirls, dueShares } from './queries.ts'
import * as store from './store.ts'

const AT_ONCE = 100

/** Pays the shares whose time is over. Each share is a transaction of its own, and is paid once. */
export async function payShares(app: App): Promise<void> {
  await addBonuses(app)
  for (;;) {
    const due = await dueShares(app.db, app.clock.now(), AT_ONCE)
    for (const { share_id } of due) await app.transact((tx) => payShare(tx, share_id))
    if (due.length < AT_ONCE) return
  }
}

async function payShare(tx: Tx, share_id: number): Promise<void> {
  const share = await store.lockShare(tx, share_id)
  if (share?.state !== 'held') return
  const { inviter_id, asset } = share
  const whole = share.amount - share.taken_back
  const amount = whole - (await settleOwed(tx, inviter_id, asset, whole))
  await store.changeShare(tx, share_id, { state: 'paid', paid_at: tx.now })
  const kind = share.what === 'purchase' ? ('guy' as const) : ('girl' as const)
  await store.addTotal(tx, { inviter_id, kind }, { earned: whole })
  if (amount === 0n) return
  await transfer(tx, {
    key: `referral:${share_id}`,
    asset: asset as 'coin' | 'diamond',
    from: { house: 'referral' },
    to: { user_id: inviter_id },
    amount,
    what: 'referral',
    cause: { kind: 'referral', id: share_id },
  })
  await notifyBalance(tx, inviter_id, 'referral')
}

/** Takes what former shares owe from a share of this amount. Returns what was taken. */
async function settleOwed(
  tx: Tx,
  inviter_id: UserId,
  asset: string,
  amount: bigint,
): Promise<bigint> {
  let taken = 0n
  for (const { share_id, owed } of await store.lockOwed(tx, inviter_id, asset)) {
    const part = owed < amount - taken ? owed : amount - taken
    if (part === 0n) break
    await store.changeShare(tx, share_id, { owed: owed - part })
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
        await store.insertShare(tx, {
          inviter_id,
          invited_id: girl_id,
          what: 'verified_earned',
          asset: 'diamond',
          amount,
          state: 'held',
          due_at: tx.now.add(hold),
        })
        await store.endEarnings(tx, girl_id)
      })
    if (girls.length < AT_ONCE) return
  }
}
