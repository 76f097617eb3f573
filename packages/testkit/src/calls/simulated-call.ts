import { assert } from '@duet/server/lib/assert.ts'
import type { CallCommand, CallEvent } from '@duet/server/modules/calls/rules/call-events.ts'
import { callRules } from '@duet/server/modules/calls/rules/call-rules.ts'
import type { Call, CallOpening } from '@duet/server/modules/calls/rules/call.ts'
import { toInstant, toMs } from '@duet/server/modules/calls/rules/meter.ts'
import { affordableSeconds, holdUnits } from '@duet/server/modules/calls/rules/receipt.ts'
import { decide, openCall, tickRow, tickSuffices } from '@duet/server/modules/calls/rules/decide.ts'

export const simulatedRules = callRules({
  media_timeout: 15,
  partner_grace: 10,
  meter_no_frames: 3,
  meter_no_report: 5,
  meter_pause_row: 15,
  meter_pause_total: 60,
  contradiction_end: 10,
  camera_off_end: 60,
  hold_seconds: 60,
  hold_renew: 10,
  private_ask_seconds: 15,
  private_ask_again: 60,
  private_reserve: 60,
})

export const simulatedOpening: CallOpening = {
  session_id: 1,
  session_guid: 'guid-0',
  guy_id: 7,
  girl_id: 8,
  kind: 'random',
  guy_from_search: true,
  girl_from_search: true,
  price_public: 60_000n,
  price_private: 90_000n,
  earn_public: 5_000_000_000n,
  earn_private: 12_500_000_000n,
  paid_after: 10,
  free_start: true,
  guy_trusted: true,
  quota_seconds: 0,
}

/** One event of a simulation; `settled_to_ms` with `server_restarted`: up to when the stored row had counted. */
export interface SimulatedMoment {
  at_ms: number
  event: CallEvent
  settled_to_ms?: number | undefined
}
export const START_MS = 1_800_000_000_000

/**
 * A call with its accounts, driven as the module drives calls. Each decision is stored with its commands,
 * and a crash loses unstored state. Throws as soon as an invariant of money is broken.
 */
export class SimulatedCall {
  call: Call
  /** The guy's balance, what of it is held for this call, what the guy paid, what the girl earned. */
  balance: bigint
  held = 0n
  spent = 0n
  earned = 0n
  posted_seconds = 0
  quota_used = 0
  closes = 0
  commands: CallCommand[] = []
  moments: SimulatedMoment[] = []
  became_private_ms: number | null = null
  /** The first moment at which the open call had nothing due: no timer would ever end it. */
  without_timer_ms: number | null = null
  #ready_at_ms: number | null = null
  #stored: Call

  constructor(opening: CallOpening, balance: bigint, atMs = START_MS) {
    this.balance = balance
    const { call, commands } = openCall(opening, toInstant(atMs), simulatedRules)
    this.call = call
    this.#stored = call
    this.#perform(commands, atMs)
    this.#stored = this.call
  }

  get available(): bigint {
    return this.balance
  }

  feed(event: CallEvent, atMs: number, settledToMs?: number): CallCommand[] {
    this.moments.push({ at_ms: atMs, event, settled_to_ms: settledToMs })
    const before = this.commands.length
    const earlier = this.call
    const { call, commands } = decide(this.call, event, toInstant(atMs), simulatedRules)
    this.call = call
    if (commands.some(({ type }) => type === 'notify_new_session')) this.became_private_ms = atMs
    this.#perform(commands, atMs)
    if (!tickSuffices(earlier, this.call)) this.#stored = this.call
    this.#checkTimer(atMs)
    return this.commands.slice(before)
  }

  /** The tick of this second: what it stores is all that a crash leaves of the reports before it. */
  tick(atMs: number): void {
    const earlier = this.call
    const { call, commands } = decide(
      this.call,
      { type: 'wake_up' },
      toInstant(atMs),
      simulatedRules,
    )
    this.call = call
    this.#perform(commands, atMs)
    this.#stored = tickSuffices(earlier, this.call)
      ? { ...this.#stored, ...tickRow(this.call) }
      : this.call
    this.#checkTimer(atMs)
  }

  #checkTimer(atMs: number): void {
    if (this.call.status !== 'closed' && this.call.wake_at === null) this.without_timer_ms ??= atMs
  }

  /**
   * The process dies now and loses its memory. The next process has read the call at once and listens after
   * this time.
   */
  crash(atMs: number, downMs = 0): void {
    this.call = cloneCall(this.#stored)
    const { last_round_at } = this.#stored
    this.feed(
      { type: 'server_restarted' },
      atMs,
      last_round_at === null ? undefined : toMs(last_round_at),
    )
    this.#ready_at_ms = atMs + downMs
    this.isListening(atMs)
  }

  /** False from a crash until the next process listens; it then tells the call. */
  isListening(atMs: number): boolean {
    if (this.#ready_at_ms === null) return true
    if (atMs < this.#ready_at_ms) return false
    this.#ready_at_ms = null
    this.feed({ type: 'server_ready' }, atMs)
    return true
  }

  #perform(commands: CallCommand[], atMs: number): void {
    for (const command of commands) {
      this.commands.push(command)
      if (command.type === 'use_quota') this.quota_used += command.seconds
      if (command.type === 'close') this.closes++
      if (command.type === 'post_usage') this.#post(command)
      if (command.type === 'renew_hold') this.#post(command)
      if (command.type === 'renew_hold' || command.type === 'open_hold') this.#hold(command, atMs)
    }
  }

  #post({ post }: Extract<CallCommand, { type: 'post_usage' | 'renew_hold' }>): void {
    const his = post.his_units - this.spent
    assert(his >= 0n && post.her_units >= this.earned, 'totals only grow')
    assert(his <= this.held, 'no more is posted than was held')
    this.balance -= his
    this.held = 0n
    this.spent = post.his_units
    this.earned = post.her_units
    this.posted_seconds = post.paid_seconds
    assert(this.balance >= 0n, 'a balance is never negative')
  }

  #hold(request: Extract<CallCommand, { type: 'open_hold' | 'renew_hold' }>, atMs: number): void {
    const seconds = affordableSeconds(this.call, request, this.balance)
    this.held = holdUnits(this.call, request.from_seconds, seconds)
    assert(this.held <= request.units, 'no more is held than was requested')
    this.feed(seconds > 0 ? { type: 'hold_renewed', seconds } : { type: 'hold_refused' }, atMs)
  }
}

/** A copy like a row that is read back: it shares nothing with the old object. */
function cloneCall(call: Call): Call {
  const { guy, girl, paused, ask } = call
  return { ...call, ...structuredClone({ guy, girl, paused, ask }) }
}
