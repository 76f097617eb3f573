/**
 * Matchmaking: brings two users together, from the wish to meet to the call.
 *
 * Tables         the match queue, pairs (offers), meetings, search_rests, absences
 * Does not know  what happens in a call: it publishes that both accepted, and subscribes to calls that open and close
 * Invariants     no user is in two open offers, or in an offer and a call (MA1) · after a user has left the search, no
 *                offer and no call follows from it (MA2) · a user who did not decline keeps waiting, with the time
 *                already waited (MA3) · a visitor without account reserves no user (MA4)
 */
import { type ActionsOf, module } from '../../core/module.ts'
import { authFields } from './auth-fields.ts'
import {
  onBlocked,
  onCallClosed,
  onCallOpened,
  onMemberUpdated,
  onUnblocked,
  onUserLeft,
  onVisibilityChanged,
} from './on-domain-events.ts'
import { personalData } from './personal-data.ts'
import { retention } from './retention.ts'
import { acceptOffer, rejectOffer } from './offers/answer-offer.ts'
import { startSearch } from './start-search.ts'
import { stopSearch } from './stop-search.ts'
import { startMatchmaking } from './start-matchmaking.ts'

export const matchmaking = module('matchmaking', {
  actions: {
    MATCH_AWAIT: startSearch,
    OUT_FROM_SEARCH: stopSearch,
    SEARCH_PAIR_ACCEPT: acceptOffer,
    SEARCH_PAIR_REJECT: rejectOffer,
  } satisfies Partial<ActionsOf<'matchmaking'>>,
  authFields,
  subscribers: {
    registered: onUserLeft,
    logged_out: onUserLeft,
    account_deleted: onUserLeft,
    banned: onUserLeft,
    blocked: onBlocked,
    unblocked: onUnblocked,
    member_updated: onMemberUpdated,
    visibility_changed: onVisibilityChanged,
    call_opened: onCallOpened,
    call_closed: onCallClosed,
  },
  personalData: { tables: personalData },
  retention,
  start: startMatchmaking,
})
export { breakAfterCall } from './break-after-call.ts'
export { pairPreparation, type PairPreparation } from './pair-preparation.ts'
export { pauseSearch } from './availability.ts'
export { beginBreakNow } from './stop-search.ts'
