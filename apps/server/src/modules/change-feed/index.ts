/**
 * Change feed: every durable event of a user, one row each, written in the transaction that caused it.
 *
 * Tables         changes, change_heads
 * Does not know  what a change means: it stores an event and ids, the module of the event renders them when they are read
 * Invariants     changes are numbered per user without gaps (C1) · a fetched state plus its changes equals the state
 *                fetched again (C2) · nothing is sent before its row is committed (C3)
 */
import { limits } from '@duet/protocol'
import { module } from '../../core/module.ts'
import { changeLog } from '../../platform/notifier/change-log.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { dropMonths } from '../../platform/retention/retention-rule.ts'
import { getChanges } from './get-changes.ts'
import { readHead } from './queries.ts'
import { resendLastChanges } from './render-changes.ts'
import { appendStatement } from './store.ts'

export const changeFeed = module('change-feed', {
  actions: { GET_CHANGES: getChanges },
  provides: [changeLog.provide({ append: appendStatement, resendLast: resendLastChanges })],
  // Read before any state, so that later changes are applied on top of it.
  authFields: async (app, viewer) => ({ change_id: await readHead(app.db, viewer.id) }),
  personalData: {
    tables: [
      personalTable('change_heads', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'numbers of the change log' },
      }),
      personalTable('changes', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'change_id', columns: ['event', 'payload', 'at'] },
      }),
    ],
  },
  retention: [dropMonths('changes', () => limits.change_days)],
})

export { resendLastChanges }
