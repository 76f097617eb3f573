import { useInfiniteQuery } from '@tanstack/react-query'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { errorSentence } from '../api.ts'
import { t } from '../texts.ts'
import { DataTable } from './data-table.tsx'
import type { TableProps } from './table-column.ts'

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'isOwn' | 'hasKeys'> {
  /** The words of an empty list. */
  none: string
  queryKey: readonly unknown[]
  /** Fetches a page by its number, or what comes before an id. */
  fetchPage: (
    from: number | undefined,
    signal: AbortSignal,
  ) => Promise<{ items: readonly Row[]; next: boolean }>
  /** The id of a row, where the server lists what comes before an id. Without it pages are numbered. */
  idBefore?: (row: Row) => number
}

/** A list of the server by pages, as a table. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { none, queryKey, fetchPage, idBefore, ...table } = props
  const pages = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    getNextPageParam: ({ items, next }, all) => {
      const last = items.at(-1)
      if (!next || last === undefined) return undefined
      return idBefore ? idBefore(last) : all.length + 1
    },
  })
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      {pages.error && <Banner tone="danger">{errorSentence(pages.error)}</Banner>}
      {pages.isPending && <p role="status">{t('office.loading')}</p>}
      {pages.isSuccess && rows.length === 0 && <EmptyState title={none} />}
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
