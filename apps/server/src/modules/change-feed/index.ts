/**
 * Changes: everything durable that a user must learn, one row each, in the transaction that caused it.
 *
 * Owns     changes, change_heads
 * Ignores  what a change means; it stores ids and facts, the module of the event renders them for the reader
 * Laws     numbered per user without gaps (C1) · state fetched plus changes applied equals state fetched again (C2) ·
 *          nothing leaves before its row is committed (C3)
 */
import { limits } from '@duet/protocol'
import { module } from '../../core/module.ts'
import { getChanges } from './get-changes.ts'
import { headOf } from './queries.ts'
import { purgeChanges, record } from './store.ts'

export const changeFeed = module('change-feed', {
  actions: { GET_CHANGES: getChanges },
  appendChange: record,
  // Read before any state, so that what happens meanwhile is applied on top.
  authFields: async (app, viewer) => ({ change_id: await headOf(app.db, viewer.id) }),
  retention: [{ name: 'changes', keepDays: () => limits.change_days, purge: purgeChanges }],
})
