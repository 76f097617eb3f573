import { useInfiniteQuery } from '@tanstack/react-query'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { Table, type TableColumn } from '@duet/ui/figures/table.tsx'
import { errorSentence } from './api.ts'
import { t } from './texts.ts'

interface PagedTableProps<Row> {
  label: string
  /** The words of an empty list. */
  none: string
  queryKey: readonly unknown[]
  fetchPage: (page: number) => Promise<{ items: Row[]; page: number; next: boolean }>
  rowKey: (row: Row) => string | number
  columns: TableColumn<Row>[]
}

/** A list of the server by pages, as a table. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { label, none, queryKey, fetchPage, rowKey, columns } = props
  const pages = useInfiniteQuery({
    queryKey,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    getNextPageParam: ({ page, next }) => (next ? page + 1 : undefined),
  })
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      {pages.error && <Banner tone="danger">{errorSentence(pages.error)}</Banner>}
      {pages.isPending && <p role="status">{t('office.loading')}</p>}
      {pages.isSuccess && rows.length === 0 && <EmptyState title={none} />}
      {rows.length > 0 && (
        <Table<Row> dense label={label} rowKey={rowKey} rows={rows} columns={columns} />
      )}
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
