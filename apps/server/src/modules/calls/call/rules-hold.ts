import type { Turn } from './call-events.ts'
import { coveredLeft, goodUntil, renewMs, toInstant } from './meter.ts'
import { affordableSeconds, holdUnits, totals } from './receipt.ts'

/** Asks for a hold, or for a fresh one, while enough seconds are left to end well without. */
export function askHold(turn: Turn): void {
  const { call, effects, now_ms, rules } = turn
  if (call.hold_asked_at !== null || call.hold_dry) return
  if (!turn.renew && coveredLeft(call, goodUntil(call, now_ms)) > renewMs(rules)) return
  const from_seconds = call.paid_seconds
  const seconds = rules.hold_seconds
  const wish = { from_seconds, seconds, units: holdUnits(call, from_seconds, seconds) }
  if (call.funded_seconds === 0) effects.push({ kind: 'reserve', ...wish })
  else effects.push({ kind: 'renew_hold', post: totals(call, from_seconds), ...wish })
  call.posted_seconds = from_seconds
  call.hold_asked_at = toInstant(now_ms)
  turn.renew = false
}

/** The answer to the last asking: so many seconds from the posted ones on are held. */
export function holdAnswered(turn: Turn, seconds: number): void {
  const { call, now_ms, rules } = turn
  call.hold_asked_at = null
  call.funded_seconds = call.posted_seconds + seconds
  call.hold_dry = coveredLeft(call, goodUntil(call, now_ms)) <= renewMs(rules)
  turn.tell ||= call.hold_dry
}

/** A wish of this very decision that is out of date: whatever it would have posted is in the cumulative totals that follow. */
export function dropHoldWish(turn: Turn): void {
  turn.effects = turn.effects.filter(({ kind }) => kind !== 'reserve' && kind !== 'renew_hold')
  turn.call.hold_asked_at = null
}

/**
 * From this second on the private price counts: what is held pays for fewer seconds, until the hold follows.
 * The second that has begun ends at its old terms.
 */
export function reprice(turn: Turn): void {
  const { call, now_ms } = turn
  dropHoldWish(turn)
  const from_seconds = call.posted_seconds
  const seconds = Math.max(0, call.funded_seconds - from_seconds)
  const units = holdUnits(call, from_seconds, seconds)
  call.state = 'private'
  call.private_from = Math.ceil(goodUntil(call, now_ms) / 1000)
  call.funded_seconds =
    from_seconds + affordableSeconds(call, { from_seconds, seconds, units }, units)
  call.hold_dry = false
  turn.renew = true
  turn.tell = true
}
