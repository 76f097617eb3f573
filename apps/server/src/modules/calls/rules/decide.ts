import { assert, unreachable } from '../../../lib/assert.ts'
import type { CallCommand, CallDraft, CallEvent } from './call-events.ts'
import { createCall } from './call.ts'
import type { Call, CallOpening, CallRules, Side } from './call.ts'
import { closeCall } from './closing.ts'
import { applyHoldResult } from './holds.ts'
import { toInstant, toMs } from './meter.ts'
import { answerPrivate, requestPrivate } from './private.ts'
import { applyReport, countSilence } from './reports.ts'
import { applyServerRestart, graceEnd } from './restart.ts'
import { dueAt, review } from './review.ts'
import { answerSoundOnly } from './sound-only.ts'

/**
 * The life of a call as one pure function for sockets, timers, recovery and the simulation. The caller
 * stores the call and executes the commands in one transaction. The results of `open_hold` and `renew_hold`
 * come back in the same transaction with the same `now`.
 *
 * Effects of elapsed time are applied first, at the moment when they were due. So a call without money ends
 * at its exact second, however late the next event arrives.
 */
export interface CallDecision {
  call: Call
  commands: CallCommand[]
}

const NOTHING: CallCommand[] = []
const DUE_STEPS_MAX = 10_000

/** Opens a call now. The commands may contain a hold request. */
export function openCall(
  opening: CallOpening,
  now: Temporal.Instant,
  rules: CallRules,
): CallDecision {
  const draft = getDraft(createCall(opening, now, rules), toMs(now), rules)
  review(draft)
  // A command and no effect of the transaction: it is sent too if the answer of the commit was lost.
  draft.commands.push({ type: 'notify_new_session' })
  return finish(draft)
}

/** Decides what an event does to a call. `before` is not changed. */
export function decide(
  before: Call,
  event: CallEvent,
  now: Temporal.Instant,
  rules: CallRules,
): CallDecision {
  if (before.status === 'closed') return { call: before, commands: commandsAfterClose(event) }
  if (isTooEarly(before, event, now)) return { call: before, commands: NOTHING }
  // The clock may step back; what was counted stays counted.
  const nowMs = Math.max(toMs(now), toMs(before.last_round_at ?? before.opened_at))
  const call = { ...before, guy: { ...before.guy }, girl: { ...before.girl } }
  const draft = getDraft(call, nowMs, rules)
  // No page could report or return while the server was down, so that time makes nothing due.
  if (event.type !== 'server_restarted' && event.type !== 'server_ready') applyDueEvents(draft)
  if (call.status !== ('closed' as Call['status'])) {
    apply(draft, event)
    review(draft)
    applyDueEvents(draft)
  } else draft.commands.push(...commandsAfterClose(event))
  return finish(draft)
}

/** A timer that fires too early finds nothing due, and the call stays the same object. */
function isTooEarly({ wake_at }: Call, event: CallEvent, now: Temporal.Instant): boolean {
  return event.type === 'wake_up' && (wake_at === null || toMs(now) < toMs(wake_at))
}

/** The fields that a tick stores of a call, one row of one statement for all calls whose `good_ms` has changed. */
export function tickRow(call: Call) {
  const { session_id, good_ms, free_used, quota_used, paid_seconds, phase, last_round_at } = call
  return { session_id, good_ms, free_used, quota_used, paid_seconds, phase, last_round_at }
}

/** Fields that reports and ticks change; a crash may lose them back to the last tick. */
const TICK_FIELDS: ReadonlySet<string> = new Set([
  'good_ms',
  'free_used',
  'quota_used',
  'paid_seconds',
  'phase',
  'phase_since',
  'last_round_at',
  'meter_sent_at',
  'wake_at',
  'guy',
  'girl',
])
let durableFields: (keyof Call)[] | undefined
const DURABLE_PARTY_FIELDS = [
  'joined',
  'connected',
  'failed',
  'reached',
  'gone_at_ms',
  'gone_ms',
  'taken_over',
  'ask_again_at_ms',
  'sound_only',
  // Rare, and the live wall reads it from the row.
  'weak',
] as const

/**
 * Whether a decision changed only what reports and ticks change: then memory and the next tick are enough.
 * Every other decision must be stored as a whole before it counts. A crash would otherwise lose the guid,
 * the start of the meter or a pause.
 */
export function tickSuffices(before: Call, after: Call): boolean {
  if (before === after) return true
  // Computed once for all calls: they have the same fields, and this runs for every report.
  durableFields ??= (Object.keys(after) as (keyof Call)[]).filter((key) => !TICK_FIELDS.has(key))
  for (const key of durableFields) if (before[key] !== after[key]) return false
  return DURABLE_PARTY_FIELDS.every(
    (key) => before.guy[key] === after.guy[key] && before.girl[key] === after.girl[key],
  )
}

function getDraft(call: Call, nowMs: number, rules: CallRules): CallDraft {
  return { call, commands: [], now_ms: nowMs, rules, notify: false, renew: false }
}

/** Applies what became due until now, each thing at its own moment. */
function applyDueEvents(draft: CallDraft): void {
  const { call, rules, now_ms } = draft
  for (let steps = 0; ; steps++) {
    const dueMs = dueAt(call, rules)
    if (dueMs > now_ms) break
    assert(steps < DUE_STEPS_MAX, 'a due event that was applied is no longer due')
    draft.now_ms = dueMs
    review(draft)
  }
  draft.now_ms = now_ms
}

