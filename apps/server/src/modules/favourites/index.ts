/**
 * Favourites: whom somebody keeps at hand.
 *
 * Owns     favourites (one row for owner and person), users.favourites_count
 * Ignores  why somebody is liked, calls, messages, money
 * Laws     once per pair (F1) · never a blocked pair (F2) · the count equals the rows (F3)
 */
import { module } from '../../core/module.ts'
import { endpoints } from './http.ts'
import { addedNow, facesOf } from './queries.ts'
import { actions } from './socket.ts'
import { dropAllOf, dropBothWays } from './drop.ts'

export const favourites = module('favourites', {
  actions,
  endpoints,
  publicFields: facesOf,
  renderChange: { added_your_favorites: addedNow },
  subscribers: { blocked: dropBothWays, account_deleted: dropAllOf },
})
