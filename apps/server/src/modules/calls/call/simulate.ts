import { assert } from '../../../lib/assert.ts'
import type { Effect, Happened } from './call-events.ts'
import { otherSide, videoRules } from './call.ts'
import type { Call, Opening, Side } from './call.ts'
import { toInstant, toMs } from './meter.ts'
import { affordableSeconds, holdUnits } from './receipt.ts'
import { decide, openCall, round, roundRow, roundSuffices } from './rules.ts'

/**
 * One random call from a seed, driven as the video module drives calls: each decision is stored with its effects, each
 * second has its round, a crash forgets what was not stored. The same seed gives the same call. For tests and proofs.
 */

export const simulatedRules = videoRules({
  media_timeout: 15,
  partner_grace: 10,
  meter_no_frames: 3,
  meter_no_report: 5,
  meter_pause_row: 15,
  meter_pause_total: 60,
  hold_seconds: 60,
  hold_renew: 10,
  private_ask_seconds: 15,
  private_ask_again: 60,
  private_reserve: 60,
})

export const simulatedOpening: Opening = {
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
  quota_seconds: 0,
}

/** What happened, in order; `settled_to_ms` with `server_back`: up to when the stored row had counted. */
export type Moment = { at_ms: number; happened: Happened; settled_to_ms?: number | undefined }
export const START_MS = 1_800_000_000_000

/** A call with the books around it: performs the effects, and stops at once where a law of money is broken. */
export class LiveCall {
  call: Call
  /** His balance, what of it is held for this call, what he paid, what she earned. */
  balance: bigint
  held = 0n
  spent = 0n
  earned = 0n
  posted_seconds = 0
  quota_used = 0
  closes = 0
  effects: Effect[] = []
  moments: Moment[] = []
  became_private_ms: number | null = null
  #stored: Call

  constructor(opening: Opening, balance: bigint, at_ms = START_MS) {
    this.balance = balance
    const { call, effects } = openCall(opening, toInstant(at_ms), simulatedRules)
    this.call = call
    this.#stored = call
    this.#perform(effects, at_ms)
    this.#stored = this.call
  }

  get available(): bigint {
    return this.balance
  }

  feed(happened: Happened, at_ms: number, settled_to_ms?: number): Effect[] {
    this.moments.push({ at_ms, happened, settled_to_ms })
    const before = this.effects.length
    const earlier = this.call
    const { call, effects } = decide(this.call, happened, toInstant(at_ms), simulatedRules)
    this.call = call
    if (effects.some(({ kind }) => kind === 'tell_new_session')) this.became_private_ms = at_ms
    this.#perform(effects, at_ms)
    if (!roundSuffices(earlier, this.call)) this.#stored = this.call
    return this.effects.slice(before)
  }

  /** The round of this second: what it stores is all that a crash leaves of the reports before it. */
  round(at_ms: number): void {
    const earlier = this.call
    const { call, effects } = round(this.call, toInstant(at_ms), simulatedRules)
    this.call = call
    this.#perform(effects, at_ms)
    this.#stored = roundSuffices(earlier, this.call)
      ? { ...this.#stored, ...roundRow(this.call) }
      : this.call
  }

  /** The process dies now, forgets its memory, and is ready again at once. */
  crash(at_ms: number): void {
    this.call = structuredCloneOf(this.#stored)
    const { last_round_at } = this.#stored
    this.feed(
      { kind: 'server_back' },
      at_ms,
      last_round_at === null ? undefined : toMs(last_round_at),
    )
  }

  #perform(effects: Effect[], at_ms: number): void {
    for (const effect of effects) {
      this.effects.push(effect)
      if (effect.kind === 'use_quota') this.quota_used += effect.seconds
      if (effect.kind === 'close') this.closes++
      if (effect.kind === 'post') this.#post(effect)
      if (effect.kind === 'renew_hold') this.#post(effect)
      if (effect.kind === 'renew_hold' || effect.kind === 'reserve') this.#hold(effect, at_ms)
    }
  }

  #post({ post }: Extract<Effect, { kind: 'post' | 'renew_hold' }>): void {
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

  #hold(wish: Extract<Effect, { kind: 'reserve' | 'renew_hold' }>, at_ms: number): void {
    const seconds = affordableSeconds(this.call, wish, this.balance)
    this.held = holdUnits(this.call, wish.from_seconds, seconds)
    assert(this.held <= wish.units, 'no more is held than was wished for')
    this.feed(seconds > 0 ? { kind: 'hold_renewed', seconds } : { kind: 'hold_refused' }, at_ms)
  }
}

