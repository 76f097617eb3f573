import { cx } from '@duet/ui/class-names.ts'
import type { TableColumn, TableProps } from './table-column.ts'
import { useVisibleRows } from './use-visible-rows.ts'

const ITEM_HEIGHT = 64

export function RowList<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, isOwn } = props
  const { scroller, measure, visible, before, after } = useVisibleRows(props, ITEM_HEIGHT)
  return (
    <div
      ref={scroller}
      role="group"
      tabIndex={0}
      aria-label={label}
      className="panel max-h-[max(320px,calc(100dvh-180px))] shrink-0 overflow-y-auto"
    >
      <ul aria-label={label} style={{ paddingTop: before, paddingBottom: after }}>
        {visible.map(({ index, row }) => (
          <li
            key={rowKey(row)}
            ref={measure}
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            tabIndex={-1}
            className={cx(
              'relative flex items-center gap-3 border-t border-hair px-4 py-3 first:border-t-0',
              // The control that opens the row is as large as the row, and the others lie above it.
              '[&_[data-open]]:static [&_[data-open]]:after:absolute [&_[data-open]]:after:inset-0',
              '[&_:is(a,button):not([data-open])]:relative [&_:is(a,button):not([data-open])]:z-[1]',
              '[&_a:not([data-open])]:py-[13px]',
              isOwn?.(row) && 'bg-ember-lo',
            )}
          >
            <div className="min-w-0 flex-1">
              <Line columns={columns} row={row} place="main" className="ui text-text" />
              <Line columns={columns} row={row} place="second" className="note text-text-3" />
            </div>
            <Line
              columns={columns}
              row={row}
              place="end"
              className="ui figures shrink-0 text-end"
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface LineProps<Row> {
  columns: readonly TableColumn<Row>[]
  row: Row
  place: 'main' | 'second' | 'end'
  className: string
}

function Line<Row>({ columns, row, place, className }: LineProps<Row>) {
  const own = columns.filter((column) => column.mobile === place)
  if (own.length === 0) return null
  return (
    <div className={cx('flex flex-wrap items-center gap-x-2.5', className)}>
      {own.map((column) => (
        <span key={column.key} className="min-w-0">
          {column.cell(row)}
        </span>
      ))}
    </div>
  )
}
