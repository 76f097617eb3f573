import type { CallDraft, CallEvent } from './call-events.ts'
import type { Call, CallRules } from './call.ts'
import { pauseReasonAt, toInstant, toMs } from './meter.ts'
import { takeMedia } from './sound-only.ts'

type Report = Extract<CallEvent, { type: 'reported' }>

/**
 * Applies a PEER_STATE. The guy reports the frames that he decoded. The girl proves that she sends frames
 * and gets the receiver reports of his browser. If the guy's reports do not count, the girl's proof
 * replaces them.
 */
export function applyReport(draft: CallDraft, report: Report): void {
  const { call, now_ms, rules } = draft
  if (report.session_guid !== call.session_guid) return
  const party = call[report.side]
  if (report.side === 'guy') countSilence(draft)
  if (report.side === 'girl') trackProof(call, report, now_ms, rules)
  const isGood = report.side === 'guy' ? report.frames_decoded > party.frames_decoded : report.video
  party.frames_decoded = report.frames_decoded
  party.frames_sent = report.frames_sent
  party.reports_received = report.reports_received
  takeMedia(draft, report.side, report)
  if (report.side === 'girl' || isWordCounted(call)) setReported(call, report.side, now_ms, isGood)
  if (report.side === 'girl' && !isWordCounted(call))
    setReported(call, 'guy', now_ms, call.girl.proof_at_ms === now_ms)
}

function isWordCounted({ guy_trusted, status }: Call): boolean {
  return guy_trusted || status !== 'running'
}

function setReported(call: Call, side: 'guy' | 'girl', atMs: number, isGood: boolean): void {
  call[side].reported_at_ms = atMs
  if (isGood) call[side].good_at_ms = atMs
}

/** Extends the stretch of time for which the girl's reports prove that the guy receives. */
function trackProof({ girl }: Call, report: Report, atMs: number, rules: CallRules): void {
  const before = girl.reported_at_ms
  const rises =
    report.frames_sent > girl.frames_sent && report.reports_received > girl.reports_received
  if (before === null || !report.video || !rises || atMs - before > rules.meter_no_report_ms) return
  if (girl.proof_at_ms !== before) girl.proof_from_ms = before
  girl.proof_at_ms = atMs
}

/**
 * Counts the time for which the guy reported no new frame although the girl's reports prove that he
 * received. It counts only while the meter is paused for this reason: a short interruption of the picture
 * is no contradiction.
 */
export function countContradiction(call: Call): void {
  if (call.why === 'no_frames') countProved(call, call.guy.reported_at_ms!)
}

/**
 * Counts the time without a report of the guy although the girl's reports prove that he received. Called
 * only if the guy's socket was surely connected: he reports again, he leaves, or the silence ends the call.
 * A lost socket is noticed earlier, and then the guy was away.
 */
export function countSilence({ call, now_ms, rules }: CallDraft): void {
  // The stored reason of a pause may be an older reason: nothing becomes due when a reason follows another.
  if (call.status !== 'running' || pauseReasonAt(call, now_ms, rules) !== 'no_report') return
  const { reported_at_ms, returned_at_ms } = call.guy
  const heardMs = Math.max(reported_at_ms ?? -Infinity, returned_at_ms ?? -Infinity)
  if (now_ms - heardMs >= rules.meter_no_report_ms) countProved(call, now_ms)
}

/** Adds the proved time that is not counted yet. The time for which the guy was gone is not in it. */
function countProved(call: Call, atMs: number): void {
  const { guy, girl } = call
  if (!call.guy_trusted || girl.proof_at_ms === null) return
  const fromMs = Math.max(
    guy.good_at_ms ?? -Infinity,
    guy.returned_at_ms ?? -Infinity,
    girl.proof_from_ms!,
    call.contradicted_until === null ? -Infinity : toMs(call.contradicted_until),
  )
  const untilMs = Math.min(atMs, girl.proof_at_ms)
  if (untilMs <= fromMs) return
  call.contradicted_ms += untilMs - fromMs
  call.contradicted_until = toInstant(untilMs)
}

/** The two contradict each other for so long that the call ends. */
export function isContradicted(call: Call, rules: CallRules): boolean {
  return call.contradicted_ms >= rules.contradiction_end_ms
}
