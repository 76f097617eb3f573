import type { CallDraft } from './call-events.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Call, CallRules, Side } from './call.ts'
import { closePause, countUntilLeft, pause, pauseReasonAt, toInstant, toMs } from './meter.ts'
import { countSilence, isContradicted } from './reports.ts'
import { receipt, totals } from './receipt.ts'
import { cancelHoldRequest } from './holds.ts'

/** After these reasons a girl who came from search is put back into search at once. */
const GIRL_REQUEUES_AFTER: ReadonlySet<CloseReason> = new Set<CloseReason>([
  'left',
  'no_balance',
  'partner_lost',
  'media_lost',
  'not_connected',
  'server',
])

/**
 * Ends the call at this moment. If the money is spent, the call ends at the end of the last covered second,
 * because a later report proved that second.
 */
export function closeCall(draft: CallDraft, reason: CloseReason): void {
  const { call } = draft
  if (call.status === 'running') stopMeter(draft, reason)
  const { now_ms } = draft
  call.status = 'closed'
  call.reason = reason
  call.closed_at = toInstant(now_ms)
  call.ask = null
  call.broken_since = null
  call.server_until = null
  cancelHoldRequest(draft)
  settle(draft, reason)
}

/** Only proven time counts: what no report confirms is a pause at the end of the receipt. */
function stopMeter(draft: CallDraft, reason: CloseReason): void {
  const { call, rules } = draft
  if (reason === 'media_lost') countSilence(draft)
  if (isContradicted(call, rules)) flagContradiction(draft)
  if (hasLostOften(call, rules)) draft.commands.push({ type: 'flag', about: 'loss' })
  if (reason === 'no_balance') draft.now_ms = toMs(call.last_round_at!)
  if (call.why !== null) return closePause(call, draft.now_ms)
  if (reason === 'left' || reason === 'break') countUntilLeft(call, rules)
  if (draft.now_ms <= toMs(call.last_round_at!)) return
  pause(call, pauseReasonAt(call, draft.now_ms, rules) ?? 'no_report')
  closePause(call, draft.now_ms)
}

function flagContradiction({ call, commands }: CallDraft): void {
  call.flagged = true
  commands.push({ type: 'flag', about: 'contradiction' })
}

/**
 * While the guy's socket is lost, his browser may go on receiving the girl's video, and that time costs
 * nothing. A single loss ends within the grace time, and the last loss is not counted. So the time that a
 * contradiction needs always takes several losses.
 */
function hasLostOften({ guy }: Call, rules: CallRules): boolean {
  return (guy.gone_ms ?? 0) >= rules.contradiction_end_ms
}

function settle(draft: CallDraft, reason: CloseReason): void {
  const { call, commands } = draft
  if (reason === 'not_connected') flagSilentGuy(draft)
  takeQuota(draft)
  if (call.funded_seconds > 0)
    commands.push({ type: 'post_usage', post: totals(call, call.paid_seconds) })
  call.posted_seconds = call.paid_seconds
  commands.push({
    type: 'close',
    reason,
    guy: receipt(call, 'guy'),
    girl: receipt(call, 'girl'),
    requeue: sidesToRequeue(call),
    begin_break: call.break_set,
  })
  if (reason === 'no_balance')
    commands.push({ type: 'refill_balance', last_interlocutor: call.girl_id })
}

/**
 * The guy's page never said that it is connected, although his browser confirmed the girl's frames. A page that
 * reported nothing at all is also silent if the girl's page decoded its frames. A page that reached the girl's page
 * after she joined is silent in any case, except while her own page reports that her camera is off. Over a prepared
 * connection nothing says that his page is there: then her page must have sent frames.
 */
function isSilentGuy({ guy, girl }: Call): boolean {
  if (guy.connected) return false
  const hasFlowed = guy.reached === true || (guy.prepared === true && girl.frames_sent > 0)
  if (hasFlowed && girl.joined && girl.video) return true
  const hasReceived = girl.frames_sent > 0 && girl.reports_received > 0
  return hasReceived || (guy.reported_at_ms === null && girl.frames_decoded > 0)
}

/** The free start of a silent guy counts as used, and he is flagged. */
function flagSilentGuy({ call, commands }: CallDraft): void {
  if (!isSilentGuy(call)) return
  if (call.free_seconds > 0) commands.push({ type: 'use_free_start' })
  commands.push({ type: 'flag', about: 'never_reported' })
}

/** Takes the quota seconds that were used and not taken yet. */
export function takeQuota({ call, commands }: CallDraft): void {
  if (call.quota_used <= call.quota_taken) return
  commands.push({ type: 'use_quota', seconds: call.quota_used - call.quota_taken })
  call.quota_taken = call.quota_used
}

/**
 * The sides that go back into search after this closed call. The stored call is enough to know it. A silent
 * guy is not put back: otherwise a recorder would see every girl in turn without a request.
 */
export function sidesToRequeue(call: Call): Side[] {
  const { reason, guy, girl, break_set, guy_next } = call
  const sides: Side[] = []
  if (girl.from_search && !break_set && GIRL_REQUEUES_AFTER.has(reason!)) sides.push('girl')
  if (guy.from_search && ((reason === 'not_connected' && !isSilentGuy(call)) || guy_next))
    sides.push('guy')
  return sides
}
