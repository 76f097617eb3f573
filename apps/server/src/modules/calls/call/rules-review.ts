import type { MeterReading, Turn } from './call-events.ts'
import type { Call, CloseReason, VideoRules } from './call.ts'
import {
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
  troubleAt,
} from './meter.ts'
import { closeCall, takeQuota } from './rules-close.ts'
import { askHold } from './rules-hold.ts'
import { expireAsk } from './private.ts'
import { earnedUnits, spentUnits } from './receipt.ts'

/** Looks at the call as it stands at this moment, and does what has become due. Everything that time alone brings is here. */
export function review(turn: Turn): void {
  const { call } = turn
  if (call.status === 'closed') return
  judge(turn)
  countConfirmed(call)
  askHold(turn)
  const end = endOf(turn)
  if (end !== null) return closeCall(turn, end)
  expireAsk(turn)
  if (call.status !== 'running') return
  if (call.paid_seconds > 0) takeQuota(turn)
  tellChange(turn)
}

/** When something becomes due by time alone; Infinity when nothing does. */
export function dueAt(call: Call, rules: VideoRules): number {
  if (call.status === 'closed') return Infinity
  const ask_ms = call.ask?.expires_at_ms ?? Infinity
  if (call.server_until !== null) return Math.min(ask_ms, toMs(call.server_until))
  const lost_ms = Math.min(goneUntil(call, 'guy', rules), goneUntil(call, 'girl', rules))
  const media_ms = call.status === 'waiting' ? toMs(call.media_due_at) : Infinity
  return Math.min(ask_ms, lost_ms, media_ms, meterDueAt(call, rules))
}

function goneUntil(call: Call, side: 'guy' | 'girl', rules: VideoRules): number {
  return (call[side].gone_at_ms ?? Infinity) + rules.partner_grace_ms
}

/** Stops the meter, lets it go on, or finds another reason why it stands. */
function judge({ call, now_ms, rules }: Turn): void {
  if (call.status !== 'running') return
  const trouble = troubleAt(call, now_ms, rules)
  if (trouble === call.why) return
  if (trouble === null) resume(call, now_ms)
  else if (call.why === null) pause(call, now_ms, trouble)
  else changePause(call, now_ms, trouble)
}

/** Why the call ends now, or null. */
function endOf({ call, now_ms, rules }: Turn): CloseReason | null {
  if (call.server_until !== null) return now_ms >= toMs(call.server_until) ? 'server' : null
  for (const side of ['guy', 'girl'] as const) {
    if (now_ms >= goneUntil(call, side, rules))
      return call[side].taken_over ? 'new_tab' : 'partner_lost'
  }
  if (call.status === 'waiting') {
    const given_up = call.guy.failed && call.girl.failed
    return given_up || now_ms >= toMs(call.media_due_at) ? 'not_connected' : null
  }
  if (call.why !== null) return now_ms >= mediaLostAt(call, rules) ? 'media_lost' : null
  if (coveredLeft(call, goodUntil(call, now_ms)) > 0) return null
  // A hold asked for in this very moment is answered in this transaction; a second without one never begins.
  const waits = call.hold_asked_at !== null && toMs(call.hold_asked_at) >= now_ms
  return waits ? null : 'no_balance'
}

function tellChange(turn: Turn): void {
  const { call, effects, now_ms, rules } = turn
  const phase = call.why === null ? phaseAt(call, goodUntil(call, now_ms)) : 'paused'
  const last = call.paused.at(-1)
  const changed =
    phase !== call.phase || (phase === 'paused' && last!.from_ms !== toMs(call.phase_since!))
  if (changed) {
    call.phase = phase
    call.phase_since = toInstant(phase === 'paused' ? last!.from_ms : now_ms)
  }
  const late =
    phase === 'paid' && call.told_at !== null && now_ms >= toMs(call.told_at) + rules.meter_tell_ms
  if (!changed && !late && !turn.tell) return
  turn.tell = false
  call.told_at = toInstant(now_ms)
  effects.push({ kind: 'tell_meter', reading: readMeter(call, toInstant(now_ms)) })
}

/** What the meter shows at this moment: also for whoever comes back and asks. The clock must have started. */
export function readMeter(call: Call, now: Temporal.Instant): MeterReading {
  const good_ms = goodUntil(call, toMs(now))
  const { paid_seconds } = shares(call, good_ms)
  const ends = call.hold_dry && call.why === null && call.status === 'running'
  return {
    phase: call.phase!,
    why: call.why,
    phase_since: call.phase_since!,
    paid_seconds,
    spent: spentUnits(call, paid_seconds),
    earned: earnedUnits(call, paid_seconds),
    ends_at: ends ? toInstant(toMs(now) + coveredLeft(call, good_ms)) : null,
  }
}
