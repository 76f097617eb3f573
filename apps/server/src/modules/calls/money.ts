import { assert } from '../../lib/assert.ts'
import { isRefusal } from '../../lib/refusal.ts'
import type { AppContext, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import {
  affordable,
  type HoldResult,
  type LinkedPosting,
  type Movement,
  openHold,
  postHold,
  postHolds,
  transfer,
} from '../ledger/index.ts'
import type { CallTotals, HoldRequest } from './rules/call-events.ts'
import type { Call, Side } from './rules/call.ts'
import { partyOfCurrentCall } from './call-registry.ts'
import { affordableSeconds, earnedUnits, holdUnits, spentUnits } from './rules/receipt.ts'
import type { CallMoney, StoredCall } from './stored-call.ts'

/** Other spending between reading the balance and holding may use some of it: then the next try holds less. */
const TRIES_MAX = 3

/** Holds the cost of the request, or of the most whole seconds of it; returns how many seconds are covered. */
export async function openCallHold(
  tx: Tx,
  call: Call,
  before: CallMoney,
  request: HoldRequest,
): Promise<{ money: CallMoney; seconds: number }> {
  // A hold that covers no whole second at a higher price may still be open.
  const money = await releaseHold(tx, call, before)
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const available = await affordable(tx, call.guy_id, 'diamond')
    const seconds = affordableSeconds(call, request, available)
    if (seconds === 0) break
    const amount = holdUnits(call, request.from_seconds, seconds)
    // A free price holds nothing and covers everything.
    if (amount === 0n) return { money, seconds }
    const money_step = money.money_step + 1
    try {
      const { hold_id } = await openHold(tx, {
        ...ledgerReference(call, `hold:${money_step}`),
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

/** A call, and what its renewal posts and asks for. */
export interface Renewal extends StoredCall {
  readonly request: HoldRequest & { readonly post: CallTotals }
}

/**
 * Posts the usage of calls and renews their holds with the cost of the next seconds: one step of each hold,
 * in one statement. If a guy cannot pay all these seconds, his hold is opened again for the whole seconds
 * that he can pay. An error belongs to its own call, whose money has not moved.
 */
export async function renewCallHolds(
  tx: Tx,
  renewals: readonly Renewal[],
): Promise<({ money: CallMoney; seconds: number } | Error)[]> {
  const postings = renewals.map(({ call, money, request }) =>
    money.hold_id === null ? undefined : getPosting(call, money, request.post, request.units),
  )
  const results = await postHolds(
    tx,
    postings.filter((one) => one !== undefined),
  )
  const answers: ({ money: CallMoney; seconds: number } | Error)[] = []
  for (const [index, { call, money: before, request }] of renewals.entries()) {
    const result = postings[index] && results.shift()
    if (result instanceof Error) {
      answers.push(result)
      continue
    }
    const money = result
      ? moneyAfter(before, request.post, result)
      : await postUsage(tx, call, before, request.post)
    answers.push(
      money.hold_id !== null && money.held_units === request.units
        ? { money, seconds: request.seconds }
        : await openCallHold(tx, call, money, request),
    )
  }
  return answers
}

/** Posts the usage since the last posting, and releases the rest of the hold. */
export async function postUsage(
  tx: Tx,
  call: Call,
  money: CallMoney,
  totals: PostedTotals,
): Promise<CallMoney> {
  if (money.hold_id !== null)
    return moneyAfter(money, totals, await postHold(tx, getPosting(call, money, totals, 0n)))
  const { spent, linked } = unposted(call, money, totals)
  assert(spent === 0n, 'nothing is used that was not held')
  if (linked.length === 0) return money
  // A call that costs the guy nothing may still earn the girl something.
  await transfer(tx, linked)
  return { ...money, posted_hers: totals.her_units, money_step: money.money_step + 1 }
}

type PostedTotals = Pick<CallTotals, 'his_units' | 'her_units'>

/**
 * The usage since the last posting in linked movements: from the guy's hold to sales, and from conversion
 * to the girl. The hold keeps at most `keep` of what the guy can afford.
 */
function getPosting(
  call: Call,
  money: CallMoney,
  totals: PostedTotals,
  keep: bigint,
): LinkedPosting {
  const { spent, linked } = unposted(call, money, totals)
  return {
    ...ledgerReference(call, `post:${money.money_step + 1}`),
    hold_id: money.hold_id!,
    asset: 'diamond',
    amount: spent,
    to: { house: 'sales' },
    linked,
    ...(keep > 0n && { keep }),
  }
}

function unposted(call: Call, money: CallMoney, { his_units, her_units }: PostedTotals) {
  const spent = his_units - money.posted_his
  const earned = her_units - money.posted_hers
  assert(spent >= 0n && earned >= 0n, 'totals of a call only grow')
  return { spent, linked: earned === 0n ? [] : [earning(call, earned, money.money_step + 1)] }
}

function moneyAfter(
  { money_step }: CallMoney,
  { his_units, her_units }: PostedTotals,
  { hold_id, held }: HoldResult,
): CallMoney {
  return {
    hold_id: held > 0n ? hold_id : null,
    held_units: held,
    posted_his: his_units,
    posted_hers: her_units,
    money_step: money_step + 1,
  }
}

function earning(call: Call, amount: bigint, step: number): Movement {
  return {
    ...ledgerReference(call, `earned:${step}`),
    asset: 'coin',
    from: { house: 'conversion' },
    to: { user_id: call.girl_id },
    amount,
  }
}

/** Releases the rest of the hold. */
export async function releaseHold(tx: Tx, call: Call, money: CallMoney): Promise<CallMoney> {
  if (money.hold_id === null) return money
  const { posted_his: his_units, posted_hers: her_units } = money
  return postUsage(tx, call, money, { his_units, her_units })
}

function ledgerReference(call: Call, step: string) {
  return {
    key: `call:${call.session_id}:${step}`,
    what: `call_${call.state}`,
    cause: { kind: 'call', id: call.session_id },
  }
}

/** Units that the user has used (negative, the guy) or earned (the girl) in this running call, posted or not. */
export function usedUnits(
  context: AppContext,
  userId: UserId,
  sessionId: number,
): bigint | undefined {
  const party = partyOfCurrentCall(context, userId)
  if (party?.call.session_id !== sessionId) return undefined
  const { call, side } = party
  return side === 'guy'
    ? -spentUnits(call, call.paid_seconds)
    : earnedUnits(call, call.paid_seconds)
}

/** Units that the guy could spend on this call: his free units, and the units that this call holds. */
export async function availableUnits(tx: Tx, call: Call, money: CallMoney): Promise<bigint> {
  return (await affordable(tx, call.guy_id, 'diamond')) + money.held_units
}

export const ASSET_OF: Readonly<Record<Side, 'diamond' | 'coin'>> = {
  guy: 'diamond',
  girl: 'coin',
}
