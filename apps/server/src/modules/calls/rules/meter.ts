import type { PauseReason, MeterPhase } from '@duet/protocol/kernel/entities.ts'
import type { Call, Side, CallRules } from './call.ts'
import { isSoundOnly } from './sound-only.ts'

/**
 * The fair meter. Good time is what the reports of both sides confirm. It ends at the earlier of two
 * reports: the guy's last report with a new frame, and the girl's last report with her camera on. Later
 * time is provisional. If a pause begins in that time, it is not counted.
 *
 * All functions take moments as epoch milliseconds. Only the call's own columns are instants.
 */

export function toMs(at: Temporal.Instant): number {
  return at.epochMilliseconds
}

export function toInstant(ms: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(ms)
}

/** Good time up to `atMs`, including the provisional part. */
export function goodUntil(call: Call, atMs: number): number {
  if (call.status !== 'running' || call.why !== null || call.last_round_at === null)
    return call.good_ms
  return call.good_ms + Math.max(0, atMs - toMs(call.last_round_at))
}

/** Splits completed good seconds into free, quota and paid seconds. */
export function shares(
  call: Call,
  goodMs: number,
): { free_used: number; quota_used: number; paid_seconds: number } {
  const goodSeconds = Math.floor(goodMs / 1000)
  const free_used = Math.min(goodSeconds, call.free_seconds)
  const quota_used = Math.min(goodSeconds - free_used, quotaLimit(call))
  return { free_used, quota_used, paid_seconds: goodSeconds - free_used - quota_used }
}

/** Quota seconds that this call may use: all at the opening, or those used up to the moment when it became private. */
function quotaLimit(call: Call): number {
  if (call.private_from === null) return call.quota_seconds
  return Math.min(call.quota_seconds, Math.max(0, call.private_from - call.free_seconds))
}

/** Good time at which the first paid second begins. */
function paidFrom(call: Call): number {
  return (call.free_seconds + quotaLimit(call)) * 1000
}

/** How many of the paid seconds cost the public price; the others cost the private price. */
export function publicPaidSeconds(call: Call, paidSeconds: number): number {
  if (call.private_from === null) return paidSeconds
  return Math.min(
    paidSeconds,
    Math.max(0, call.private_from - call.free_seconds - quotaLimit(call)),
  )
}

/** The phase of a running meter at this good time. */
export function phaseAt(call: Call, goodMs: number): Exclude<MeterPhase, 'paused'> {
  if (goodMs < call.free_seconds * 1000) return 'free'
  return goodMs < paidFrom(call) ? 'quota' : 'paid'
}

/** Good time left until a second would be neither free nor quota nor covered by the hold. */
export function coveredLeft(call: Call, goodMs: number): number {
  return paidFrom(call) + call.funded_seconds * 1000 - goodMs
}

/** Why the meter must be paused at this moment, or null. Resuming also requires fresh reports from both sides. */
export function pauseReasonAt(call: Call, atMs: number, rules: CallRules): PauseReason | null {
  if (call.server_until !== null) return 'server'
  if (call.guy.gone_at_ms !== null || call.girl.gone_at_ms !== null) return 'gone'
  if (!call.girl.video) return 'camera_off'
  if (isSilent(call, 'guy', atMs, rules) || isSilent(call, 'girl', atMs, rules)) return 'no_report'
  const isStale = atMs - (call.guy.good_at_ms ?? -Infinity) >= rules.meter_no_frames_ms
  if (isStale && hasNoNewFrames(call)) return 'no_frames'
  return isStale && call.why !== null ? 'no_report' : null
}

function isSilent(call: Call, side: Side, atMs: number, rules: CallRules): boolean {
  return atMs - (call[side].reported_at_ms ?? -Infinity) >= rules.meter_no_report_ms
}

/** The guy's last report contained no new frame from the girl. */
function hasNoNewFrames(call: Call): boolean {
  return call.guy.reported_at_ms !== null && call.guy.reported_at_ms !== call.guy.good_at_ms
}

/** Whether this pause counts as broken media: both are present, and the girl did not switch her camera off. */
function isBroken(why: PauseReason | null): boolean {
  return why === 'no_frames' || why === 'no_report'
}

/** When broken media ends the call: after a time without interruption, or after a total time. */
export function mediaLostAt(call: Call, rules: CallRules): number {
  if (call.broken_since === null) return Infinity
  const leftMs = Math.min(rules.meter_pause_row_ms, rules.meter_pause_total_ms - call.broken_ms)
  return toMs(call.broken_since) + leftMs
}

/** When a camera that the girl keeps off ends the call: never while both agree to go on with sound. */
export function cameraOffEndAt(call: Call, rules: CallRules): number {
  if (isSoundOnly(call)) return Infinity
  return (call.girl.video_off_at_ms ?? Infinity) + rules.camera_off_end_ms
}

/**
 * The next moment at which time alone changes the meter: a pause, a phase, a hold, the regular event. The
 * end of the money is no such moment, because a report must prove the last second.
 */
