/**
 * Favourites: users that a member has marked to find them again.
 *
 * Tables         favourites (one row per owner and favourite), users.favourites_count
 * Does not know  why a user was marked; calls, messages, money
 * Invariants     one row per owner and favourite (F1) · no favourites between users with a block (F2) ·
 *                the count equals the number of rows (F3)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import {
  checkFavourite,
  countFavourites,
  favouritesPage,
  favouriteFields,
  interestedByFavourite,
  renderAdded,
} from './queries.ts'
import { eraseFavourites, removeBetweenBlocked } from './on-domain-events.ts'
import { addFavourite } from './add-favourite.ts'
import { removeFavourite } from './remove-favourite.ts'

export const favourites = module('favourites', {
  actions: {
    ADD_FAVOURITE: addFavourite,
    REMOVE_FAVOURITE: removeFavourite,
  } satisfies ActionsOf<'favourites'>,
  endpoints: {
    'GET favourites_pagination': favouritesPage,
    'GET check_favourite': checkFavourite,
    'GET count_favourites': countFavourites,
  } satisfies EndpointsOf<'favourites'>,
  publicFields: favouriteFields,
  interestedIn: interestedByFavourite,
  renderChanges: { added_your_favorites: renderAdded },
  personalData: {
    tables: [
      // `erase` has removed these rows, with the counts of their owners.
      personalTable('favourites', {
        users: ['owner_id', 'user_id'],
        erasure: 'deleted',
        exported: { of: ['owner_id'], by: 'id', columns: ['user_id', 'at'] },
      }),
    ],
    erase: eraseFavourites,
  },
  subscribers: { blocked: removeBetweenBlocked },
})

export { hiddenFromRequest, isFavourite } from './queries.ts'
