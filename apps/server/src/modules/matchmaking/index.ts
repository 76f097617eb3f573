/**
 * Matching: who is shown to whom, from the wish to meet somebody to the call.
 *
 * Owns     the waiting room, pairs, meetings, free_quotas, free_starts, search_rests, absences
 * Ignores  what happens in a call: it states that two said yes, and hears that their call opened and closed
 * Laws     nobody is in two open offers, nor in an offer and a call (MA1) · who let go of the search hears nothing of it
 *          any more (MA2) · who did not decline waits on with the time already waited (MA3) · a visitor without account
 *          reserves nobody (MA4) · free seconds are used once a pair and day (MA5)
 */
import { module } from '../../core/module.ts'
import { authFields } from './auth-fields.ts'
import { callClosed, callOpened } from './calls.ts'
import { blockedBy, changedMeanwhile, leaveSearch, leftForGood, unblockedBy } from './ended-by.ts'
import { giveQuota } from './quota.ts'
import { actions } from './socket.ts'
import { startMatching } from './start.ts'

export const matchmaking = module('matchmaking', {
  actions,
  authFields: authFields,
  subscribers: {
    async registered(tx, said) {
      await giveQuota(tx, said)
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
  start: startMatching,
})
export { hasFreeStart, useFreeStart } from './free-starts.ts'
export { putBack } from './search/put-back.ts'
export { quotaOf, takeQuota } from './quota.ts'
export { setBreak } from './set-break.ts'
