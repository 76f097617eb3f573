import type { Answer, Favourite } from '@duet/protocol'
import type { InfiniteData } from '@tanstack/react-query'

export const FAVOURITES_KEY = ['favourites'] as const

/** The pages of the own favourites that are fetched so far. */
export type FavouritePages = InfiniteData<Answer<'GET favourites_pagination'>, unknown>

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
 * Every fetched favourite once, those who were online first: a removed one shifts the beginning of later pages. The order is
 * that of the fetched statuses, so that no card moves away under a finger.
 */
export function favouritesOf(data: FavouritePages | undefined): Favourite[] {
  const byId = new Map(
    (data?.pages ?? []).flatMap(({ items }) => items).map((one) => [one.id, one]),
  )
  return [...byId.values()].toSorted(
    (one, other) =>
      RANKS[one.status] - RANKS[other.status] || other.favourite_id - one.favourite_id,
  )
}
