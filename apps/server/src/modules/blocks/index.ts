/**
 * Blocks: pairs of users who have no contact with each other.
 *
 * Tables         blocks (one row per owner and blocked user)
 * Does not know  what ends because of a block: calls, favourites and dialogs subscribe to `blocked`
 * Invariants     one row per owner and blocked user (B1) · a block works in both directions, at once, on every path (B2) ·
 *                repeating a block or its removal changes nothing (B3)
 */
import { module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { blockUser } from './block-user.ts'
import { blockedAmong, blockedPage, blockedPairs } from './queries.ts'
import { lockAccount } from './store.ts'
import { unblockUser } from './unblock-user.ts'

export const blocks = module('blocks', {
  actions: { BLOCK_USER: blockUser, UNBLOCK_USER: unblockUser },
  endpoints: {
    'POST ban_user': (app, viewer, { user }) => blockUser(app, viewer, { user_id: user }),
    'GET blocked': blockedPage,
  },
  // Runs before later modules remove what they store about the user. A contact that is being stored is stored before a ban.
  subscribers: {
    account_deleted: (tx, { user_id }) => lockAccount(tx, user_id),
    banned: (tx, { user_id }) => lockAccount(tx, user_id),
  },
  hiding: {
    hiddenUsers: (db, viewer, ids) => blockedAmong(db, viewer.id, ids),
    hiddenFrom: blockedPairs,
  },
  personalData: {
    tables: [
      personalTable('blocks', {
        users: ['owner_id', 'blocked_id'],
        erasure: 'deleted',
        // A user gets no copy of the blocks that others have set.
        exported: { of: ['owner_id'], by: 'blocked_id', columns: ['at'] },
      }),
    ],
  },
})
export { block } from './block-user.ts'
export { findMeetable } from './find-meetable.ts'
export { areBlocked, blockedAmong, blockedBy, blockedWith, isBlockedPair } from './queries.ts'
export { lockPair } from './store.ts'
