import type { CallDraft } from './call-events.ts'
import { coveredLeft, goodUntil, renewMs, toInstant } from './meter.ts'
import { affordableSeconds, holdUnits, totals } from './receipt.ts'

/** Requests the first hold or a renewal, early enough that a refusal still leaves covered seconds. */
export function requestHold(draft: CallDraft): void {
  const { call, commands, now_ms, rules } = draft
  // After a restart no money moves before both are back.
  if (call.hold_asked_at !== null || call.hold_dry || call.server_until !== null) return
  if (!draft.renew && coveredLeft(call, goodUntil(call, now_ms)) > renewMs(rules)) return
  const fromSeconds = call.paid_seconds
  const seconds = rules.hold_seconds
  const request = {
    from_seconds: fromSeconds,
    seconds,
    units: holdUnits(call, fromSeconds, seconds),
  }
  if (call.funded_seconds === 0) commands.push({ type: 'open_hold', ...request })
  else commands.push({ type: 'renew_hold', post: totals(call, fromSeconds), ...request })
  call.posted_seconds = fromSeconds
  call.hold_asked_at = toInstant(now_ms)
  draft.renew = false
}

/** Applies the result of the last request: `seconds` are held beyond the posted seconds. */
export function applyHoldResult(draft: CallDraft, seconds: number): void {
  const { call, now_ms, rules } = draft
  call.hold_asked_at = null
  call.funded_seconds = call.posted_seconds + seconds
  call.hold_dry = coveredLeft(call, goodUntil(call, now_ms)) <= renewMs(rules)
  draft.notify ||= call.hold_dry
}

/** Removes an outdated hold request of the same decision; its posting is part of the cumulative totals that follow. */
export function cancelHoldRequest(draft: CallDraft): void {
  draft.commands = draft.commands.filter(
    ({ type }) => type !== 'open_hold' && type !== 'renew_hold',
  )
  draft.call.hold_asked_at = null
}

/**
 * Applies the private price from the next second on. The present second ends at its old price. Until the
 * hold is renewed, the held amount pays for fewer seconds.
 */
export function reprice(draft: CallDraft): void {
  const { call, now_ms } = draft
  cancelHoldRequest(draft)
  const fromSeconds = call.posted_seconds
  const seconds = Math.max(0, call.funded_seconds - fromSeconds)
  const units = holdUnits(call, fromSeconds, seconds)
  call.state = 'private'
  call.private_from = Math.ceil(goodUntil(call, now_ms) / 1000)
  call.private_at = toInstant(now_ms)
  const request = { from_seconds: fromSeconds, seconds, units }
  call.funded_seconds = fromSeconds + affordableSeconds(call, request, units)
  call.hold_dry = false
  draft.renew = true
  draft.notify = true
}
