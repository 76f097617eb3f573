import type { Turn } from './call-events.ts'
import type { CloseReason, Side } from './call.ts'
import { closePause, countGood, shares, toInstant } from './meter.ts'
import { receipt, totals } from './receipt.ts'
import { dropHoldWish } from './rules-hold.ts'

/** After these a girl who came from search is put back at once. */
const girlGoesOn: ReadonlySet<CloseReason> = new Set<CloseReason>([
  'left',
  'no_balance',
  'partner_lost',
  'media_lost',
  'not_connected',
  'server',
])

/**
 * Ends the call at this moment. What ran on trust since the last reports counts: nothing spoke against it.
 * `next`: he wants to be put back at once.
 */
export function closeCall(turn: Turn, reason: CloseReason, next = false): void {
  const { call, now_ms } = turn
  if (call.status === 'running') {
    if (call.why === null) countGood(call, now_ms)
    else closePause(call, now_ms)
    Object.assign(call, shares(call, call.good_ms))
  }
  call.status = 'closed'
  call.reason = reason
  call.closed_at = toInstant(now_ms)
  call.ask = null
  call.doubt = null
  call.broken_since = null
  call.server_until = null
  dropHoldWish(turn)
  settle(turn, reason, next)
}

function settle(turn: Turn, reason: CloseReason, next: boolean): void {
  const { call, effects } = turn
  if (reason === 'not_connected') judgeSilence(turn)
  takeQuota(turn)
  if (call.funded_seconds > 0) effects.push({ kind: 'post', post: totals(call, call.paid_seconds) })
  call.posted_seconds = call.paid_seconds
  effects.push({ kind: 'close', reason, guy: receipt(call, 'guy'), girl: receipt(call, 'girl') })
  if (reason === 'no_balance')
    effects.push({ kind: 'refill_balance', last_interlocutor: call.girl_id })
  putBack(turn, reason, next)
}

/** He saw nothing, says his silence; her page decoded his frames: the picture was there, and his free start is gone. */
function judgeSilence({ call, effects }: Turn): void {
  const reported = call.guy.connected || call.guy.reported_at_ms !== null
  if (reported || call.girl.frames_decoded === 0) return
  if (call.free_seconds > 0) effects.push({ kind: 'use_free_start' })
  effects.push({ kind: 'flag', about: 'never_reported', user_id: call.guy_id })
}

/** Takes the quota seconds that were used and not taken yet. */
export function takeQuota({ call, effects }: Turn): void {
  if (call.quota_used <= call.quota_taken) return
  effects.push({ kind: 'use_quota', seconds: call.quota_used - call.quota_taken })
  call.quota_taken = call.quota_used
}

function putBack({ call, effects }: Turn, why: CloseReason, next: boolean): void {
  const requeue = (side: Side) => effects.push({ kind: 'requeue', side, why })
  if (call.break_set) effects.push({ kind: 'begin_break' })
  else if (call.girl.from_search && girlGoesOn.has(why)) requeue('girl')
  if (call.guy.from_search && (why === 'not_connected' || next)) requeue('guy')
}
