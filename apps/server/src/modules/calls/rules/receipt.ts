import type { HoldRequest, CallReceipt, CallTotals } from './call-events.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Call, Side } from './call.ts'
import { publicPaidSeconds, toInstant, toMs } from './meter.ts'

/** The cost of `paidSeconds` of this call for the guy in all, in diamond units, rounded down once. */
export function spentUnits(call: Call, paidSeconds: number): bigint {
  return byMinute(call, paidSeconds, call.price_public, call.price_private)
}

/** The earnings of the girl for `paidSeconds` of this call in all, in coin units, rounded down once. */
export function earnedUnits(call: Call, paidSeconds: number): bigint {
  return byMinute(call, paidSeconds, call.earn_public, call.earn_private)
}

function byMinute(call: Call, paidSeconds: number, inPublic: bigint, inPrivate: bigint): bigint {
  const publicSeconds = publicPaidSeconds(call, paidSeconds)
  return (BigInt(publicSeconds) * inPublic + BigInt(paidSeconds - publicSeconds) * inPrivate) / 60n
}

/** Cumulative totals after `paidSeconds`. */
export function totals(call: Call, paidSeconds: number): CallTotals {
  return {
    paid_seconds: paidSeconds,
    his_units: spentUnits(call, paidSeconds),
    her_units: earnedUnits(call, paidSeconds),
  }
}

/** The units that a hold for `seconds` from `fromSeconds` on contains. */
export function holdUnits(call: Call, fromSeconds: number, seconds: number): bigint {
  return spentUnits(call, fromSeconds + seconds) - spentUnits(call, fromSeconds)
}

/** The most whole seconds, at most `request.seconds`, that `availableUnits` pay from `request.from_seconds` on. */
export function affordableSeconds(
  call: Call,
  request: HoldRequest,
  availableUnits: bigint,
): number {
  let most = 0
  let beyond = request.seconds + 1
  while (beyond - most > 1) {
    const middle = Math.floor((most + beyond) / 2)
    if (holdUnits(call, request.from_seconds, middle) <= availableUnits) most = middle
    else beyond = middle
  }
  return most
}

/** The price of a minute for the guy, or the reward of a minute for the girl, in this state of the call. */
export function minuteUnits(call: Call, side: Side, state: Call['state'] = call.state): bigint {
  if (side === 'guy') return state === 'private' ? call.price_private : call.price_public
  return state === 'private' ? call.earn_private : call.earn_public
}

/** The reason that this side may see: a break is visible to the girl only. */
export function reasonFor(reason: CloseReason, side: Side): CloseReason {
  return reason === 'break' && side === 'guy' ? 'left' : reason
}

/**
 * The receipt of a closed call for one side. The parts sum up: seconds = free + quota + paid + all pauses.
 * Throws when the call is open.
 */
export function receipt(call: Call, side: Side): CallReceipt {
  if (call.closed_at === null || call.reason === null)
    throw new Error('an open call has no receipt')
  const startedAt = call.connected_at ?? call.closed_at
  const seconds = Math.floor((toMs(call.closed_at) - toMs(startedAt)) / 1000)
  const amount = { guy: spentUnits, girl: earnedUnits }[side](call, call.paid_seconds)
  return {
    session_id: call.session_id,
    reason: reasonFor(call.reason, side),
    seconds,
    paid_seconds: call.paid_seconds,
    free_seconds: call.free_used,
    quota_seconds: call.quota_used,
    paused: wholePauses(call, seconds - call.free_used - call.quota_used - call.paid_seconds),
    ...(side === 'guy' ? { spent: amount } : { earned: amount }),
  }
}

/** Pauses in whole seconds with an exact sum; a fraction of a second is carried over to the next pause. */
function wholePauses(call: Call, pausedSeconds: number): CallReceipt['paused'] {
  let elapsedMs = 0
  let countedSeconds = 0
  const whole = call.paused.map((pause, at) => {
    elapsedMs += pause.ms ?? 0
    const secondsUpToHere =
      at === call.paused.length - 1
        ? pausedSeconds
        : Math.min(pausedSeconds, Math.floor(elapsedMs / 1000))
    const seconds = secondsUpToHere - countedSeconds
    countedSeconds = secondsUpToHere
    return { from: toInstant(pause.from_ms), seconds, why: pause.why }
  })
  return whole.filter((pause) => pause.seconds > 0)
}
