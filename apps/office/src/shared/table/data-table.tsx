import { useMobile } from '@duet/ui/use-media-query.ts'
import { RowGrid } from './row-grid.tsx'
import { RowList } from './row-list.tsx'
import type { TableProps } from './table-column.ts'

/** A table whose columns have widths that a person chooses. On a phone each row is an item of two lines. Only rows near to what is seen are drawn. */
export function DataTable<Row>(props: TableProps<Row>) {
  return useMobile() ? <RowList {...props} /> : <RowGrid {...props} />
}
