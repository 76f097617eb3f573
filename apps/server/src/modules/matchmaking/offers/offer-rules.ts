import type { PairClosedReason } from '@duet/protocol'
import { otherRole, type Role, ROLES } from '@duet/protocol/kernel/roles.ts'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import { unreachable } from '../../../lib/assert.ts'

/**
 * The life of an offer: two paired users see each other's card, and the offer becomes a call or ends. Pure:
 * the state is the row, and the process runtime stores it and executes the commands. An overdue expiry is
 * applied first, at the moment of the offer's end, however late the event arrives.
 */

export interface OfferRules {
  readonly offer_ms: number
  /** After this number of missed offers in a row the girl leaves the search. */
  readonly missed_offers: number
}
export type OfferAnswer = 'accepted' | 'declined'

export interface Offer {
  pair_id: string
  guy_id: number
  girl_id: number
  state: 'open' | 'matched' | 'closed'
  reason: PairClosedReason | null
  /** With 0 the guy has to answer even if he accepts automatically. */
  free_seconds: number
  guy_answer: OfferAnswer | null
  girl_answer: OfferAnswer | null
  /** The start of each wait, for a side that keeps waiting after the offer. */
  guy_waiting_since: Temporal.Instant
  girl_waiting_since: Temporal.Instant
  /** The offers that the girl missed in a row before this offer. */
  missed_before: number
  opened_at: Temporal.Instant
  /** When no answer becomes a rejection; a timer that survives a restart. */
  wake_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
}

export interface OfferOpening {
  pair_id: string
  guy_id: number
  girl_id: number
  free_seconds: number
  guy_auto_accept: boolean
  girl_auto_accept: boolean
  guy_waiting_since: Temporal.Instant
  girl_waiting_since: Temporal.Instant
  missed_before: number
}

export type OfferEvent =
  | { type: 'accepted'; side: Role }
  | { type: 'rejected'; side: Role }
  /** OUT_FROM_SEARCH, log-out. */
  | { type: 'stopped'; side: Role }
  /** The user had no socket for longer than a search lives without a socket, or was banned. */
  | { type: 'went_offline'; side: Role }
  /** Either blocked the other. */
  | { type: 'blocked' }
  /** This side has another call now, or is called. */
  | { type: 'taken'; side: Role; by: 'call' | 'ring' }
  /** This side accepted, now or before, and may not any more: no balance, no verification, no picture. */
  | { type: 'unable'; side: Role }
  | { type: 'time_came' }
  /** The server started: searches were in memory and are lost, so no side keeps waiting. */
  | { type: 'server_started' }

export type OfferCommand =
  /** Sends search_pair; without `needs_press` this side has accepted already. */
  | { type: 'show_offer'; to: Role; needs_press: boolean; missed_offers?: number }
  /** One call for both; if one of them is in a call already, the transaction is rolled back and `taken` follows. */
  | { type: 'open_call' }
  /** Sends search_pair_closed to both. */
  | { type: 'close_offer'; reason: PairClosedReason }
  | { type: 'keep_waiting'; side: Role; waiting_since: Temporal.Instant }
  /** The search of this side ends. Its page may start a new search. */
  | {
      type: 'leave_search'
      side: Role
      why:
        | 'declined'
        | 'expired'
        | 'missed_offers'
        | 'stopped'
        | 'offline'
        | 'unable'
        | 'in_call'
        | 'busy'
    }
  /** The two do not meet again for the rematch time. */
  | { type: 'record_meeting' }
  /** Stores the number of offers that the girl has missed in a row. */
  | { type: 'save_missed_offers'; missed_offers: number }
  /** The girl missed too many offers. */
  | { type: 'record_absence' }
  | { type: 'refuse'; name: 'pair_over' }

export type OfferDecision = Decision<Offer, OfferCommand>

/** The offer of two users who were matched now. If both accept automatically, a call opens at once and nothing is shown. */
export function openOffer(
  opening: OfferOpening,
  now: Temporal.Instant,
  rules: OfferRules,
): OfferDecision {
  const { guy_auto_accept, girl_auto_accept, ...known } = opening
  const offer: Offer = {
    ...known,
    state: 'open',
    reason: null,
    guy_answer: guy_auto_accept && opening.free_seconds > 0 ? 'accepted' : null,
    girl_answer: girl_auto_accept ? 'accepted' : null,
    opened_at: now,
    wake_at: now.add({ milliseconds: rules.offer_ms }),
    closed_at: null,
  }
  if (offer.guy_answer === 'accepted' && offer.girl_answer === 'accepted')
    return matched(offer, [], now)
  return {
    state: offer,
    commands: [
      { type: 'show_offer', to: 'guy', needs_press: offer.guy_answer === null },
      {
        type: 'show_offer',
        to: 'girl',
        needs_press: offer.girl_answer === null,
        ...(offer.missed_before > 0 ? { missed_offers: offer.missed_before } : {}),
      },
    ],
  }
}

