import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { SearchAdvice, SearchPair, SearchState } from '../kernel/entities.ts'
import { LocaleName } from '../kernel/locale-schemas.ts'
import { limits } from '../kernel/limits.ts'
import { localeNames } from '../kernel/locales.ts'
import { Millis, nothing, Permission, UserId, Uuid } from '../kernel/primitives.ts'

const PairId = z.object({ pair_id: Uuid })

export const PairClosedReason = z.enum([
  'declined',
  'expired',
  'cancelled',
  'busy',
  'offline',
  'blocked',
  'matched_elsewhere',
  'unable',
])
export type PairClosedReason = z.output<typeof PairClosedReason>

export const actions = {
  MATCH_AWAIT: action('MATCH_AWAIT', {
    method: 'startSearch',
    summary: 'Enters the search, or stays in it; a girl’s break is over by it.',
    who: 'guest',
    rate: '60/min',
    data: z.object({ locales: z.array(LocaleName).max(localeNames.length).optional() }),
    ack: SearchState,
    refuses: [
      'registered_only',
      'age_unconfirmed',
      'verification_required',
      'avatar_required',
      'no_balance',
      'in_call',
    ],
  }),
  OUT_FROM_SEARCH: action('OUT_FROM_SEARCH', {
    method: 'stopSearch',
    summary:
      'Leaves the search: no offer and no call comes from it afterwards. A girl’s break ends with it; in a call, it sets her break for the end of the call.',
    who: 'guest',
    // Leaving is refused later than entering.
    rate: '120/min',
    data: nothing,
    ack: nothing,
    refuses: [],
  }),
  SEARCH_PAIR_ACCEPT: action('SEARCH_PAIR_ACCEPT', {
    method: 'acceptPair',
    summary: 'Accepts an offer or an invitation; when both did, the call opens.',
    who: 'guest',
    rate: '60/min',
    data: PairId,
    ack: nothing,
    refuses: [
      'registered_only',
      'verification_required',
      'avatar_required',
      'no_balance',
      'in_call',
      'blocked',
      'pair_over',
    ],
  }),
  SEARCH_PAIR_REJECT: action('SEARCH_PAIR_REJECT', {
    method: 'rejectPair',
    summary: 'Declines an offer or an invitation; the caller withdraws an invitation by it.',
    who: 'guest',
    rate: '60/min',
    data: PairId,
    ack: nothing,
    refuses: ['pair_over'],
  }),
  INVITE_TO_CHAT: action('INVITE_TO_CHAT', {
    method: 'invite',
    summary:
      'Invites a user to a private call; takes the caller out of search. The same user, or the same random_id, again returns the first answer.',
    who: 'member',
    rate: '20/min',
    data: z.object({
      user_id: UserId,
      random_id: z.string().min(1).max(limits.random_id_characters).optional(),
    }),
    ack: z.object({ pair_id: Uuid, expires_in_ms: Millis }),
    refuses: [
      'age_unconfirmed',
      'avatar_required',
      'verification_required',
      'no_balance',
      'premium_only',
      'in_call',
      'not_found',
      'blocked',
      'user_offline',
      'pair_over',
      'too_many',
    ],
  }),
}

export const events = {
  search_state: event('search_state', {
    summary: 'The state of the own search, at every change.',
    payload: SearchState,
  }),
  search_pair: event('search_pair', {
    summary: 'A user to meet: an offer, an invitation, or a preview for a visitor.',
    payload: SearchPair,
  }),
  search_pair_closed: event('search_pair_closed', {
    summary: 'An offer or a ring ended without a call.',
    payload: z.object({ pair_id: Uuid, reason: PairClosedReason }),
  }),
}

export const endpoints = {
  'GET can_call': endpoint('GET', 'can_call', {
    summary: 'Whether the user may call this user now; otherwise why not.',
    who: 'member',
    rate: '60/min',
    query: z.object({ user_id: z.coerce.number().pipe(UserId) }),
    data: Permission,
    refuses: [],
  }),
  'GET search/advice': endpoint('GET', 'search/advice', {
    summary:
      'What the user who waits could change to wait less, from the users who wait now. Empty in the first seconds of a search and without a search.',
    who: 'member',
    rate: '30/min',
    data: z.object({ advice: z.array(SearchAdvice).max(4) }),
    refuses: [],
  }),
}
