import type { ActionsOf } from '../../core/module.ts'
import { addFavourite } from './add-favourite.ts'
import { removeFavourite } from './remove-favourite.ts'

export const actions = {
  ADD_FAVOURITE: addFavourite,
  REMOVE_FAVOURITE: removeFavourite,
} satisfies ActionsOf<'favourites'>
