import { otherRole } from '@duet/protocol/kernel/roles.ts'
import { assert } from '../../../lib/assert.ts'
import type { CallCommand, CallEvent } from './call-events.ts'
import { callRules } from './call.ts'
import { randomOf } from './seeded-random.ts'
import { SimulatedPage } from './simulated-page.ts'
import type { Call, CallOpening } from './call.ts'
import { toInstant, toMs } from './meter.ts'
import { affordableSeconds, holdUnits } from './receipt.ts'
import { decide, openCall, tickRow, tickSuffices } from './decide.ts'

/**
 * One random call from a seed, driven as the module drives calls: each decision is stored with its commands, each second
 * has its tick, and a crash loses what was not stored. The same seed gives the same call. For tests and proofs.
 */

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

/** A call with its accounts: executes the commands, and throws as soon as an invariant of money is broken. */
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
  }

  /** The process dies now, loses its memory, and is ready again at once. */
  crash(atMs: number): void {
    this.call = structuredCloneOf(this.#stored)
    const { last_round_at } = this.#stored
    this.feed(
      { type: 'server_restarted' },
      atMs,
      last_round_at === null ? undefined : toMs(last_round_at),
    )
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
function structuredCloneOf(call: Call): Call {
  const { guy, girl, paused, ask } = call
  return { ...call, ...structuredClone({ guy, girl, paused, ask }) }
}

export const TICK_MS = 100
const LONGEST_TICKS = 3000

/** A random call: connections, reports in any order, losses, false reports, private requests, money in and out, crashes. */
export function simulate(seed: number): SimulatedCall {
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  const opening = randomOpening(random, below)
  const simulated = new SimulatedCall(opening, BigInt(below(200)) * 1000n + BigInt(below(1000)))
  const pages = { guy: new SimulatedPage('guy', random), girl: new SimulatedPage('girl', random) }
  let guid = 0
  const calm = random() < 0.3
  for (let tick = 1; tick <= LONGEST_TICKS && simulated.call.status !== 'closed'; tick++) {
    const atMs = START_MS + tick * TICK_MS
    for (const page of random() < 0.5 ? [pages.guy, pages.girl] : [pages.girl, pages.guy]) {
      const report = page.report(atMs, `guid-${guid}`)
      if (report !== undefined) simulated.feed(report, atMs)
      if (!page.present && random() < 0.02)
        guid = reconnect(simulated, pages, page, random, atMs, guid)
    }
    if (tick % 10 === 0) simulated.tick(atMs)
    if (simulated.call.status === 'waiting' && random() < 0.03)
      connect(simulated, random, atMs, `guid-${guid}`)
    if (random() < (calm ? 0.002 : 0.012)) disturb(simulated, pages, random, atMs)
  }
  if (simulated.call.status !== 'closed')
    simulated.feed({ type: 'left', side: 'guy' }, START_MS + (LONGEST_TICKS + 1) * TICK_MS)
  return simulated
}

function randomOpening(random: () => number, below: (n: number) => number): CallOpening {
  return {
    ...simulatedOpening,
    kind: random() < 0.8 ? 'random' : 'direct',
    free_start: random() < 0.7,
    guy_trusted: random() < 0.8,
    quota_seconds: random() < 0.5 ? below(60) : 0,
    price_public: random() < 0.7 ? 60_000n : BigInt(below(200_000)),
    price_private: random() < 0.7 ? 90_000n : BigInt(below(300_000)),
  }
}

function connect(
  simulated: SimulatedCall,
  random: () => number,
  atMs: number,
  session_guid: string,
): void {
  const side = random() < 0.5 ? 'guy' : 'girl'
  const type = random() < 0.95 ? 'peer_connected' : 'peer_not_connected'
  simulated.feed({ type, side, session_guid }, atMs)
}

/** An unusual event. */
function disturb(
  simulated: SimulatedCall,
  pages: { guy: SimulatedPage; girl: SimulatedPage },
  random: () => number,
  atMs: number,
): void {
  const page = random() < 0.5 ? pages.guy : pages.girl
  const side = page.side
  const what = Math.floor(random() * 26)
  if (what < 6) page.change()
  else if (what < 12) disconnect(simulated, page, random, atMs)
  else if (what < 16)
    simulated.feed({ type: 'private_requested', side, available_units: simulated.available }, atMs)
  else if (what < 19) answerPrivate(simulated, side, random, atMs)
  else if (what < 21) topUp(simulated, random, atMs)
  else if (what === 21) spendElsewhere(simulated, random)
  else if (what === 22) simulated.feed({ type: 'break_changed', on: random() < 0.5 }, atMs)
  else if (what === 23 && random() < 0.6) {
    simulated.crash(atMs)
    pages.guy.present = false
    pages.girl.present = false
  } else if (what === 24 && random() < 0.3)
    simulated.feed({ type: 'ended_by_staff', reason: 'moderator' }, atMs)
  else if (what === 25 && random() < 0.5)
    simulated.feed({ type: 'left', side, break: random() < 0.3, next: random() < 0.5 }, atMs)
}

function disconnect(
  simulated: SimulatedCall,
  page: SimulatedPage,
  random: () => number,
  atMs: number,
): void {
  if (page.present)
    simulated.feed({ type: random() < 0.8 ? 'socket_lost' : 'taken_over', side: page.side }, atMs)
  page.present = false
}

/** The other side answers the open request; without one, the side's partner answers in vain. */
function answerPrivate(
  simulated: SimulatedCall,
  side: SimulatedPage['side'],
  random: () => number,
  atMs: number,
): void {
  const answer = { side: otherRole(simulated.call.ask?.by ?? side), accept: random() < 0.8 }
  simulated.feed(
    { type: 'private_answered', ...answer, available_units: simulated.available },
    atMs,
  )
}

/** Returns with the current peer connection, or after a reload with a new one; returns the current guid. */
function reconnect(
  simulated: SimulatedCall,
  pages: { guy: SimulatedPage; girl: SimulatedPage },
  page: SimulatedPage,
  random: () => number,
  atMs: number,
  guid: number,
): number {
  page.present = true
  if (random() < 0.6) simulated.feed({ type: 'socket_restored', side: page.side }, atMs)
  else {
    pages.guy.fresh()
    pages.girl.fresh()
    simulated.feed({ type: 'joined', side: page.side, session_guid: `guid-${++guid}` }, atMs)
  }
  return guid
}

function topUp(simulated: SimulatedCall, random: () => number, atMs: number): void {
  simulated.balance += BigInt(Math.floor(random() * 60_000))
  simulated.feed({ type: 'funds_added' }, atMs)
}

/** A gift can use only what is not held. */
function spendElsewhere(simulated: SimulatedCall, random: () => number): void {
  simulated.balance -= BigInt(Math.floor(random() * Number(simulated.balance - simulated.held)))
}
