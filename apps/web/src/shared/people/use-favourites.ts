import { useInfiniteQuery } from '@tanstack/react-query'
import { useAppServices } from '../app-services.tsx'
import { storePeople } from './people.ts'
import { useStatuses } from './use-statuses.ts'
import { FAVOURITES_KEY, favouritesOf } from './favourite-pages.ts'

/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/** The own favourites, online first, with their statuses as they are now. */
export function useFavourites() {
  const { connection } = useAppServices()
  const query = useInfiniteQuery({
    queryKey: FAVOURITES_KEY,
    queryFn: async ({ pageParam }) => {
      const page = await connection.http.get('favourites_pagination', { page: pageParam })
      storePeople(page.items)
      return page
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last.next ? last.page + 1 : undefined),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
  const favourites = favouritesOf(query.data)
  useStatuses(favourites.map(({ id }) => id))
  return {
    favourites,
    isLoading: query.isPending,
    isFailed: query.isError && !query.data,
    hasMore: query.hasNextPage,
    isMoreFailed: query.isFetchNextPageError,
    isLoadingMore: query.isFetchingNextPage,
    retry: () => void query.refetch(),
    loadMore: () => void query.fetchNextPage(),
  }
}
