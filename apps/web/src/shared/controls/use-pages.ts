import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import type { Answer, EndpointName } from '@duet/protocol'
import { CONNECTION_WAIT_MS, useAppServices } from '../app-services.tsx'

/** A page of a list, as `listAnswer` of the protocol declares it. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly page: number
  readonly next: boolean
  /** Where the next page begins, in a list that has places instead of numbers. */
  readonly after?: string | undefined
}

type Place = Pick<Page<unknown>, 'page' | 'after'>

/** The endpoints whose answer is a page of a list. */
export type PagedCall = {
  [Name in EndpointName]: Name extends `GET ${infer Path}`
    ? Answer<Name> extends Page<{ readonly id: number | string } | { readonly order_id: number }>
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
  /** Runs with each page that arrives. */
  readonly onPage?: (page: PageAnswer<Call>) => void
  /** The list is fetched again after this time, and whenever its screen opens. */
  readonly refresh_ms?: number
  /** The other fields of the request. Another query is another list. */
  readonly query?: Readonly<Record<string, string | boolean | undefined>>
  /**
   * The answer depends on who asks, also on a page that is open to visitors. The list is fetched once the server knows the
   * viewer, and again for another viewer.
   */
  readonly viewer_key?: readonly unknown[]
}

/**
 * A list of the server, fetched page by page. Events keep it current through the query cache, under the key `[call]`, or
 * `[call, query]`.
 */
export function usePages<Call extends PagedCall>(
  call: Call,
  { onPage, refresh_ms, query: wanted, viewer_key }: PagesOptions<Call> = {},
): ListPages<PageItem<Call>> & { readonly first: PageAnswer<Call> | undefined } {
  const { connection } = useAppServices()
  const get = connection.http.get as unknown as (
    path: Call,
    query: Place & object,
  ) => Promise<PageAnswer<Call> & Page<PageItem<Call>>>
  const query = useInfiniteQuery({
    queryKey: [call, ...(wanted ? [wanted] : []), ...(viewer_key ?? [])],
    queryFn: async ({ pageParam }) => {
      if (viewer_key) await connection.ready(CONNECTION_WAIT_MS)
      const page = await get(call, { ...wanted, ...pageParam })
      onPage?.(page)
      return page
    },
    initialPageParam: { page: 1 } as Place,
    getNextPageParam: ({ next, page, after }) =>
      next ? { page: page + 1, ...(after !== undefined && { after }) } : undefined,
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
  const byId = new Map(items.map((item) => [itemId(item as Identified), item]))
  return [...byId.values()]
}

interface Identified {
  readonly id?: number | string
  readonly order_id?: number
}

function itemId({ id, order_id }: Identified): unknown {
  return id ?? order_id
}
