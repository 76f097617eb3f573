import { assert, unreachable } from '../../../lib/assert.ts'
import type { Effect, Happened, Turn } from './call-events.ts'
import { newCall } from './call.ts'
import type { Call, Opening, Side, VideoRules } from './call.ts'
import { changePause, pause, toInstant, toMs } from './meter.ts'
import { answerPrivate, askPrivate } from './private.ts'
import { closeCall } from './rules-close.ts'
import { holdAnswered } from './rules-hold.ts'
import { dueAt, review } from './rules-review.ts'

/**
 * The life of a call. One pure function decides: the sockets, the round, the timers, the recovery after a crash and the
 * simulator all ask it. Whoever asks stores the call and does the effects in one transaction, and answers
 * `reserve` and `renew_hold` in that same transaction with the same `now`.
 *
 * What time alone brought is done first, at the moment when it was due, however late the question comes: so a call
 * without money ends at its exact second.
 */
export type Decision = { call: Call; effects: Effect[] }

const NOTHING: Effect[] = []
const MOST_DUES = 10_000

/** A call that opens now. Its effects may ask for a hold. */
export function openCall(opening: Opening, now: Temporal.Instant, rules: VideoRules): Decision {
  const turn = turnOf(newCall(opening, now, rules), toMs(now), rules)
  review(turn)
  return finish(turn, null)
}

/** What becomes of a call when this happens. `before` is not changed. */
export function decide(
  before: Call,
  happened: Happened,
  now: Temporal.Instant,
  rules: VideoRules,
): Decision {
  if (before.status === 'closed') return { call: before, effects: afterTheEnd(happened) }
  // The clock may step back; what was counted stays counted.
  const now_ms = Math.max(toMs(now), toMs(before.last_round_at ?? before.opened_at))
  const call = { ...before, guy: { ...before.guy }, girl: { ...before.girl } }
  const turn = turnOf(call, now_ms, rules)
  // While the server was away nobody could report: that time brings nothing.
  if (happened.kind !== 'server_back') passTime(turn)
  if (call.status !== ('closed' as Call['status'])) {
    happen(turn, happened)
    review(turn)
    passTime(turn)
  } else turn.effects.push(...afterTheEnd(happened))
  // After these no timer is set: it has just rung, or died with the former process.
  const noTimer = happened.kind === 'time_came' || happened.kind === 'server_back'
  return finish(turn, noTimer ? null : before.wake_at)
}

/** The look each second at a live call: the same call, untouched, when nothing is due. */
export function round(call: Call, now: Temporal.Instant, rules: VideoRules): Decision {
  if (call.wake_at === null || toMs(now) < toMs(call.wake_at)) return { call, effects: NOTHING }
  return decide(call, { kind: 'round' }, now, rules)
}

/** What a round stores of a call, one row of one statement for all; only where `good_ms` changed since. */
export function roundRow(call: Call) {
  const { session_id, good_ms, free_used, quota_used, paid_seconds, phase, last_round_at } = call
  return { session_id, good_ms, free_used, quota_used, paid_seconds, phase, last_round_at }
}

const roundKeeps: ReadonlySet<string> = new Set([
  'good_ms',
  'free_used',
  'quota_used',
  'paid_seconds',
  'phase',
  'phase_since',
  'last_round_at',
  'told_at',
  'wake_at',
  'guy',
  'girl',
])
let wholeKeeps: (keyof Call)[] | undefined
const partyKeeps = [
  'joined',
  'connected',
  'failed',
  'gone_at_ms',
  'taken_over',
  'ask_again_at_ms',
] as const

/**
 * Whether nothing changed but what reports and rounds change: then memory and the next round suffice. Any other decision
 * must be stored as a whole before it counts, or a crash would forget the guid, the clock's start or a pause.
 */
export function roundSuffices(before: Call, after: Call): boolean {
  if (before === after) return true
  // Once for all calls: they have the same fields, and this runs for every report.
  wholeKeeps ??= (Object.keys(after) as (keyof Call)[]).filter((key) => !roundKeeps.has(key))
  for (const key of wholeKeeps) if (before[key] !== after[key]) return false
  return partyKeeps.every(
    (key) => before.guy[key] === after.guy[key] && before.girl[key] === after.girl[key],
  )
}

function turnOf(call: Call, now_ms: number, rules: VideoRules): Turn {
  return { call, effects: [], now_ms, rules, tell: false, renew: false }
}

/** Does what became due by now, each thing at its own moment. */
function passTime(turn: Turn): void {
  const { call, rules, now_ms } = turn
  for (let dues = 0; ; dues++) {
    const due_ms = dueAt(call, rules)
    if (due_ms > now_ms) break
    assert(dues < MOST_DUES, 'a due that is done is no longer due')
    turn.now_ms = due_ms
    review(turn)
  }
  turn.now_ms = now_ms
}

function finish({ call, effects, now_ms, rules }: Turn, woken: Temporal.Instant | null): Decision {
  const due_ms = dueAt(call, rules)
  call.wake_at = due_ms === Infinity ? null : toInstant(due_ms)
  // A timer that rings too early asks again; only an earlier one must be set.
  const rings_ms = woken === null || toMs(woken) <= now_ms ? Infinity : toMs(woken)
  if (call.wake_at !== null && due_ms < rings_ms)
    effects.push({ kind: 'wake_at', at: call.wake_at })
  return { call, effects }
}

function afterTheEnd(happened: Happened): Effect[] {
  if (happened.kind === 'asked_private') return [{ kind: 'refuse', name: 'not_found' }]
  if (happened.kind === 'answered_private') return [{ kind: 'refuse', name: 'pair_over' }]
  return NOTHING
}

