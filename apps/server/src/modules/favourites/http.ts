import type { EndpointsOf } from '../../core/module.ts'
import { checkFavourite, countFavourites, favouritesPage } from './queries.ts'

export const endpoints = {
  'GET favourites_pagination': favouritesPage,
  'GET check_favourite': checkFavourite,
  'GET count_favourites': countFavourites,
} satisfies EndpointsOf<'favourites'>
