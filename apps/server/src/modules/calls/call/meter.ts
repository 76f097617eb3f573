import type { Call, PauseReason, Phase, Side, VideoRules } from './call.ts'

/**
 * The fair meter. Good time is what the reports of both sides bear out: it is counted up to the earlier of his last
 * report with a new frame of hers and her last report with her camera on. What lies after that runs on trust and is
 * taken back when it turns out that it was not good.
 *
 * All functions take moments as epoch milliseconds; only the call's own columns are instants.
 */

export function toMs(at: Temporal.Instant): number {
  return at.epochMilliseconds
}

export function toInstant(ms: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(ms)
}

/** Good time up to `at_ms`, the part on trust included. */
export function goodUntil(call: Call, at_ms: number): number {
  if (call.status !== 'running' || call.why !== null || call.last_round_at === null)
    return call.good_ms
  return call.good_ms + Math.max(0, at_ms - toMs(call.last_round_at))
}

/** How completed good seconds fall into free, quota and paid ones. */
export function shares(
  call: Call,
  good_ms: number,
): { free_used: number; quota_used: number; paid_seconds: number } {
  const good_seconds = Math.floor(good_ms / 1000)
  const free_used = Math.min(good_seconds, call.free_seconds)
  const quota_used = Math.min(good_seconds - free_used, quotaLimit(call))
  return { free_used, quota_used, paid_seconds: good_seconds - free_used - quota_used }
}

/** Quota seconds that this call may use: what it began with, or what was used when it became private. */
function quotaLimit(call: Call): number {
  if (call.private_from === null) return call.quota_seconds
  return Math.min(call.quota_seconds, Math.max(0, call.private_from - call.free_seconds))
}

/** Good time at which the first paid second begins. */
function paidFrom(call: Call): number {
  return (call.free_seconds + quotaLimit(call)) * 1000
}

/** Paid seconds that cost the public price; all others cost the private one. */
export function publicPaidSeconds(call: Call, paid_seconds: number): number {
  if (call.private_from === null) return paid_seconds
  return Math.min(
    paid_seconds,
    Math.max(0, call.private_from - call.free_seconds - quotaLimit(call)),
  )
}

/** The phase that good time is in while the meter runs. */
export function phaseAt(call: Call, good_ms: number): Exclude<Phase, 'paused'> {
  if (good_ms < call.free_seconds * 1000) return 'free'
  return good_ms < paidFrom(call) ? 'quota' : 'paid'
}

/** Good time left before the next second is neither free nor on quota nor covered by the hold. */
export function coveredLeft(call: Call, good_ms: number): number {
  return paidFrom(call) + call.funded_seconds * 1000 - good_ms
}

/** Why no second passes at this moment, or null. Going on after a pause asks for fresh reports, not only for no trouble. */
export function troubleAt(call: Call, at_ms: number, rules: VideoRules): PauseReason | null {
  if (call.server_until !== null) return 'server'
  if (call.guy.gone_at_ms !== null || call.girl.gone_at_ms !== null) return 'gone'
  if (!call.girl.video) return 'camera_off'
  if (isSilent(call, 'guy', at_ms, rules) || isSilent(call, 'girl', at_ms, rules))
    return 'no_report'
  const isStale = at_ms - (call.guy.good_at_ms ?? -Infinity) >= rules.meter_no_frames_ms
  if (isStale && sawNothingNew(call)) return 'no_frames'
  return isStale && call.why !== null ? 'no_report' : null
}

function isSilent(call: Call, side: Side, at_ms: number, rules: VideoRules): boolean {
  return at_ms - (call[side].reported_at_ms ?? -Infinity) >= rules.meter_no_report_ms
}

/** His last report brought no new frame of hers. */
function sawNothingNew(call: Call): boolean {
  return call.guy.reported_at_ms !== null && call.guy.reported_at_ms !== call.guy.good_at_ms
}

/** Whether this pause counts as broken media: both present, and no wish of hers. */
function isBroken(why: PauseReason | null): boolean {
  return why === 'no_frames' || why === 'no_report'
}

/** When broken media ends the call: so long in a row, or so long in all. */
export function mediaLostAt(call: Call, rules: VideoRules): number {
  if (call.broken_since === null) return Infinity
  const left_ms = Math.min(rules.meter_pause_row_ms, rules.meter_pause_total_ms - call.broken_ms)
  return toMs(call.broken_since) + left_ms
}

