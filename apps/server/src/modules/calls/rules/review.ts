import type { CallMeterReading, CallDraft } from './call-events.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Call, CallRules, Side } from './call.ts'
import {
  cameraOffEndAt,
  changePause,
  countConfirmed,
  coveredLeft,
  goodUntil,
  mediaLostAt,
  meterDueAt,
  pause,
  phaseAt,
  resume,
  shares,
  toInstant,
  toMs,
  pauseReasonAt,
} from './meter.ts'
import { closeCall, takeQuota } from './closing.ts'
import { requestHold } from './holds.ts'
import { expirePrivateRequest } from './private.ts'
import { countContradiction, isContradicted } from './reports.ts'
import { earnedUnits, spentUnits } from './receipt.ts'

/** Applies everything that time alone makes due at this moment. */
export function review(draft: CallDraft): void {
  const { call } = draft
  if (call.status === 'closed') return
  updatePause(draft)
  countConfirmed(call)
  countContradiction(call)
  requestHold(draft)
  const end = findEnd(draft)
  if (end !== null) return closeCall(draft, end)
  expirePrivateRequest(draft)
  if (call.status !== 'running') return
  if (call.paid_seconds > 0) takeQuota(draft)
  notifyMeterChange(draft)
}

/** When something becomes due by time alone; Infinity when nothing does. */
export function dueAt(call: Call, rules: CallRules): number {
  if (call.status === 'closed') return Infinity
  const requestMs = call.ask?.expires_at_ms ?? Infinity
  if (call.server_until !== null) return Math.min(requestMs, toMs(call.server_until))
  const lostMs = Math.min(goneUntil(call, 'guy', rules), goneUntil(call, 'girl', rules))
  const mediaMs = call.status === 'waiting' ? toMs(call.media_due_at) : Infinity
  return Math.min(requestMs, lostMs, mediaMs, meterDueAt(call, rules))
}

/** When the loss of this side ends the call: after the grace time of one loss, or after a total time of all. */
function goneUntil(call: Call, side: Side, rules: CallRules): number {
  const { gone_at_ms, gone_ms = 0 } = call[side]
  if (gone_at_ms === null) return Infinity
  const leftMs = Math.max(0, rules.meter_pause_total_ms - gone_ms)
  return gone_at_ms + Math.min(rules.partner_grace_ms, leftMs)
}

/** Pauses the meter, resumes it, or changes the reason of the pause. */
function updatePause({ call, now_ms, rules }: CallDraft): void {
  if (call.status !== 'running') return
  const reason = pauseReasonAt(call, now_ms, rules)
  if (reason === call.why) return
  if (reason === null) resume(call, now_ms)
  else if (call.why === null) pause(call, reason)
  else changePause(call, now_ms, reason)
}

/** The reason why the call ends now, or null. */
function findEnd(draft: CallDraft): CloseReason | null {
  const { call, now_ms, rules } = draft
  if (call.server_until !== null) return now_ms >= toMs(call.server_until) ? 'server' : null
  for (const side of ['guy', 'girl'] as const) {
    if (now_ms >= goneUntil(call, side, rules))
      return call[side].taken_over ? 'new_tab' : 'partner_lost'
  }
  if (call.status === 'waiting') {
    const bothFailed = call.guy.failed && call.girl.failed
    return bothFailed || now_ms >= toMs(call.media_due_at) ? 'not_connected' : null
  }
  if (isMediaLost(draft)) return 'media_lost'
  if (call.why !== null) return null
  if (coveredLeft(call, call.good_ms) > 0) return null
  // The result of a hold requested at this moment follows in the same transaction; no second begins without a hold.
  const isPending = call.hold_asked_at !== null && toMs(call.hold_asked_at) >= now_ms
  return isPending ? null : 'no_balance'
}

function isMediaLost({ call, now_ms, rules }: CallDraft): boolean {
  if (isContradicted(call, rules)) return true
  if (call.why === null) return false
  return now_ms >= mediaLostAt(call, rules) || now_ms >= cameraOffEndAt(call, rules)
}

function notifyMeterChange(draft: CallDraft): void {
  const { call, commands, now_ms, rules } = draft
  const phase = call.why === null ? phaseAt(call, goodUntil(call, now_ms)) : 'paused'
  const last = call.paused.at(-1)
  const hasChanged =
    phase !== call.phase || (phase === 'paused' && last!.from_ms !== toMs(call.phase_since!))
  if (hasChanged) {
    call.phase = phase
    call.phase_since = toInstant(phase === 'paused' ? last!.from_ms : now_ms)
  }
  const isLate =
    phase === 'paid' &&
    call.meter_sent_at !== null &&
    now_ms >= toMs(call.meter_sent_at) + rules.meter_interval_ms
  if (!hasChanged && !isLate && !draft.notify) return
  draft.notify = false
  call.meter_sent_at = toInstant(now_ms)
  commands.push({ type: 'notify_meter', reading: readMeter(call, toInstant(now_ms)) })
}

/** The meter reading at this moment, for events and for a page that reconnects. The call must have been connected. */
export function readMeter(call: Call, now: Temporal.Instant): CallMeterReading {
  const goodMs = goodUntil(call, toMs(now))
  const { paid_seconds } = shares(call, goodMs)
  const isEnding = call.hold_dry && call.why === null && call.status === 'running'
  return {
    phase: call.phase!,
    why: call.why,
    phase_since: call.phase_since!,
    paid_seconds,
    spent: spentUnits(call, paid_seconds),
    earned: earnedUnits(call, paid_seconds),
    ends_at: isEnding ? toInstant(toMs(now) + coveredLeft(call, goodMs)) : null,
  }
}
