import type { Favourite } from '@duet/protocol'
import { usePages, type ListPages } from '../controls/use-pages.ts'
import { onlineFirst } from './favourite-pages.ts'
import { storePeople } from './people.ts'
import { useStatuses } from './use-statuses.ts'

/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/** The own favourites, online first, with their statuses as they are now. */
export function useFavourites(): ListPages<Favourite> {
  const pages = usePages('favourites_pagination', {
    onPage: ({ items }) => storePeople(items),
    refresh_ms: REFRESH_MS,
  })
  useStatuses(pages.items.map(({ id }) => id))
  return { ...pages, items: onlineFirst(pages.items) }
}
