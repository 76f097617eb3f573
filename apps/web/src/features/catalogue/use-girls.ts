import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { UserInterlocutor } from '@duet/protocol'
import { isRegistered } from '../../shared/account/auth-status.ts'
import { CONNECTION_WAIT_MS, useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import { storePeople } from '../../shared/people/people.ts'
import { useStatuses } from '../../shared/people/use-statuses.ts'
import { useSystem } from '../../shared/queries.ts'
import { type GirlFilter, toQuery } from './girl-filter.ts'

/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000
/** Girls come and leave: the list of those who are online is fetched again at most once in this time. */
const ONLINE_REFRESH_MS = 15_000
/** Three pages. */
const REFETCHED_ITEMS = 60
/** The server stores collected changes after its count has changed. */
const STORED_MS = 1000

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
  // A refetch asks for every page. In a long list the statuses stay live, and the list waits for its own refresh.
  const isShort = pages.items.length <= REFETCHED_ITEMS
  useOnlineRefresh(isShort && filter.tab === 'online' && filter.name.trim() === '', pages.retry)
  return pages
}

/** Fetches a list again after the number of women online has changed. The tab subscribes to the number. */
function useOnlineRefresh(isOnlineList: boolean, refetch: () => void): void {
  const women = useSystem()?.women_online
  const known = useRef(women)
  const fetchedMs = useRef(0)
  const latest = useRef(refetch)
  useEffect(() => {
    latest.current = refetch
  })
  useEffect(() => {
    if (!isOnlineList || known.current === undefined || known.current === women) {
      known.current = women
      return
    }
    const wait = Math.max(STORED_MS, fetchedMs.current + ONLINE_REFRESH_MS - Date.now())
    const timer = setTimeout(() => {
      known.current = women
      fetchedMs.current = Date.now()
      latest.current()
    }, wait)
    return () => clearTimeout(timer)
  }, [isOnlineList, women])
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
