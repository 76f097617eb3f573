import { unreachable } from '../../../lib/assert.ts'
import type { Side } from '../queue/pairing-rules.ts'

/**
 * The life of an offer: two who were paired see each other's card, and it becomes one call or ends. The row of the offer
 * is all there is; whoever asks stores it and does the effects in one transaction. What time brought comes first, at the
 * moment of the offer's end, however late the question.
 */

export type OfferRules = { offer_ms: number; missed_offers: number }
export type Answer = 'accepted' | 'declined'
export type PairClosedReason =
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'busy'
  | 'offline'
  | 'blocked'
  | 'matched_elsewhere'

export type Offer = {
  pair_id: string
  guy_id: number
  girl_id: number
  state: 'open' | 'matched' | 'closed'
  reason: PairClosedReason | null
  /** Without any, he is asked although he accepts automatically. */
  free_seconds: number
  guy_answer: Answer | null
  girl_answer: Answer | null
  /** Start of each wait, for who is put back. */
  guy_waiting_since: Temporal.Instant
  girl_waiting_since: Temporal.Instant
  /** Offers that she let pass in a row before this one. */
  missed_before: number
  opened_at: Temporal.Instant
  /** When no answer becomes a rejection; a timer that survives a restart. */
  wake_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
}

export type Pairing = {
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

export type OfferHappened =
  | { kind: 'accepted'; side: Side }
  | { kind: 'rejected'; side: Side }
  /** OUT_FROM_SEARCH, log-out. */
  | { kind: 'stopped'; side: Side }
  /** No socket for longer than the search lives without one; a ban. */
  | { kind: 'went_offline'; side: Side }
  /** Either blocked the other. */
  | { kind: 'blocked' }
  /** This side has another call now, or rings for one. */
  | { kind: 'taken'; side: Side; by: 'call' | 'ring' }
  /** This side pressed accept and cannot: no balance, spending limit. */
  | { kind: 'unable'; side: Side }
  | { kind: 'time_came' }
  /** The server started: waiting was memory, so nobody is put back. */
  | { kind: 'server_started' }

export type OfferEffect =
  /** search_pair; without `needs_press` this side has accepted already. */
  | { kind: 'show'; to: Side; needs_press: boolean; missed_offers?: number }
  /** One call for both, or neither: if the transaction finds one of them taken, feed `taken` instead. */
  | { kind: 'open_call' }
  /** search_pair_closed, to both. */
  | { kind: 'close'; reason: PairClosedReason }
  | { kind: 'wait_on'; side: Side; waiting_since: Temporal.Instant }
  /** Search is over for this side; its page asks again if it wants to. */
  | {
      kind: 'out_of_search'
      side: Side
      why: 'declined' | 'expired' | 'missed_offers' | 'stopped' | 'unable'
    }
  /** They do not meet again for the rematch time. */
  | { kind: 'remember_declined' }
  /** How many offers in a row she has let pass now. */
  | { kind: 'count_missed'; missed_offers: number }
  /** She let too many pass: an absence. */
  | { kind: 'record_absence' }
  | { kind: 'refuse'; name: 'pair_over' }
  | { kind: 'wake_at'; at: Temporal.Instant }

export type OfferDecision = { offer: Offer; effects: OfferEffect[] }

const sides = ['guy', 'girl'] as const

/** An offer of two who were paired now. Where both accept automatically it is a call at once and nothing is shown. */
export function openOffer(
  pairing: Pairing,
  now: Temporal.Instant,
  rules: OfferRules,
): OfferDecision {
  const { guy_auto_accept, girl_auto_accept, ...known } = pairing
  const offer: Offer = {
    ...known,
    state: 'open',
    reason: null,
    guy_answer: guy_auto_accept && pairing.free_seconds > 0 ? 'accepted' : null,
    girl_answer: girl_auto_accept ? 'accepted' : null,
    opened_at: now,
    wake_at: now.add({ milliseconds: rules.offer_ms }),
    closed_at: null,
  }
  if (offer.guy_answer === 'accepted' && offer.girl_answer === 'accepted')
    return matched(offer, [], now)
  return {
    offer,
    effects: [
      { kind: 'show', to: 'guy', needs_press: offer.guy_answer === null },
      {
        kind: 'show',
        to: 'girl',
        needs_press: offer.girl_answer === null,
        ...(offer.missed_before > 0 ? { missed_offers: offer.missed_before } : {}),
      },
      { kind: 'wake_at', at: offer.wake_at! },
    ],
  }
}

/** What becomes of an offer when this happens. `before` is not changed. */
export function decideOffer(
  before: Offer,
  happened: OfferHappened,
  now: Temporal.Instant,
  rules: OfferRules,
): OfferDecision {
  if (before.state !== 'open') return { offer: before, effects: afterwards(before, happened) }
  if (happened.kind === 'server_started') return closed(before, [], 'cancelled', now)
  if (before.wake_at!.epochMilliseconds <= now.epochMilliseconds) {
    const expired = expire(before, before.wake_at!, rules)
    return {
      offer: expired.offer,
      effects: [...expired.effects, ...afterwards(expired.offer, happened)],
    }
  }
  switch (happened.kind) {
    case 'accepted':
      return accept(before, happened.side, now)
    case 'rejected':
      return reject(before, happened.side, now)
    case 'stopped':
    case 'unable':
      return withdraw(before, happened.side, 'cancelled', now, [
        { kind: 'out_of_search', side: happened.side, why: happened.kind },
      ])
    case 'went_offline':
      return withdraw(before, happened.side, 'offline', now)
    case 'taken':
      return withdraw(
        before,
        happened.side,
        happened.by === 'call' ? 'matched_elsewhere' : 'busy',
        now,
      )
    case 'blocked':
      return closed(before, sides.map(waitsOn(before)), 'blocked', now)
    case 'time_came':
      return { offer: before, effects: [] }
    default:
      return unreachable(happened, 'something happened that no offer knows')
  }
}

/** Too late: a press is told so, but one's own acceptance that was already counted. */
function afterwards(offer: Offer, happened: OfferHappened): OfferEffect[] {
  if (happened.kind === 'accepted') {
    const counted = offer.state === 'matched' && offer[`${happened.side}_answer`] === 'accepted'
    return counted ? [] : [{ kind: 'refuse', name: 'pair_over' }]
  }
  return happened.kind === 'rejected' ? [{ kind: 'refuse', name: 'pair_over' }] : []
}

function accept(before: Offer, side: Side, now: Temporal.Instant): OfferDecision {
  if (before[`${side}_answer`] === 'accepted') return { offer: before, effects: [] }
  const offer = { ...before, [`${side}_answer`]: 'accepted' as const }
  const effects = sheAnswered(before, side)
  const both = offer.guy_answer === 'accepted' && offer.girl_answer === 'accepted'
  return both ? matched(offer, effects, now) : { offer, effects }
}

function reject(before: Offer, side: Side, now: Temporal.Instant): OfferDecision {
  const offer = { ...before, [`${side}_answer`]: 'declined' as const }
  const other = side === 'guy' ? 'girl' : 'guy'
  const effects: OfferEffect[] = [
    ...sheAnswered(before, side),
    { kind: 'remember_declined' },
    { kind: 'out_of_search', side, why: 'declined' },
    waitsOn(before)(other),
  ]
  return closed(offer, effects, 'declined', now)
}

/** One side is out of it for a reason that is no answer; the other waits on. */
function withdraw(
  before: Offer,
  side: Side,
  reason: PairClosedReason,
  now: Temporal.Instant,
  effects: OfferEffect[] = [],
): OfferDecision {
  const other = side === 'guy' ? 'girl' : 'guy'
  return closed(before, [...effects, waitsOn(before)(other)], reason, now)
}

/**
 * No answer is a rejection. He is out of search by it; she goes on waiting from now, until she has let too many pass
 * in a row.
 */
function expire(before: Offer, at: Temporal.Instant, rules: OfferRules): OfferDecision {
  const effects: OfferEffect[] = [{ kind: 'remember_declined' }]
  if (before.guy_answer === 'accepted') effects.push(waitsOn(before)('guy'))
  else effects.push({ kind: 'out_of_search', side: 'guy', why: 'expired' })
  if (before.girl_answer === 'accepted') effects.push(waitsOn(before)('girl'))
  else effects.push(...sheMissed(before.missed_before + 1, at, rules))
  return closed(before, effects, 'expired', at)
}

function sheMissed(missed_offers: number, at: Temporal.Instant, rules: OfferRules): OfferEffect[] {
  if (missed_offers < rules.missed_offers) {
    return [
      { kind: 'count_missed', missed_offers },
      { kind: 'wait_on', side: 'girl', waiting_since: at },
    ]
  }
  return [
    { kind: 'count_missed', missed_offers: 0 },
    { kind: 'record_absence' },
    { kind: 'out_of_search', side: 'girl', why: 'missed_offers' },
  ]
}

/** A press of hers, whatever it says, ends the row of missed offers. */
function sheAnswered(before: Offer, side: Side): OfferEffect[] {
  return side === 'girl' && before.missed_before > 0
    ? [{ kind: 'count_missed', missed_offers: 0 }]
    : []
}

function waitsOn(offer: Offer): (side: Side) => OfferEffect {
  return (side) => ({ kind: 'wait_on', side, waiting_since: offer[`${side}_waiting_since`] })
}

function matched(offer: Offer, effects: OfferEffect[], now: Temporal.Instant): OfferDecision {
  return {
    offer: { ...offer, state: 'matched', wake_at: null, closed_at: now },
    effects: [...effects, { kind: 'open_call' }],
  }
}

function closed(
  offer: Offer,
  effects: OfferEffect[],
  reason: PairClosedReason,
  now: Temporal.Instant,
): OfferDecision {
  return {
    offer: { ...offer, state: 'closed', reason, wake_at: null, closed_at: now },
    effects: [{ kind: 'close', reason }, ...effects],
  }
}