function finish({ call, commands, rules }: CallDraft): CallDecision {
  const dueMs = dueAt(call, rules)
  call.wake_at = dueMs === Infinity ? null : toInstant(dueMs)
  return { call, commands }
}

function commandsAfterClose(event: CallEvent): CallCommand[] {
  if (event.type === 'private_requested') return [{ type: 'refuse', name: 'not_found' }]
  if (event.type === 'private_answered') return [{ type: 'refuse', name: 'pair_over' }]
  return NOTHING
}

function apply(draft: CallDraft, event: CallEvent): void {
  const { call } = draft
  switch (event.type) {
    case 'joined':
      return applyJoined(draft, event.side, event.session_guid)
    case 'reached':
      return applyReached(draft, event.side)
    case 'peer_connected':
    case 'peer_not_connected':
      return applyPeerResult(draft, event)
    case 'reported':
      return applyReport(draft, event)
    case 'socket_lost':
    case 'taken_over':
      return applySocketLost(draft, event)
    case 'socket_restored':
      return applySocketRestored(draft, event.side)
    case 'private_requested':
      return requestPrivate(draft, event)
    case 'private_answered':
      return answerPrivate(draft, event)
    case 'sound_only_answered':
      return answerSoundOnly(draft, event.side, event.agree)
    case 'break_changed':
      call.break_set = event.on
      return
    case 'left':
      return applyLeft(draft, event)
    case 'ended_by_staff':
      return closeCall(draft, event.reason)
    case 'hold_renewed':
    case 'hold_refused':
      assert(call.hold_asked_at !== null, 'a hold result follows a hold request')
      return applyHoldResult(draft, event.type === 'hold_renewed' ? event.seconds : 0)
    case 'funds_added':
      call.hold_dry = false
      return
    case 'server_restarted':
      return applyServerRestart(draft)
    case 'server_ready':
      if (call.server_until !== null) call.server_until = graceEnd(draft)
      return
    case 'wake_up':
      return
    default:
      unreachable(event, 'an unknown event of a call')
  }
}

function applyJoined(draft: CallDraft, side: Side, sessionGuid: string): void {
  const { call } = draft
  call[side].joined = true
  if (sessionGuid !== call.session_guid) {
    // A new peer connection: its counters start at zero, and before the meter starts both sides must connect again.
    call.session_guid = sessionGuid
    const fresh = {
      connected: false,
      failed: false,
      frames_decoded: 0,
      frames_sent: 0,
      reports_received: 0,
      proof_from_ms: null,
      proof_at_ms: null,
    }
    Object.assign(call.guy, fresh)
    Object.assign(call.girl, fresh)
    call.guy.prepared = false
    // Her page has closed its camera's connection. His page may not take back by a reload what it has received.
    if (side === 'girl') call.guy.reached = false
  }
  applySocketRestored(draft, side)
}

function applySocketLost(
  { call, now_ms }: CallDraft,
  { type, side }: Extract<CallEvent, { type: 'socket_lost' | 'taken_over' }>,
): void {
  const party = call[side]
  party.taken_over ||= type === 'taken_over'
  if (party.gone_at_ms !== null) return
  party.gone_at_ms = now_ms
  // The loss also takes the provisional time before it from the meter: without that, short losses would cost nothing.
  if (call.status === 'running' && call.why === null)
    party.gone_ms = (party.gone_ms ?? 0) + now_ms - toMs(call.last_round_at!)
}

function applySocketRestored({ call, now_ms, rules }: CallDraft, side: Side): void {
  const party = call[side]
  if (party.gone_at_ms !== null) {
    party.returned_at_ms = now_ms
    if (call.status === 'running' && call.server_until === null)
      party.gone_ms = (party.gone_ms ?? 0) + now_ms - party.gone_at_ms
  }
  party.gone_at_ms = null
  party.taken_over = false
  if (call.server_until === null || call.guy.gone_at_ms !== null || call.girl.gone_at_ms !== null)
    return
  call.server_until = null
  // Her page may never report again, and then nothing else would end the call.
  if (!call.girl.video) call.girl.video_off_at_ms ??= now_ms
  if (call.status === 'waiting') call.media_due_at = toInstant(now_ms + rules.media_timeout_ms)
}

function applyReached({ call }: CallDraft, side: Side): void {
  if (call.status === 'waiting' && !call[side].connected) call[side].reached = true
}

function applyPeerResult(
  draft: CallDraft,
  { type, side, session_guid }: Extract<CallEvent, { type: `peer_${string}` }>,
): void {
  const { call, commands, now_ms } = draft
  if (session_guid !== call.session_guid || call.status !== 'waiting') return
  call[side].connected = type === 'peer_connected'
  call[side].failed = type === 'peer_not_connected'
  if (call[side].connected) call[side].reached = false
  if (!call.guy.connected || !call.girl.connected) return
  call.status = 'running'
  call.connected_at = toInstant(now_ms)
  call.last_round_at = call.connected_at
  for (const party of [call.guy, call.girl]) {
    party.reported_at_ms = now_ms
    party.good_at_ms = now_ms
  }
  if (call.girl.video_off_at_ms !== null) call.girl.video_off_at_ms = now_ms
  if (call.free_seconds > 0) commands.push({ type: 'use_free_start' })
}

function applyLeft(
  draft: CallDraft,
  { side, break: wantsBreak = false, next = false }: Extract<CallEvent, { type: 'left' }>,
): void {
  const { call } = draft
  if (side === 'guy') {
    call.guy_next = next
    countSilence(draft)
    return closeCall(draft, 'left')
  }
  call.break_set ||= wantsBreak
  closeCall(draft, call.break_set ? 'break' : 'left')
}
