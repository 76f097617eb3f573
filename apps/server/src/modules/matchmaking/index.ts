/**
 * Matchmaking: brings two users together, from the wish to meet, or the invitation, to the call.
 *
 * Tables         the match queue, pairs (offers), invitations, meetings, search_rests, absences
 * Does not know  what happens in a call: it publishes that both accepted, and subscribes to calls that open and close
 * Invariants     no user is in two open offers, or in an offer and a call, and who calls is in nothing else (MA1) · after a user has left the search, no
 *                offer and no call follows from it (MA2) · a user who did not decline keeps waiting, with the time
 *                already waited (MA3) · a visitor without account reserves no user (MA4) · a companion of the demo
 *                stands behind every real user (MA6)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { deadLetterRetention } from '../../platform/database/outbox.ts'
import { callPermissions } from '../presence/index.ts'
import { commands } from './offers/commands.ts'
import { authFields } from './auth-fields.ts'
import { onAbsenceReversed } from './availability.ts'
import {
  onBlocked,
  onCallClosed,
  onCallOpened,
  onMemberUpdated,
  onUnblocked,
  onUserLeft,
  onVisibilityChanged,
} from './on-domain-events.ts'
import { setting } from '../settings/index.ts'
import { personalData } from './personal-data.ts'
import { retention } from './retention.ts'
import { acceptPair, rejectPair } from './invitations/answer-pair.ts'
import { canCall, readCallPermissions } from './invitations/invite-facts.ts'
import { onCallBecamePrivate } from './invitations/end-invitations.ts'
import { invite } from './invitations/invite.ts'
import { deliverRingPush, RING_PUSH } from './invitations/ring-push.ts'
import { searchAdvice } from './queue/search-advice.ts'
import { startSearch } from './start-search.ts'
import { stopSearch } from './stop-search.ts'
import { startMatchmaking } from './start-matchmaking.ts'

export const matchmaking = module('matchmaking', {
  actions: {
    MATCH_AWAIT: startSearch,
    OUT_FROM_SEARCH: stopSearch,
    SEARCH_PAIR_ACCEPT: acceptPair,
    SEARCH_PAIR_REJECT: rejectPair,
    INVITE_TO_CHAT: invite,
  } satisfies ActionsOf<'matchmaking'>,
  endpoints: {
    'GET can_call': canCall,
    'GET search/advice': searchAdvice,
  } satisfies EndpointsOf<'matchmaking'>,
  commands,
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
    absence_reversed: onAbsenceReversed,
    call_opened: onCallOpened,
    call_became_private: onCallBecamePrivate,
    call_closed: onCallClosed,
  },
  provides: [callPermissions.provide(readCallPermissions)],
  outboxHandlers: { [RING_PUSH]: deliverRingPush },
  personalData: { tables: personalData },
  systemFields: async (app) => {
    const absence_ms = setting(app, 'face_absence') * 1000
    return { features: { faces: { on: absence_ms > 0, absence_ms } } }
  },
  retention: [...retention, deadLetterRetention(RING_PUSH)],
  start: startMatchmaking,
})
export { companionSource, listSearches } from './offers/companion-source.ts'
export { reportFace } from './absence/report-face.ts'
export { breakAfterCall } from './break-after-call.ts'
export { pairPreparation, type PairPreparation } from './pair-preparation.ts'
export { pauseSearch } from './availability.ts'
export { type EndPublicCall, endPublicCall } from './invitations/answer-invitation.ts'
export { type RingInVain, ringsInVain, selectRingsInVain } from './invitations/invitation-store.ts'
export { beginBreakNow } from './stop-search.ts'
export { readGirlRank } from './queries.ts'
export { girlRank } from './queue/pairing-rules.ts'
export { assertMaySearch, isHiddenPair, mayBeOffered } from './queries.ts'
export { isOpeningRefused } from './enqueue.ts'
