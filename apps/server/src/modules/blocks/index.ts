/**
 * Blocks: who has nothing to do with whom any more.
 *
 * Owns     blocks (one row for owner and person)
 * Ignores  what ends because of it: calls, favourites and dialogs hear `blocked`
 * Laws     once per pair (B1) · it works both ways, at once, on every path (B2) · repeating is harmless (B3)
 */
import { module } from '../../core/module.ts'
import { blockedPage } from './blocked-page.ts'
import { blockUser, unblockUser } from './block-user.ts'
import { blockedAmong, blockedPairs } from './queries.ts'

export const blocks = module('blocks', {
  actions: { BLOCK_USER: blockUser, UNBLOCK_USER: unblockUser },
  endpoints: {
    'POST ban_user': (app, viewer, { user }) => blockUser(app, viewer, { user_id: user }),
    'GET blocked': blockedPage,
  },
  hiddenUsers: blockedAmong,
  hiddenFrom: blockedPairs,
})
export { areBlocked, blockedAmong, blockedWith, findMeetable } from './queries.ts'
export { lockPair } from './store.ts'