export function meterDueAt(call: Call, rules: CallRules): number {
  if (call.status !== 'running') return Infinity
  if (call.why !== null) return Math.min(mediaLostAt(call, rules), cameraOffEndAt(call, rules))
  const zeroMs = toMs(call.last_round_at!) - call.good_ms
  const phase = call.phase
  let dueMs = Infinity
  if (phase === 'free') dueMs = Math.min(dueMs, zeroMs + call.free_seconds * 1000)
  if (phase === 'quota') dueMs = Math.min(dueMs, zeroMs + paidFrom(call))
  if (phase === 'paid' && call.meter_sent_at !== null)
    dueMs = Math.min(dueMs, toMs(call.meter_sent_at) + rules.meter_interval_ms)
  if (call.hold_asked_at === null && !call.hold_dry) {
    dueMs = Math.min(dueMs, zeroMs + paidFrom(call) + call.funded_seconds * 1000 - renewMs(rules))
  }
  return Math.min(dueMs, silenceDueAt(call, rules))
}

/** When missing reports or missing frames pause the meter. */
function silenceDueAt(call: Call, rules: CallRules): number {
  const { guy, girl } = call
  const silentMs = Math.min(guy.reported_at_ms!, girl.reported_at_ms!) + rules.meter_no_report_ms
  return hasNoNewFrames(call)
    ? Math.min(silentMs, guy.good_at_ms! + rules.meter_no_frames_ms)
    : silentMs
}

/**
 * How long before its end a hold is renewed. At most half a hold, so that a fresh hold is not renewed at
 * once.
 */
export function renewMs(rules: CallRules): number {
  return Math.min(rules.hold_renew_seconds, rules.hold_seconds / 2) * 1000
}

/** Counts the good time that the reports of both sides confirm. */
export function countConfirmed(call: Call): void {
  if (call.status !== 'running' || call.why !== null) return
  countGood(call, Math.min(call.guy.good_at_ms!, call.girl.good_at_ms!))
}

/**
 * Counts the good time of a call that a party ends now. The page that ends the call has just reported. The
 * last report of the other page may be one interval old. It counts until the next report is due, unless it
 * denies the picture.
 */
export function countUntilLeft(call: Call, rules: CallRules): void {
  const { guy, girl } = call
  const [first, last] = [guy.good_at_ms!, girl.good_at_ms!].sort((one, other) => one - other)
  const denies = guy.reported_at_ms! - guy.good_at_ms! > FRAME_MS
  const isProved = last === guy.good_at_ms || last === girl.proof_at_ms
  if (!denies && isProved) countGood(call, Math.min(last!, first! + rules.report_ms))
}

/** Counts good time up to a moment, at most the time that is covered, and splits it into shares. */
function countGood(call: Call, reportedMs: number): void {
  const fromMs = toMs(call.last_round_at!)
  const untilMs = Math.min(reportedMs, fromMs + coveredLeft(call, call.good_ms))
  if (untilMs <= fromMs) return
  call.good_ms += untilMs - fromMs
  call.last_round_at = toInstant(untilMs)
  Object.assign(call, shares(call, call.good_ms))
}

/** Pauses the meter from the last confirmed moment on. */
export function pause(call: Call, why: PauseReason): void {
  const fromMs = toMs(call.last_round_at!)
  call.why = why
  // Provisional time is not counted, and the private price may have begun in it.
  if (call.private_from !== null)
    call.private_from = Math.min(call.private_from, Math.ceil(call.good_ms / 1000))
  openPause(call, fromMs, why)
}

/** The meter stays paused, for another reason. */
export function changePause(call: Call, atMs: number, why: PauseReason): void {
  closePause(call, atMs)
  call.why = why
  openPause(call, atMs, why)
}

/** Resumes the meter. */
export function resume(call: Call, atMs: number): void {
  closePause(call, atMs)
  trackBrokenMedia(call, atMs, null)
  call.why = null
  call.last_round_at = toInstant(atMs)
}

/** A camera that is on sends at least one frame in this time; two reports within it may report the same frame. */
const FRAME_MS = 1000

/** Bounds the size of the row. */
const PAUSES_MAX = 100

function openPause(call: Call, fromMs: number, why: PauseReason): void {
  call.paused = [...call.paused, { from_ms: fromMs, ms: null, why }]
  trackBrokenMedia(call, fromMs, why)
}

/** Ends the current pause. Beyond the maximum number, the last pause has the sum of all following pauses. */
export function closePause(call: Call, atMs: number): void {
  const last = call.paused.at(-1)!
  const ended = { ...last, ms: atMs - last.from_ms }
  const earlier = call.paused.slice(0, -1)
  if (earlier.length >= PAUSES_MAX) {
    const before = earlier.pop()!
    call.paused = [...earlier, { ...before, ms: before.ms! + ended.ms }]
  } else call.paused = [...earlier, ended]
}

/** Broken media is one stretch, whatever its reasons, until media works again or one side is absent. */
function trackBrokenMedia(call: Call, atMs: number, why: PauseReason | null): void {
  if (isBroken(why)) call.broken_since ??= toInstant(atMs)
  else if (call.broken_since !== null) {
    call.broken_ms += atMs - toMs(call.broken_since)
    call.broken_since = null
  }
}
