/**
 * Presence: who is online, and what they are doing.
 *
 * Tables         none: connections come from realtime, activities are reported by matchmaking and calls
 * Does not know  why a user is busy; which users are hidden from a viewer (the other modules' `hiddenUsers` decide)
 * Invariants     a status is the same for every user who may see it (P1) · a hidden or blocked user is offline, also for
 *                users who followed them before (P2) · a status is published only to users who follow it, at most four
 *                times a second (P3)
 */
import { type ActionsOf, module } from '../../core/module.ts'
import { followConnections } from './connections.ts'
import {
  connectAsMember,
  hideBanned,
  hideBlocked,
  hideFromCountries,
  recount,
  showUnbanned,
  showUnblocked,
} from './on-domain-events.ts'
import { presenceOf } from './memory-presence.ts'
import { statusFields } from './public-fields.ts'
import { subscribeToChannel } from './subscribe-to-channel.ts'
import { subscribe } from './subscribe.ts'
import { unsubscribe } from './unsubscribe.ts'

export const presence = module('presence', {
  actions: {
    SUBSCRIBTION_ROOM: subscribeToChannel,
    SUBSCRIBE: subscribe,
    UNSUBSCRIBE: unsubscribe,
  } satisfies ActionsOf<'presence'>,
  systemFields: async (app) => ({ women_online: await presenceOf(app).girlsOnline() }),
  publicFields: (db, id, ids, context) => statusFields(db, { id }, ids, context),
  subscribers: {
    registered: connectAsMember,
    banned: hideBanned,
    unbanned: showUnbanned,
    blocked: hideBlocked,
    unblocked: showUnblocked,
    visibility_changed: hideFromCountries,
    member_updated: recount,
  },
  start: followConnections,
})
export { type OnlineChange, onOnlineChange } from './connections.ts'
export {
  countGirlsOnline,
  getActivity,
  isInCall,
  isOnline,
  readOnlineFigures,
  setActivity,
} from './activity.ts'
export { type Caller, type CallPermissions, callPermissions } from './call-permissions.ts'
export type { Activity } from './presence-port.ts'
