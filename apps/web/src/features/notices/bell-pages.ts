import type { Notice } from '@duet/protocol'
import type { FetchedPages } from '../../shared/controls/use-pages.ts'

export const NOTICES_KEY = ['notices'] as const

/** The pages of the bell that are fetched so far. */
export type BellPages = FetchedPages<'notices'>

/** A new notice stands first. A repeated event with a known notice changes nothing. */
export function addToBell(bell: BellPages | undefined, notice: Notice): BellPages | undefined {
  const [first, ...rest] = bell?.pages ?? []
  if (!bell || !first) return bell
  if (bell.pages.some(({ items }) => items.some(({ id }) => id === notice.id))) return bell
  const unread = first.unread + (notice.read ? 0 : 1)
  return { ...bell, pages: [{ ...first, items: [notice, ...first.items], unread }, ...rest] }
}

/** Marks these notices as read. Null marks all notices. */
export function markReadInBell(
  bell: BellPages | undefined,
  ids: readonly number[] | null,
): BellPages | undefined {
  if (!bell) return bell
  let marked = 0
  const pages = bell.pages.map((page) => ({
    ...page,
    items: page.items.map((notice) => {
      if (notice.read || (ids !== null && !ids.includes(notice.id))) return notice
      marked += 1
      return { ...notice, read: true }
    }),
  }))
  const unread = ids === null ? 0 : Math.max(0, (pages[0]?.unread ?? 0) - marked)
  return { ...bell, pages: pages.map((page, index) => (index === 0 ? { ...page, unread } : page)) }
}