/** Decides an event. `before` is not changed. */
export function decideOffer(
  before: Offer,
  event: OfferEvent,
  now: Temporal.Instant,
  rules: OfferRules,
): OfferDecision {
  if (before.state !== 'open') return { state: before, commands: lateAnswer(before, event) }
  if (event.type === 'server_started') return closed(before, [], 'cancelled', now)
  if (before.wake_at!.epochMilliseconds <= now.epochMilliseconds) {
    const expired = expire(before, before.wake_at!, rules)
    return {
      state: expired.state,
      commands: [...expired.commands, ...lateAnswer(expired.state, event)],
    }
  }
  switch (event.type) {
    case 'accepted':
      return accept(before, event.side, now)
    case 'rejected':
      return reject(before, event.side, now)
    case 'stopped':
    case 'unable':
      return withdraw(before, event.side, 'cancelled', now, [
        { type: 'leave_search', side: event.side, why: event.type },
      ])
    case 'went_offline':
      return withdraw(before, event.side, 'offline', now, [
        { type: 'leave_search', side: event.side, why: 'offline' },
      ])
    case 'taken':
      return withdraw(before, event.side, event.by === 'call' ? 'matched_elsewhere' : 'busy', now, [
        {
          type: 'leave_search',
          side: event.side,
          why: event.by === 'call' ? 'in_call' : 'busy',
        },
      ])
    case 'blocked':
      return closed(before, ROLES.map(keepsWaiting(before)), 'blocked', now)
    case 'time_came':
      return { state: before, commands: [] }
    default:
      return unreachable(event, 'an event that offers do not have')
  }
}

/** An answer that comes too late is refused; a repeated acceptance that was counted is not. */
function lateAnswer(offer: Offer, event: OfferEvent): OfferCommand[] {
  if (event.type === 'accepted') {
    const isCounted = offer.state === 'matched' && offer[`${event.side}_answer`] === 'accepted'
    return isCounted ? [] : [{ type: 'refuse', name: 'pair_over' }]
  }
  return event.type === 'rejected' ? [{ type: 'refuse', name: 'pair_over' }] : []
}

function accept(before: Offer, side: Role, now: Temporal.Instant): OfferDecision {
  if (before[`${side}_answer`] === 'accepted') return { state: before, commands: [] }
  const offer = { ...before, [`${side}_answer`]: 'accepted' as const }
  const commands = girlAnswered(before, side)
  const isMatched = offer.guy_answer === 'accepted' && offer.girl_answer === 'accepted'
  return isMatched ? matched(offer, commands, now) : { state: offer, commands }
}

function reject(before: Offer, side: Role, now: Temporal.Instant): OfferDecision {
  const offer = { ...before, [`${side}_answer`]: 'declined' as const }
  const other = otherRole(side)
  const commands: OfferCommand[] = [
    ...girlAnswered(before, side),
    { type: 'record_meeting' },
    { type: 'leave_search', side, why: 'declined' },
    keepsWaiting(before)(other),
  ]
  return closed(offer, commands, 'declined', now)
}

/** One side leaves the offer without an answer; the other keeps waiting. */
function withdraw(
  before: Offer,
  side: Role,
  reason: PairClosedReason,
  now: Temporal.Instant,
  commands: OfferCommand[] = [],
): OfferDecision {
  const other = otherRole(side)
  return closed(before, [...commands, keepsWaiting(before)(other)], reason, now)
}

/**
 * A missing answer counts as a rejection. A guy without an answer leaves the search. A girl without an
 * answer keeps waiting, with a wait that begins now. After too many missed offers in a row she leaves the
 * search too.
 */
function expire(before: Offer, at: Temporal.Instant, rules: OfferRules): OfferDecision {
  const commands: OfferCommand[] = [{ type: 'record_meeting' }]
  if (before.guy_answer === 'accepted') commands.push(keepsWaiting(before)('guy'))
  else commands.push({ type: 'leave_search', side: 'guy', why: 'expired' })
  if (before.girl_answer === 'accepted') commands.push(keepsWaiting(before)('girl'))
  else commands.push(...girlMissed(before.missed_before + 1, at, rules))
  return closed(before, commands, 'expired', at)
}

function girlMissed(
  missed_offers: number,
  at: Temporal.Instant,
  rules: OfferRules,
): OfferCommand[] {
  if (missed_offers < rules.missed_offers) {
    return [
      { type: 'save_missed_offers', missed_offers },
      { type: 'keep_waiting', side: 'girl', waiting_since: at },
    ]
  }
  return [
    { type: 'save_missed_offers', missed_offers: 0 },
    { type: 'record_absence' },
    { type: 'leave_search', side: 'girl', why: 'missed_offers' },
  ]
}

/** Any answer of the girl resets her missed offers. */
function girlAnswered(before: Offer, side: Role): OfferCommand[] {
  return side === 'girl' && before.missed_before > 0
    ? [{ type: 'save_missed_offers', missed_offers: 0 }]
    : []
}

function keepsWaiting(offer: Offer): (side: Role) => OfferCommand {
  return (side) => ({ type: 'keep_waiting', side, waiting_since: offer[`${side}_waiting_since`] })
}

function matched(offer: Offer, commands: OfferCommand[], now: Temporal.Instant): OfferDecision {
  return {
    state: { ...offer, state: 'matched', wake_at: null, closed_at: now },
    commands: [...commands, { type: 'open_call' }],
  }
}

function closed(
  offer: Offer,
  commands: OfferCommand[],
  reason: PairClosedReason,
  now: Temporal.Instant,
): OfferDecision {
  return {
    state: { ...offer, state: 'closed', reason, wake_at: null, closed_at: now },
    commands: [{ type: 'close_offer', reason }, ...commands],
  }
}
