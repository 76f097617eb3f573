import { useQuery } from '@tanstack/react-query'
import type { UserInterlocutor } from '@duet/protocol'
import { isRegistered } from '../../shared/account/auth-status.ts'
import { CONNECTION_WAIT_MS, useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import { storePeople } from '../../shared/people/people.ts'
import { useStatuses } from '../../shared/people/use-statuses.ts'
import { type GirlFilter, toQuery } from './girl-filter.ts'

/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/** The lists depend on these: a visitor who registers keeps the id, and gets another answer. */
function useViewerKey(): readonly unknown[] {
  const user = useOwnUser()
  return [user?.id, isRegistered(user), user?.age_confirmed, user?.is_premium]
}

/** The girls of a filter, page by page, with their statuses as they are now. */
export function useGirls(filter: GirlFilter) {
  const pages = usePages('girls', {
    query: toQuery(filter),
    viewer_key: useViewerKey(),
    onPage: ({ items }) => storePeople(items),
    refresh_ms: REFRESH_MS,
  })
  useStatuses(getIds(pages.items))
  return pages
}

/** The recommended girls, each with her reason. */
export function useRecommendations() {
  const { connection } = useAppServices()
  const { data, isError, refetch } = useQuery({
    queryKey: ['recommendations', ...useViewerKey()],
    queryFn: async () => {
      await connection.ready(CONNECTION_WAIT_MS)
      const { items } = await connection.http.get('recommendations')
      storePeople(items)
      return items
    },
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
  })
  useStatuses(getIds(data ?? []))
  return {
    items: data ?? [],
    status: data ? ('ready' as const) : isError ? ('failed' as const) : ('loading' as const),
    more: 'end' as const,
    retry: () => void refetch(),
    loadMore: () => {},
  }
}

function getIds(girls: readonly UserInterlocutor[]): number[] {
  return girls.map(({ id }) => id)
}
