/**
 * Matchmaking: brings two users together, from the wish to meet to the call.
 *
 * Owns     the match queue, pairs (offers), meetings, search_rests, absences
 * Ignores  what happens in a call: it publishes that both accepted, and subscribes to calls that open and close
 * Laws     nobody is in two open offers, nor in an offer and a call (MA1) · after a user has left the search, nothing of it
 *          reaches them (MA2) · a user who did not decline waits on with the time already waited (MA3) · a visitor
 *          without account reserves nobody (MA4)
 */
import { module } from '../../core/module.ts'
import { authFields } from './auth-fields.ts'
import { callClosed, callOpened } from './on-domain-events.ts'
import { blockedBy, changedMeanwhile, leaveSearch, leftForGood, unblockedBy } from './ended-by.ts'
import { retention } from './retention.ts'
import { actions } from './socket.ts'
import { startMatching } from './start.ts'

export const matchmaking = module('matchmaking', {
  actions,
  authFields: authFields,
  subscribers: {
    async registered(tx, said) {
      tx.afterCommit(() => leaveSearch(tx.app, said.user_id))
    },
    logged_out: leftForGood,
    account_deleted: leftForGood,
    banned: leftForGood,
    blocked: blockedBy,
    unblocked: unblockedBy,
    member_updated: changedMeanwhile,
    call_opened: callOpened,
    call_closed: callClosed,
  },
  retention,
  start: startMatching,
})
export { putBack } from './search/put-back.ts'
export { setBreak } from './set-break.ts'