function happen(turn: Turn, happened: Happened): void {
  const { call } = turn
  switch (happened.kind) {
    case 'joined':
      return joined(turn, happened.side, happened.session_guid)
    case 'peer_connected':
    case 'peer_not_connected':
      return peerTried(turn, happened)
    case 'reported':
      return reported(turn, happened)
    case 'socket_lost':
    case 'taken_over':
      call[happened.side].gone_at_ms ??= turn.now_ms
      call[happened.side].taken_over ||= happened.kind === 'taken_over'
      return
    case 'socket_back':
      return isBack(turn, happened.side)
    case 'asked_private':
      return askPrivate(turn, happened)
    case 'answered_private':
      return answerPrivate(turn, happened)
    case 'break_set':
      call.break_set = happened.on
      return
    case 'left':
      return left(turn, happened)
    case 'staff_ended':
      return closeCall(turn, happened.reason)
    case 'hold_renewed':
    case 'hold_refused':
      assert(call.hold_asked_at !== null, 'a hold is answered that nobody asked for')
      return holdAnswered(turn, happened.kind === 'hold_renewed' ? happened.seconds : 0)
    case 'money_came':
      call.hold_dry = false
      return
    case 'money_ended':
      return closeCall(turn, 'no_balance')
    case 'server_back':
      return serverIsBack(turn)
    case 'time_came':
    case 'round':
      return
    default:
      unreachable(happened, 'something happened that no call knows')
  }
}

function joined(turn: Turn, side: Side, session_guid: string): void {
  const { call } = turn
  call[side].joined = true
  if (session_guid !== call.session_guid) {
    // A fresh peer connection: its counters begin anew, and before the clock's start both must connect again.
    call.session_guid = session_guid
    const fresh = {
      connected: false,
      failed: false,
      frames_decoded: 0,
      frames_sent: 0,
      reports_received: 0,
    }
    Object.assign(call.guy, fresh)
    Object.assign(call.girl, fresh)
    call.doubt = null
  }
  isBack(turn, side)
}

function isBack({ call, now_ms, rules }: Turn, side: Side): void {
  call[side].gone_at_ms = null
  call[side].taken_over = false
  if (call.server_until === null || call.guy.gone_at_ms !== null || call.girl.gone_at_ms !== null)
    return
  call.server_until = null
  if (call.status === 'waiting') call.media_due_at = toInstant(now_ms + rules.media_timeout_ms)
}

function peerTried(
  turn: Turn,
  { kind, side, session_guid }: Extract<Happened, { kind: `peer_${string}` }>,
): void {
  const { call, effects, now_ms } = turn
  if (session_guid !== call.session_guid || call.status !== 'waiting') return
  call[side].connected = kind === 'peer_connected'
  call[side].failed = kind === 'peer_not_connected'
  if (!call.guy.connected || !call.girl.connected) return
  call.status = 'running'
  call.connected_at = toInstant(now_ms)
  call.last_round_at = call.connected_at
  for (const party of [call.guy, call.girl]) {
    party.reported_at_ms = now_ms
    party.good_at_ms = now_ms
  }
  if (call.free_seconds > 0) effects.push({ kind: 'use_free_start' })
}

function reported(
  { call, effects, now_ms }: Turn,
  state: Extract<Happened, { kind: 'reported' }>,
): void {
  if (state.session_guid !== call.session_guid) return
  const party = call[state.side]
  const isGood = state.side === 'guy' ? state.frames_decoded > party.frames_decoded : state.video
  party.reported_at_ms = now_ms
  if (isGood) party.good_at_ms = now_ms
  party.frames_decoded = state.frames_decoded
  party.frames_sent = state.frames_sent
  party.reports_received = state.reports_received
  party.video = state.video
  if (call.flagged || !isContradicted(call)) return
  call.flagged = true
  effects.push({ kind: 'flag', about: 'contradiction', user_id: call.guy_id })
}

/** Since he stopped seeing frames his page still speaks, and hers proves that it sends and that he receives. */
function isContradicted({ doubt, guy, girl }: Call): boolean {
  if (
    doubt === null ||
    guy.reported_at_ms === guy.good_at_ms ||
    guy.reported_at_ms! <= doubt.since_ms
  )
    return false
  return girl.frames_sent > doubt.frames_sent && girl.reports_received > doubt.reports_received
}

function left(
  turn: Turn,
  { side, break: toBreak = false, next = false }: Extract<Happened, { kind: 'left' }>,
): void {
  const { call } = turn
  if (side === 'guy') return closeCall(turn, 'left', next)
  call.break_set ||= toBreak
  closeCall(turn, call.break_set ? 'break' : 'left')
}

/** Settled to what was stored: the meter stands from there, and both have the grace time to come back. */
function serverIsBack(turn: Turn): void {
  const { call, now_ms, rules } = turn
  for (const party of [call.guy, call.girl]) {
    party.gone_at_ms = now_ms
    party.taken_over = false
    party.reported_at_ms = null
    party.good_at_ms = null
  }
  call.server_until = toInstant(now_ms + rules.partner_grace_ms)
  call.hold_asked_at = null
  if (call.status !== 'running') return
  turn.tell = true
  // A pause that was stored may have been over by the last round: then the server's begins there.
  const from_ms = Math.max(toMs(call.last_round_at!), call.paused.at(-1)?.from_ms ?? 0)
  if (call.why === null) pause(call, now_ms, 'server')
  else changePause(call, from_ms, 'server')
}