/** The next moment at which the running meter changes by time alone: trouble, phase, money, the regular telling. */
export function meterDueAt(call: Call, rules: VideoRules): number {
  if (call.status !== 'running') return Infinity
  if (call.why !== null) return mediaLostAt(call, rules)
  const good_ms = call.good_ms
  const zero_ms = toMs(call.last_round_at!) - good_ms
  const phase = call.phase
  let due_ms = zero_ms + paidFrom(call) + call.funded_seconds * 1000
  if (call.hold_asked_at !== null) due_ms = Math.max(due_ms, toMs(call.hold_asked_at) + 1)
  if (phase === 'free') due_ms = Math.min(due_ms, zero_ms + call.free_seconds * 1000)
  if (phase === 'quota') due_ms = Math.min(due_ms, zero_ms + paidFrom(call))
  if (phase === 'paid' && call.told_at !== null)
    due_ms = Math.min(due_ms, toMs(call.told_at) + rules.meter_tell_ms)
  if (call.hold_asked_at === null && !call.hold_dry) {
    due_ms = Math.min(
      due_ms,
      zero_ms + paidFrom(call) + call.funded_seconds * 1000 - renewMs(rules),
    )
  }
  return Math.min(due_ms, troubleDueAt(call, rules))
}

/** When silence becomes trouble. */
function troubleDueAt(call: Call, rules: VideoRules): number {
  const { guy, girl } = call
  const silent_ms = Math.min(guy.reported_at_ms!, girl.reported_at_ms!) + rules.meter_no_report_ms
  return sawNothingNew(call)
    ? Math.min(silent_ms, guy.good_at_ms! + rules.meter_no_frames_ms)
    : silent_ms
}

/** How early a hold is renewed; never so early that a fresh one would ask again. */
export function renewMs(rules: VideoRules): number {
  return Math.min(rules.hold_renew_seconds, rules.hold_seconds / 2) * 1000
}

/** Counts what both sides' reports bear out by now. */
export function countConfirmed(call: Call): void {
  if (call.status !== 'running' || call.why !== null) return
  countGood(call, Math.min(call.guy.good_at_ms!, call.girl.good_at_ms!))
}

/** Counts good time up to a moment, and stores how it falls into shares. */
export function countGood(call: Call, until_ms: number): void {
  const from_ms = toMs(call.last_round_at!)
  if (until_ms <= from_ms) return
  call.good_ms += until_ms - from_ms
  call.last_round_at = toInstant(until_ms)
  Object.assign(call, shares(call, call.good_ms))
}

/** Stops the meter from the last good report on. */
export function pause(call: Call, at_ms: number, why: PauseReason): void {
  const from_ms = toMs(call.last_round_at!)
  call.why = why
  // What ran on trust is taken back, also where the private price had begun in it.
  if (call.private_from !== null)
    call.private_from = Math.min(call.private_from, Math.ceil(call.good_ms / 1000))
  openPause(call, from_ms, at_ms, why)
}

/** The meter stays stopped, for another reason. */
export function changePause(call: Call, at_ms: number, why: PauseReason): void {
  closePause(call, at_ms)
  call.why = why
  openPause(call, at_ms, at_ms, why)
}

/** The meter runs again. */
export function resume(call: Call, at_ms: number): void {
  closePause(call, at_ms)
  followBroken(call, at_ms, null)
  call.why = null
  call.doubt = null
  call.last_round_at = toInstant(at_ms)
}

const MOST_PAUSES = 100

function openPause(call: Call, from_ms: number, at_ms: number, why: PauseReason): void {
  const { frames_sent, reports_received } = call.girl
  call.doubt = why === 'no_frames' ? { since_ms: at_ms, frames_sent, reports_received } : null
  call.paused = [...call.paused, { from_ms, ms: null, why }]
  followBroken(call, from_ms, why)
}

/** Ends the pause that lasts. A call with very many keeps their sum in the last ones. */
export function closePause(call: Call, at_ms: number): void {
  const last = call.paused.at(-1)!
  const ended = { ...last, ms: at_ms - last.from_ms }
  const earlier = call.paused.slice(0, -1)
  if (earlier.length >= MOST_PAUSES) {
    const before = earlier.pop()!
    call.paused = [...earlier, { ...before, ms: before.ms! + ended.ms }]
  } else call.paused = [...earlier, ended]
}

/** Broken media is one stretch whatever breaks it, until it works again or somebody is gone. */
function followBroken(call: Call, at_ms: number, why: PauseReason | null): void {
  if (isBroken(why)) call.broken_since ??= toInstant(at_ms)
  else if (call.broken_since !== null) {
    call.broken_ms += at_ms - toMs(call.broken_since)
    call.broken_since = null
  }
}
