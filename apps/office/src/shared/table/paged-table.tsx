import { useInfiniteQuery } from '@tanstack/react-query'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { errorSentence } from '../api.ts'
import { t } from '../texts.ts'
import { DataTable } from './data-table.tsx'
import type { TableProps } from './table-column.ts'

interface FetchedPage<Row> {
  readonly items: readonly Row[]
  readonly next: boolean
  readonly after?: string | undefined
}

interface PageStart {
  readonly from?: number
  readonly after?: string
}

interface RowPages<Row> {
  queryKey: readonly unknown[]
  /** Fetches a page by its number, or what comes before an id, or after the place that the answer before named. */
  fetchPage: (
    from: number | undefined,
    signal: AbortSignal,
    after: string | undefined,
  ) => Promise<FetchedPage<Row>>
  /** The id of a row, where the server lists what comes before an id. Without it pages are numbered. */
  idBefore?: (row: Row) => number
}

interface PagedTableProps<Row>
  extends Omit<TableProps<Row>, 'rows' | 'isOwn' | 'hasKeys'>, RowPages<Row> {
  /** The words of an empty list. */
  none: string
  /** The words of a list of which nothing was found so far, and whose next page may have something. */
  noneYet?: string
}

/** The pages of a list that are fetched so far, as its table shows them. */
export function useRowPages<Row>({ queryKey, fetchPage, idBefore }: RowPages<Row>) {
  const pages = useInfiniteQuery({
    queryKey,
    initialPageParam: {} as PageStart,
    queryFn: ({ pageParam: { from, after }, signal }) => fetchPage(from, signal, after),
    getNextPageParam: ({ items, next, after }, all): PageStart | undefined => {
      const last = items.at(-1)
      if (!next) return undefined
      // A list with places may have an empty page before others.
      if (after !== undefined) return { from: all.length + 1, after }
      if (last === undefined) return undefined
      return { from: idBefore ? idBefore(last) : all.length + 1 }
    },
  })
  return { pages, rows: pages.data?.pages.flatMap(({ items }) => items) ?? [] }
}

/** A list of the server by pages, as a table. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { none, noneYet, queryKey, fetchPage, idBefore, ...table } = props
  const { pages, rows } = useRowPages({ queryKey, fetchPage, idBefore })
  return (
    <>
      {pages.error && <Banner tone="danger">{errorSentence(pages.error)}</Banner>}
      {pages.isPending && <p role="status">{t('office.loading')}</p>}
      {pages.isSuccess && rows.length === 0 && (
        <EmptyState title={pages.hasNextPage && noneYet ? noneYet : none} />
      )}
      {rows.length > 0 && <DataTable<Row> {...table} hasKeys rows={rows} />}
      {pages.hasNextPage && (
        <Button
          className="self-center"
          size={36}
          variant="secondary"
          busy={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('action.show_more')}
        </Button>
      )}
    </>
  )
}
