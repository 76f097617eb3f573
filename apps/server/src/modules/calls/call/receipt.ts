import type { HoldWish, Receipt, Totals } from './call-events.ts'
import type { Call, CloseReason, Side } from './call.ts'
import { publicPaidSeconds, toInstant, toMs } from './meter.ts'

/** What so many paid seconds of this call cost him in all, in diamond units, rounded down once. */
export function spentUnits(call: Call, paid_seconds: number): bigint {
  return byMinute(call, paid_seconds, call.price_public, call.price_private)
}

/** What so many paid seconds of this call earn her in all, in coin units, rounded down once. */
export function earnedUnits(call: Call, paid_seconds: number): bigint {
  return byMinute(call, paid_seconds, call.earn_public, call.earn_private)
}

function byMinute(call: Call, paid_seconds: number, in_public: bigint, in_private: bigint): bigint {
  const public_seconds = publicPaidSeconds(call, paid_seconds)
  return (
    (BigInt(public_seconds) * in_public + BigInt(paid_seconds - public_seconds) * in_private) / 60n
  )
}

/** Cumulative totals after so many paid seconds. */
export function totals(call: Call, paid_seconds: number): Totals {
  return {
    paid_seconds,
    his_units: spentUnits(call, paid_seconds),
    her_units: earnedUnits(call, paid_seconds),
  }
}

/** What a hold for so many seconds from `from_seconds` on costs. */
export function holdUnits(call: Call, from_seconds: number, seconds: number): bigint {
  return spentUnits(call, from_seconds + seconds) - spentUnits(call, from_seconds)
}

/** The most whole seconds, at most `wish.seconds`, that so many units pay from `wish.from_seconds` on. */
export function affordableSeconds(call: Call, wish: HoldWish, available_units: bigint): number {
  let most = 0
  let beyond = wish.seconds + 1
  while (beyond - most > 1) {
    const middle = Math.floor((most + beyond) / 2)
    if (holdUnits(call, wish.from_seconds, middle) <= available_units) most = middle
    else beyond = middle
  }
  return most
}

/** A minute's price for him, reward for her, in the state that the call has or would have. */
export function minuteUnits(call: Call, side: Side, state: Call['state'] = call.state): bigint {
  if (side === 'guy') return state === 'private' ? call.price_private : call.price_public
  return state === 'private' ? call.earn_private : call.earn_public
}

/** Why the call ended, as this side is told: a break is hers alone. */
export function reasonFor(reason: CloseReason, side: Side): CloseReason {
  return reason === 'break' && side === 'guy' ? 'left' : reason
}

/**
 * The receipt of a closed call for one side. The parts sum up: seconds = free + quota + paid + all pauses.
 * Throws when the call is open.
 */
export function receipt(call: Call, side: Side): Receipt {
  if (call.closed_at === null || call.reason === null)
    throw new Error('a receipt is of a closed call')
  const started_at = call.connected_at ?? call.closed_at
  const seconds = Math.floor((toMs(call.closed_at) - toMs(started_at)) / 1000)
  const totals = { guy: spentUnits, girl: earnedUnits }[side](call, call.paid_seconds)
  return {
    session_id: call.session_id,
    reason: reasonFor(call.reason, side),
    seconds,
    paid_seconds: call.paid_seconds,
    free_seconds: call.free_used,
    quota_seconds: call.quota_used,
    paused: wholePauses(call, seconds - call.free_used - call.quota_used - call.paid_seconds),
    ...(side === 'guy' ? { spent: totals } : { earned: totals }),
  }
}

/** Pauses in whole seconds that sum up exactly; what is shorter than a second joins the next one. */
function wholePauses(call: Call, paused_seconds: number): Receipt['paused'] {
  let so_far_ms = 0
  let given = 0
  const whole = call.paused.map((pause, at) => {
    so_far_ms += pause.ms ?? 0
    const upTo =
      at === call.paused.length - 1
        ? paused_seconds
        : Math.min(paused_seconds, Math.floor(so_far_ms / 1000))
    const seconds = upTo - given
    given = upTo
    return { from: toInstant(pause.from_ms), seconds, why: pause.why }
  })
  return whole.filter((pause) => pause.seconds > 0)
}
