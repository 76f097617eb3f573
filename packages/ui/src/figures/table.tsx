import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

export interface TableColumn<Row> {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Aligned at the end of the cell, digits in line. */
  number?: boolean
  /** On mobile: the first line, the second line, or its end. Left out: not shown there. */
  mobile?: 'main' | 'second' | 'end'
}

export interface TableProps<Row> {
  /** The table's name for screen readers. */
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string | number
  /** Tinted: the viewer's own row. */
  isOwn?: (row: Row) => boolean
  dense?: boolean
  className?: string
}

/** A table; at 768 px and less each row is an item of two lines. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, isOwn, dense, className } = props
  return (
    <div className={cx('panel overflow-clip', className)}>
      <table aria-label={label} className="w-full border-collapse max-md:hidden">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={cx(
                  'note sticky top-0 z-[1] bg-surface-1 px-4 py-3 font-[400] text-text-3 first:ps-5 last:pe-5',
                  column.number ? 'text-end' : 'text-start',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={cx(
                'border-t border-hair',
                dense ? 'h-9' : 'h-13',
                isOwn?.(row) ? 'bg-ember-lo' : 'hover:bg-surface-2',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={cx(
                    'ui px-4 first:ps-5 last:pe-5',
                    column.number && 'figures text-end',
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul aria-label={label} className="md:hidden">
        {rows.map((row) => (
          <li
            key={rowKey(row)}
            className={cx(
              'flex items-center gap-3 border-t border-hair px-4 py-3 first:border-t-0',
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
  columns: TableColumn<Row>[]
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
