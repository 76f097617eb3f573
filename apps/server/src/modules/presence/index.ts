/**
 * Presence: who is here, and what they are doing.
 *
 * Owns     nothing stored: who is live is the line's to know, what they do is said by search and calls
 * Ignores  why somebody is busy; who may see whom (it asks)
 * Laws     a status is the same for everybody who may see it (P1) · whoever is hidden or blocked is offline, also for
 *          whoever looked before (P2) · news goes to those who look, not to all, at most four times a second (P3)
 */
import { module } from '../../core/module.ts'
import { subscribe, subscribeRoom, unsubscribe } from './subscribe.ts'
import { comeAsMember, follow, hideFromEachOther, showAgain } from './come-and-go.ts'
import { facesOf, womenOnline } from './status.ts'

export const presence = module('presence', {
  actions: { SUBSCRIBTION_ROOM: subscribeRoom, SUBSCRIBE: subscribe, UNSUBSCRIBE: unsubscribe },
  systemFields: async (app) => ({ women_online: womenOnline(app) }),
  publicFields: facesOf,
  subscribers: { registered: comeAsMember, blocked: hideFromEachOther, unblocked: showAgain },
  start: follow,
})
export { womenOnline }
export { setDoing } from './come-and-go.ts'
export { doing, isOnline, type Doing } from './status.ts'
