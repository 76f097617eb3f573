import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { CallOpening } from '@duet/server/modules/calls/rules/call.ts'
import { randomFrom } from '../seeded-random.ts'
import { SimulatedCall, START_MS, simulatedOpening } from './simulated-call.ts'
import { SimulatedPage } from './simulated-page.ts'

/**
 * A random call from a seed, driven as the module drives calls, with a tick each second. The same seed
 * gives the same call. For tests and proofs.
 */

export const TICK_MS = 100
const LONGEST_TICKS = 3000

/** A random call: connections, reports in any order, losses, false reports, private requests, money in and out, crashes. */
export function simulate(seed: number): SimulatedCall {
  const random = randomFrom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const opening = randomOpening(random, below)
  const simulated = new SimulatedCall(opening, BigInt(below(200)) * 1000n + BigInt(below(1000)))
  const pages = { guy: new SimulatedPage('guy', random), girl: new SimulatedPage('girl', random) }
  let guid = 0
  const calm = random() < 0.3
  const drops = random() < 0.05
  for (let tick = 1; tick <= LONGEST_TICKS && simulated.call.status !== 'closed'; tick++) {
    const atMs = START_MS + tick * TICK_MS
    if (!simulated.isListening(atMs)) continue
    for (const page of random() < 0.5 ? [pages.guy, pages.girl] : [pages.girl, pages.guy]) {
      const report = page.report(atMs, `guid-${guid}`)
      if (report !== undefined) simulated.feed(report, atMs)
      if (drops && page.side === 'guy') dropOrReturn(simulated, page, random, atMs)
      else if (!page.present && random() < 0.02)
        guid = reconnect(simulated, pages, page, random, atMs, guid)
    }
    if (tick % 10 === 0) simulated.tick(atMs)
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
  if (simulated.call.status !== 'waiting' || random() >= 0.03) return
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
    simulated.crash(atMs, 100 * Math.floor(random() * 50))
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

/** The page of a liar: it loses its socket again and again and returns each time before the grace time ends. */
function dropOrReturn(
  simulated: SimulatedCall,
  page: SimulatedPage,
  random: () => number,
  atMs: number,
): void {
  if (page.present ? random() < 0.3 : random() > 0.1) return
  if (page.present && simulated.call.status !== 'running') return
  page.present = !page.present
  const type = page.present ? 'socket_restored' : 'socket_lost'
  simulated.feed({ type, side: page.side }, atMs)
}

/** The other side answers the open request. Without a request, the side's partner answers in vain. */
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

/**
 * Returns with the current peer connection, or after a reload with a new peer connection. Returns the
 * current guid.
 */
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
