import { assert } from '../../lib/assert.ts'
import { isRefusal } from '../../lib/refusal.ts'
import type { AppContext } from '../../core/app.ts'
import type { Tx } from '../../core/tx.ts'
import { affordable, openHold, postHold, transfer, type Movement } from '../ledger/index.ts'
import type { HoldWish, Totals } from './call/call-events.ts'
import type { Call, Side } from './call/call.ts'
import { liveCallOf, type Money } from './live.ts'
import { affordableSeconds, earnedUnits, holdUnits, spentUnits } from './call/receipt.ts'

/** A gift that lands between reading and holding may take what was counted on: then less is asked for. */
const tries_max = 3

/** Sets aside what the wish costs, or the most whole seconds of it; answers how many seconds are covered. */
export async function reserve(
  tx: Tx,
  call: Call,
  before: Money,
  wish: HoldWish,
): Promise<{ money: Money; seconds: number }> {
  // A hold that a dearer price left without a whole second still stands.
  const money = await release(tx, call, before)
  for (let tries = 0; tries < tries_max; tries += 1) {
    const seconds = affordableSeconds(call, wish, await affordable(tx, call.guy_id, 'diamond'))
    if (seconds === 0) break
    const amount = holdUnits(call, wish.from_seconds, seconds)
    // A free price holds nothing and covers everything.
    if (amount === 0n) return { money, seconds }
    const money_step = money.money_step + 1
    try {
      const { hold_id } = await openHold(tx, {
        ...because(call, `hold:${money_step}`),
        user_id: call.guy_id,
        asset: 'diamond',
        amount,
      })
      return { money: { ...money, hold_id, held_units: amount, money_step }, seconds }
    } catch (error) {
      if (!isRefusal(error, 'no_balance')) throw error
    }
  }
  return { money, seconds: 0 }
}

/** Posts what was used since the last posting, his to the house and hers from it, linked; the rest of the hold is free again. */
export async function post(
  tx: Tx,
  call: Call,
  money: Money,
  { his_units, her_units }: Pick<Totals, 'his_units' | 'her_units'>,
): Promise<Money> {
  const his = his_units - money.posted_his
  const hers = her_units - money.posted_hers
  assert(his >= 0n && hers >= 0n, 'totals of a call only grow')
  const money_step = money.money_step + 1
  const linked: Movement[] =
    hers === 0n
      ? []
      : [
          {
            ...because(call, `earned:${money_step}`),
            asset: 'coin',
            from: { house: 'conversion' },
            to: { user_id: call.girl_id },
            amount: hers,
          },
        ]
  if (money.hold_id === null) {
    assert(his === 0n, 'nothing is used that was not held')
    if (hers === 0n) return money
    // What costs him nothing may earn her something.
    await transfer(tx, linked)
    return { ...money, posted_hers: her_units, money_step }
  }
  await postHold(tx, {
    ...because(call, `post:${money_step}`),
    hold_id: money.hold_id,
    asset: 'diamond',
    amount: his,
    to: { house: 'sales' },
    linked,
  })
  return {
    hold_id: null,
    held_units: 0n,
    posted_his: his_units,
    posted_hers: her_units,
    money_step,
  }
}

/** Lets go of what is still held. */
export async function release(tx: Tx, call: Call, money: Money): Promise<Money> {
  if (money.hold_id === null) return money
  const { posted_his: his_units, posted_hers: her_units } = money
  return post(tx, call, money, { his_units, her_units })
}

function because(call: Call, step: string) {
  return {
    key: `call:${call.session_id}:${step}`,
    what: `call_${call.state}`,
    cause: { kind: 'call', id: call.session_id },
  }
}

/** What somebody's running call has used or earned and not posted yet: the wallet takes it into every balance it shows. */
export function unpostedOf(app: AppContext, user_id: number): bigint {
  const live = liveCallOf(app, user_id)
  if (!live) return 0n
  const { call, money } = live
  return user_id === call.guy_id
    ? money.posted_his - spentUnits(call, call.paid_seconds)
    : earnedUnits(call, call.paid_seconds) - money.posted_hers
}

/** What he could spend on this call: what is free, and what this call holds. */
export async function availableFor(tx: Tx, call: Call, money: Money): Promise<bigint> {
  return (await affordable(tx, call.guy_id, 'diamond')) + money.held_units
}

export const assetOf: Readonly<Record<Side, 'diamond' | 'coin'>> = { guy: 'diamond', girl: 'coin' }
