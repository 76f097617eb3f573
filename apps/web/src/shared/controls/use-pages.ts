import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import type { Answer, EndpointName, Query } from '@duet/protocol'
import { useAppServices } from '../app-services.tsx'

/** A page of a list, as `listAnswer` of the protocol declares it. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly page: number
  readonly next: boolean
}

/** The endpoints whose answer is a page of a list. */
export type PagedCall = {
  [Name in EndpointName]: Name extends `GET ${infer Path}`
    ? Answer<Name> extends Page<{ readonly id: number | string }>
      ? Path
      : never
    : never
}[EndpointName]

type PageAnswer<Call extends PagedCall> = Answer<`GET ${Call}` & EndpointName>
type PageItem<Call extends PagedCall> = PageAnswer<Call> extends Page<infer Item> ? Item : never

/** The pages that the query cache holds under the key `[call]`. */
export type FetchedPages<Call extends PagedCall> = InfiniteData<PageAnswer<Call>, unknown>

/** A list in pages, as `PagedList` draws it. */
export interface ListPages<Item> {
  readonly items: readonly Item[]
  readonly status: 'loading' | 'failed' | 'ready'
  /** The state of the next page. `end`: the list has no other page. */
  readonly more: 'end' | 'ready' | 'loading' | 'failed'
  readonly retry: () => void
  readonly loadMore: () => void
}

interface PagesOptions<Call extends PagedCall> {
  /** Fields of the request beside the page, such as a filter. Each choice is a list of its own. */
  readonly query?: Omit<Query<`GET ${Call}` & EndpointName>, 'page' | 'per-page'>
  /** Runs with each page that arrives. */
  readonly onPage?: (page: PageAnswer<Call>) => void
  /** The list is fetched again after this time, and whenever its screen opens. */
  readonly refresh_ms?: number
}

/**
 * A list of the server, fetched page by page. Events keep it current through the query cache, under the key `[call]`, or
 * `[call, query]`.
 */
export function usePages<Call extends PagedCall>(
  call: Call,
  { query: asked, onPage, refresh_ms }: PagesOptions<Call> = {},
): ListPages<PageItem<Call>> & { readonly first: PageAnswer<Call> | undefined } {
  const { connection } = useAppServices()
  const get = connection.http.get as unknown as (
    path: Call,
    query: object,
  ) => Promise<PageAnswer<Call> & Page<PageItem<Call>>>
  const query = useInfiniteQuery({
    queryKey: asked ? [call, asked] : [call],
    queryFn: async ({ pageParam }) => {
      const page = await get(call, { ...asked, page: pageParam })
      onPage?.(page)
      return page
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last.next ? last.page + 1 : undefined),
    ...(refresh_ms !== undefined && { refetchOnMount: 'always', refetchInterval: refresh_ms }),
  })
  const { data, hasNextPage, isError, isFetchingNextPage, isFetchNextPageError } = query
  return {
    items: pageItems(data),
    first: data?.pages[0],
    status: data ? 'ready' : isError ? 'failed' : 'loading',
    more: isFetchingNextPage
      ? 'loading'
      : isFetchNextPageError
        ? 'failed'
        : hasNextPage
          ? 'ready'
          : 'end',
    retry: () => void query.refetch(),
    loadMore: () => void query.fetchNextPage(),
  }
}

/** Every fetched item once: an item that is added or removed shifts the beginning of later pages. */
export function pageItems<Item>(
  fetched: { readonly pages: readonly { readonly items: readonly Item[] }[] } | undefined,
): Item[] {
  const items = (fetched?.pages ?? []).flatMap((page) => page.items)
  const byId = new Map(items.map((item) => [(item as { readonly id: unknown }).id, item]))
  return [...byId.values()]
}
