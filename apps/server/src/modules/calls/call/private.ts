import type { AskRefusal, Happened, Turn } from './call-events.ts'
import { otherSide } from './call.ts'
import type { Side } from './call.ts'
import { goodUntil, shares, toInstant } from './meter.ts'
import { minuteUnits, spentUnits } from './receipt.ts'
import { reprice } from './rules-hold.ts'

type Asked = Extract<Happened, { kind: 'asked_private' }>
type Answered = Extract<Happened, { kind: 'answered_private' }>

/** One asks to go private; a crossed asking accepts. */
export function askPrivate(turn: Turn, { side, available_units }: Asked): void {
  const { call, effects, now_ms, rules } = turn
  if (call.state === 'private') return refuse(turn, 'not_found')
  if (call.ask?.by === side) {
    effects.push({ kind: 'asked', by: side, expires_at: toInstant(call.ask.expires_at_ms) })
    return
  }
  const wait_ms = call[side].ask_again_at_ms - now_ms
  if (call.ask === null && wait_ms > 0)
    return refuse(turn, 'too_many', { retry_after_seconds: Math.ceil(wait_ms / 1000) })
  if (cannotPay(turn, side, available_units)) return
  if (call.ask !== null) {
    effects.push({ kind: 'asked', by: side, expires_at: toInstant(call.ask.expires_at_ms) })
    return goPrivate(turn)
  }
  call.ask = { by: side, expires_at_ms: now_ms + rules.private_ask_ms }
  const expires_at = toInstant(call.ask.expires_at_ms)
  effects.push(
    { kind: 'asked', by: side, expires_at },
    { kind: 'tell_ask', to: otherSide(side), expires_at },
  )
}

/** The other answers. */
export function answerPrivate(turn: Turn, { side, accept, available_units }: Answered): void {
  const { call, effects, now_ms, rules } = turn
  if (call.ask === null || call.ask.by === side) return refuse(turn, 'pair_over')
  if (!accept) {
    const asker = call.ask.by
    call[asker].ask_again_at_ms = now_ms + rules.private_ask_again_ms
    call.ask = null
    effects.push({ kind: 'tell_ask_closed', to: asker, reason: 'declined' })
    return
  }
  if (cannotPay(turn, side, available_units)) return
  goPrivate(turn)
}

/** An asking that nobody answered is over. */
export function expireAsk({ call, effects, now_ms, rules }: Turn): void {
  if (call.ask === null || now_ms < call.ask.expires_at_ms) return
  call[call.ask.by].ask_again_at_ms = now_ms + rules.private_ask_again_ms
  call.ask = null
  effects.push({ kind: 'tell_ask_closed', to: 'guy', reason: 'expired' })
  effects.push({ kind: 'tell_ask_closed', to: 'girl', reason: 'expired' })
}

/** Free seconds are finished first by the order of the shares. */
function goPrivate(turn: Turn): void {
  turn.call.ask = null
  reprice(turn)
  turn.effects.push({ kind: 'tell_new_session' })
}

/** He must have the private minimum beyond what ran up already. A girl learns only that he takes no calls now. */
function cannotPay(turn: Turn, side: Side, available_units: bigint): boolean {
  const { call, now_ms, rules } = turn
  const { paid_seconds } = shares(call, goodUntil(call, now_ms))
  const unposted = spentUnits(call, paid_seconds) - spentUnits(call, call.posted_seconds)
  const minimum = BigInt(rules.private_minimum_seconds) * minuteUnits(call, 'guy', 'private')
  const missing_units = (minimum + 59n) / 60n - (available_units - unposted)
  if (missing_units <= 0n) return false
  if (side === 'guy') refuse(turn, 'no_balance', { missing_units })
  else refuse(turn, 'user_offline')
  return true
}

type Additional = { missing_units?: bigint; retry_after_seconds?: number }

function refuse({ effects }: Turn, name: AskRefusal, additional: Additional = {}): void {
  effects.push({ kind: 'refuse', name, ...additional })
}
