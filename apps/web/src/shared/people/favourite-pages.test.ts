import { expect, test } from 'vitest'
import type { Favourite } from '@duet/protocol'
import { pageItems } from '../controls/use-pages.ts'
import { onlineFirst, removeFromFavourites, type FavouritePages } from './favourite-pages.ts'

const favourite = (id: number, status: Favourite['status']): Favourite => ({
  id,
  favourite_id: id,
  ref_code: null,
  nick: `User ${id}`,
  role: 'girl',
  avatar: null,
  locale: 'en',
  is_premium: false,
  is_favorite: true,
  status,
  sub_status: null,
})
const readPages = (...lists: Favourite[][]): FavouritePages => ({
  pages: lists.map((items, index) => ({
    items,
    page: index + 1,
    per_page: 20,
    total: 9,
    next: index + 1 < lists.length,
  })),
  pageParams: lists.map((_, index) => index + 1),
})
const getIds = (pages: FavouritePages | undefined) =>
  onlineFirst(pageItems(pages)).map(({ id }) => id)

test('users who are online come first, then those in a call, and the newest first among them', () => {
  const first = [favourite(5, 'offline'), favourite(4, 'busy'), favourite(3, 'online')]
  const second = [favourite(2, 'offline'), favourite(1, 'online')]
  expect(getIds(readPages(first, second))).toEqual([3, 1, 4, 5, 2])
})

test('a favourite that two pages have, because an earlier one was removed, is shown once', () => {
  expect(
    getIds(readPages([favourite(2, 'online')], [favourite(2, 'online'), favourite(1, 'online')])),
  ).toEqual([2, 1])
})

test('a removed favourite leaves its page, and an unknown one changes nothing', () => {
  const pages = readPages([favourite(2, 'online')], [favourite(1, 'online')])
  expect(getIds(removeFromFavourites(pages, 2))).toEqual([1])
  expect(getIds(removeFromFavourites(pages, 7))).toEqual([2, 1])
  expect(removeFromFavourites(undefined, 2)).toBe(undefined)
})