/** As a row read back: nothing of the old object is shared. */
function structuredCloneOf(call: Call): Call {
  const { guy, girl, paused, ask, doubt } = call
  return { ...call, ...structuredClone({ guy, girl, paused, ask, doubt }) }
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const TICK_MS = 100
const LONGEST_TICKS = 3000

/** How one page behaves in a stretch of the call. */
type Habit = { reports: boolean; frames: boolean; video: boolean; sends: boolean }

class Page {
  readonly side: Side
  readonly #random: () => number
  habit: Habit = { reports: true, frames: true, video: true, sends: true }
  present = true
  next_report_ms = 0
  decoded = 0
  sent = 0
  received = 0

  constructor(side: Side, random: () => number) {
    this.side = side
    this.#random = random
  }

  change(): void {
    const often = () => this.#random() < 0.8
    this.habit = { reports: often(), frames: often(), video: often(), sends: often() }
    if (this.#random() < 0.5) this.habit = { reports: true, frames: true, video: true, sends: true }
  }

  fresh(): void {
    this.decoded = 0
    this.sent = 0
    this.received = 0
  }

  report(at_ms: number, session_guid: string): Happened | undefined {
    if (at_ms < this.next_report_ms) return undefined
    this.next_report_ms =
      at_ms + (this.#random() < 0.85 ? 2000 : 100 * Math.floor(this.#random() * 60))
    const { reports, frames, video, sends } = this.habit
    if (frames) this.decoded += 1 + Math.floor(this.#random() * 60)
    if (sends) this.sent += 60
    if (sends) this.received += 2
    if (!reports || !this.present) return undefined
    const counters = {
      frames_decoded: this.decoded,
      frames_sent: this.sent,
      reports_received: this.received,
    }
    return { kind: 'reported', side: this.side, session_guid, ...counters, audio: true, video }
  }
}

/** A random life: connecting, reports in any order, losses, lies, asking for privacy, money coming and going, crashes. */
export function simulate(seed: number): LiveCall {
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  const opening: Opening = {
    ...simulatedOpening,
    kind: random() < 0.8 ? 'random' : 'direct',
    free_start: random() < 0.7,
    quota_seconds: random() < 0.5 ? below(60) : 0,
    price_public: random() < 0.7 ? 60_000n : BigInt(below(200_000)),
    price_private: random() < 0.7 ? 90_000n : BigInt(below(300_000)),
  }
  const live = new LiveCall(opening, BigInt(below(200)) * 1000n + BigInt(below(1000)))
  const pages = { guy: new Page('guy', random), girl: new Page('girl', random) }
  let guid = 0
  const calm = random() < 0.3
  for (let tick = 1; tick <= LONGEST_TICKS && live.call.status !== 'closed'; tick++) {
    const at_ms = START_MS + tick * TICK_MS
    for (const page of random() < 0.5 ? [pages.guy, pages.girl] : [pages.girl, pages.guy]) {
      const report = page.report(at_ms, `guid-${guid}`)
      if (report !== undefined) live.feed(report, at_ms)
      if (!page.present && random() < 0.02) guid = comeBack(live, pages, page, random, at_ms, guid)
    }
    if (tick % 10 === 0) live.round(at_ms)
    if (live.call.status === 'waiting' && random() < 0.03)
      connect(live, random, at_ms, `guid-${guid}`)
    if (random() < (calm ? 0.002 : 0.012)) surprise(live, pages, random, at_ms)
  }
  if (live.call.status !== 'closed')
    live.feed({ kind: 'left', side: 'guy' }, START_MS + (LONGEST_TICKS + 1) * TICK_MS)
  return live
}

function connect(live: LiveCall, random: () => number, at_ms: number, session_guid: string): void {
  const side = random() < 0.5 ? 'guy' : 'girl'
  const kind = random() < 0.95 ? 'peer_connected' : 'peer_not_connected'
  live.feed({ kind, side, session_guid }, at_ms)
}

/** Something out of the ordinary. */
function surprise(
  live: LiveCall,
  pages: { guy: Page; girl: Page },
  random: () => number,
  at_ms: number,
): void {
  const page = random() < 0.5 ? pages.guy : pages.girl
  const side = page.side
  const what = Math.floor(random() * 26)
  if (what < 6) page.change()
  else if (what < 12) {
    if (page.present)
      live.feed({ kind: random() < 0.8 ? 'socket_lost' : 'taken_over', side }, at_ms)
    page.present = false
  } else if (what < 16)
    live.feed({ kind: 'asked_private', side, available_units: live.available }, at_ms)
  else if (what < 19) {
    const answer = { side: otherSide(live.call.ask?.by ?? side), accept: random() < 0.8 }
    live.feed({ kind: 'answered_private', ...answer, available_units: live.available }, at_ms)
  } else if (what < 21) topUp(live, random, at_ms)
  else if (what === 21) spendElsewhere(live, random)
  else if (what === 22) live.feed({ kind: 'break_set', on: random() < 0.5 }, at_ms)
  else if (what === 23 && random() < 0.6) {
    live.crash(at_ms)
    pages.guy.present = false
    pages.girl.present = false
  } else if (what === 24 && random() < 0.3)
    live.feed({ kind: 'staff_ended', reason: 'moderator' }, at_ms)
  else if (what === 25 && random() < 0.5)
    live.feed({ kind: 'left', side, break: random() < 0.3, next: random() < 0.5 }, at_ms)
}

/** With the running peer connection, or after a reload with a fresh one; answers the guid that holds. */
function comeBack(
  live: LiveCall,
  pages: { guy: Page; girl: Page },
  page: Page,
  random: () => number,
  at_ms: number,
  guid: number,
): number {
  page.present = true
  if (random() < 0.6) live.feed({ kind: 'socket_back', side: page.side }, at_ms)
  else {
    pages.guy.fresh()
    pages.girl.fresh()
    live.feed({ kind: 'joined', side: page.side, session_guid: `guid-${++guid}` }, at_ms)
  }
  return guid
}

function topUp(live: LiveCall, random: () => number, at_ms: number): void {
  live.balance += BigInt(Math.floor(random() * 60_000))
  live.feed({ kind: 'money_came' }, at_ms)
}

/** A gift: it may use only what is not held. */
function spendElsewhere(live: LiveCall, random: () => number): void {
  live.balance -= BigInt(Math.floor(random() * Number(live.balance - live.held)))
}
