import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { CallDraft, CallEvent, PrivateRefusal } from './call-events.ts'
import type { Side } from './call.ts'
import { goodUntil, shares, toInstant } from './meter.ts'
import { minuteUnits, spentUnits } from './receipt.ts'
import { reprice } from './holds.ts'

type PrivateRequested = Extract<CallEvent, { type: 'private_requested' }>
type PrivateAnswered = Extract<CallEvent, { type: 'private_answered' }>

/** One side requests a private call. If the other side has requested it already, the request counts as acceptance. */
export function requestPrivate(draft: CallDraft, event: PrivateRequested): void {
  const { side, available_units } = event
  const { call, commands, now_ms, rules } = draft
  if (call.state === 'private') return refuse(draft, 'not_found')
  if (call.ask?.by === side) return acknowledge(draft, side, call.ask.expires_at_ms)
  const waitMs = call[side].ask_again_at_ms - now_ms
  if (call.ask === null && waitMs > 0)
    return refuse(draft, 'too_many', { retry_after_seconds: Math.ceil(waitMs / 1000) })
  if (refuseUnaffordable(draft, side, available_units)) return
  if (call.ask !== null) {
    acknowledge(draft, side, call.ask.expires_at_ms)
    return goPrivate(draft)
  }
  call.ask = { by: side, expires_at_ms: now_ms + rules.private_ask_ms }
  acknowledge(draft, side, call.ask.expires_at_ms)
  const expires_at = toInstant(call.ask.expires_at_ms)
  commands.push({ type: 'notify_private_request', to: otherRole(side), expires_at })
}

function acknowledge({ commands }: CallDraft, by: Side, expiresAtMs: number): void {
  commands.push({ type: 'acknowledge_request', by, expires_at: toInstant(expiresAtMs) })
}

/** The other side accepts or declines. */
export function answerPrivate(draft: CallDraft, event: PrivateAnswered): void {
  const { side, accept, available_units } = event
  const { call, commands, now_ms, rules } = draft
  if (call.ask === null || call.ask.by === side) return refuse(draft, 'pair_over')
  if (!accept) {
    const requester = call.ask.by
    call[requester].ask_again_at_ms = now_ms + rules.private_ask_again_ms
    call.ask = null
    commands.push({ type: 'notify_private_closed', to: requester, reason: 'declined' })
    return
  }
  if (refuseUnaffordable(draft, side, available_units)) return
  goPrivate(draft)
}

/** Closes a request that was not answered in time. */
export function expirePrivateRequest({ call, commands, now_ms, rules }: CallDraft): void {
  if (call.ask === null || now_ms < call.ask.expires_at_ms) return
  call[call.ask.by].ask_again_at_ms = now_ms + rules.private_ask_again_ms
  call.ask = null
  commands.push({ type: 'notify_private_closed', to: 'guy', reason: 'expired' })
  commands.push({ type: 'notify_private_closed', to: 'girl', reason: 'expired' })
}

/** Remaining free seconds are still used first, by the order of the shares. */
function goPrivate(draft: CallDraft): void {
  draft.call.ask = null
  reprice(draft)
  draft.commands.push({ type: 'publish_private' }, { type: 'notify_new_session' })
}

/**
 * Refuses if the guy lacks the private minimum beyond the used and not yet posted amount. The girl learns
 * only that the guy takes no calls now.
 */
function refuseUnaffordable(draft: CallDraft, side: Side, availableUnits: bigint): boolean {
  const { call, now_ms, rules } = draft
  const { paid_seconds } = shares(call, goodUntil(call, now_ms))
  const unposted = spentUnits(call, paid_seconds) - spentUnits(call, call.posted_seconds)
  const minimum = BigInt(rules.private_minimum_seconds) * minuteUnits(call, 'guy', 'private')
  const missingUnits = (minimum + 59n) / 60n - (availableUnits - unposted)
  if (missingUnits <= 0n) return false
  if (side === 'guy') refuse(draft, 'no_balance', { missing_units: missingUnits })
  else refuse(draft, 'user_offline')
  return true
}

interface RefusalDetails {
  missing_units?: bigint
  retry_after_seconds?: number
}

function refuse(
  { commands }: CallDraft,
  name: PrivateRefusal,
  additional: RefusalDetails = {},
): void {
  commands.push({ type: 'refuse', name, ...additional })
}
