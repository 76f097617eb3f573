import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useAppServices } from '../../shared/app-services.tsx'
import { markReadInBell, NOTICES_KEY, noticesOf, type BellPages } from './bell-pages.ts'

/** The bell: fetched once, then kept current by events. */
export function useBell() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: NOTICES_KEY,
    queryFn: ({ pageParam }) => connection.http.get('notices', { page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.next ? last.page + 1 : undefined),
  })
  const notices = noticesOf(query.data)
  return {
    notices,
    unread: query.data?.pages[0]?.unread ?? 0,
    isLoading: query.isPending,
    isFailed: query.isError,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    retry: () => void query.refetch(),
    loadMore: () => void query.fetchNextPage(),
    /** The server is told in the background: an unread mark that stays does no harm. */
    markAllRead: () => {
      if (!query.data?.pages[0]?.unread) return
      queries.setQueryData<BellPages>(NOTICES_KEY, (bell) => markReadInBell(bell, null))
      void connection.http
        .post('notices/read', {})
        .catch(() => queries.invalidateQueries({ queryKey: NOTICES_KEY }))
    },
  }
}
