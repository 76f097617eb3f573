import type { Favourite } from '@duet/protocol'
import type { FetchedPages } from '../controls/use-pages.ts'

export const FAVOURITES_KEY = ['favourites_pagination'] as const

/** The pages of the own favourites that are fetched so far. */
export type FavouritePages = FetchedPages<'favourites_pagination'>

export function removeFromFavourites(
  data: FavouritePages | undefined,
  user_id: number,
): FavouritePages | undefined {
  if (!data) return data
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ id }) => id !== user_id),
  }))
  return { ...data, pages }
}

const RANKS = { online: 0, busy: 1, offline: 2 }

/**
 * Favourites who were online come first. The order follows the fetched statuses, so that no card moves away under a
 * finger.
 */
export function onlineFirst(favourites: readonly Favourite[]): Favourite[] {
  return favourites.toSorted(
    (one, other) =>
      RANKS[one.status] - RANKS[other.status] || other.favourite_id - one.favourite_id,
  )
}
