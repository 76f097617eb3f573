import type { CallDraft } from './call-events.ts'
import { changePause, pause, toInstant, toMs } from './meter.ts'

/** When the time to come back ends. */
export function graceEnd({ now_ms, rules }: CallDraft): Temporal.Instant {
  return toInstant(now_ms + rules.partner_grace_ms)
}

/** The call continues from its stored state: the meter is paused from there, and both sides have the grace time to return. */
export function applyServerRestart(draft: CallDraft): void {
  const { call, now_ms } = draft
  for (const party of [call.guy, call.girl]) {
    party.gone_at_ms = now_ms
    party.taken_over = false
    party.reported_at_ms = null
    party.good_at_ms = null
    party.proof_from_ms = null
    party.proof_at_ms = null
    // Her next report, or the return of both, starts the time of a camera that is off again.
    party.video_off_at_ms = null
  }
  call.server_until = graceEnd(draft)
  call.hold_asked_at = null
  if (call.status !== 'running') return
  draft.notify = true
  // A stored pause may have ended by the last tick: then the pause for the server begins there.
  const fromMs = Math.max(toMs(call.last_round_at!), call.paused.at(-1)?.from_ms ?? 0)
  if (call.why === null) pause(call, 'server')
  // After a server that ended before both were back, its pause continues.
  else if (call.why !== 'server') changePause(call, fromMs, 'server')
}
