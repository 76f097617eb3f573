import { useQueryClient } from '@tanstack/react-query'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import { markReadInBell, NOTICES_KEY, type BellPages } from './bell-pages.ts'

/** The bell is fetched once, and events keep it current. The newest notice comes first. */
export function useBell() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const { first, ...pages } = usePages('notices')
  const unread = first?.unread ?? 0
  return {
    pages: { ...pages, items: pages.items.toSorted((one, other) => other.id - one.id) },
    unread,
    /** The request runs in the background: an unread mark that stays does no harm. */
    markAllRead: () => {
      if (!unread) return
      queries.setQueryData<BellPages>(NOTICES_KEY, (bell) => markReadInBell(bell, null))
      void connection.http
        .post('notices/read', {})
        .catch(() => queries.invalidateQueries({ queryKey: NOTICES_KEY }))
    },
  }
}
