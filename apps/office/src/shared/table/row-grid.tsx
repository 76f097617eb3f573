import { cx } from '@duet/ui/class-names.ts'
import { ResizeHandle } from './resize-handle.tsx'
import type { TableColumn, TableProps } from './table-column.ts'
import { useColumnWidths } from './use-column-widths.ts'
import { useVisibleRows } from './use-visible-rows.ts'

const ROW_HEIGHT = 37

export function RowGrid<Row>(props: TableProps<Row>) {
  const { name, label, columns, rows, rowKey, isOwn } = props
  const { scroller, measure, visible, before, after } = useVisibleRows(props, ROW_HEIGHT)
  const widths = useColumnWidths(name, columns)
  return (
    <div
      ref={scroller}
      role="group"
      // The arrow keys scroll it.
      tabIndex={0}
      aria-label={label}
      className="panel max-h-[max(320px,calc(100dvh-180px))] shrink-0 overflow-auto"
    >
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="table-fixed border-collapse"
        style={widths.tableStyle}
      >
        <colgroup>
          {columns.map(({ key }) => (
            <col key={key} style={widths.columnStyle(key)} />
          ))}
        </colgroup>
        <Headers columns={columns} widths={widths} />
        <tbody>
          <Space height={before} />
          {visible.map(({ index, row }) => (
            <tr
              key={rowKey(row)}
              ref={measure}
              data-index={index}
              aria-rowindex={index + 2}
              tabIndex={-1}
              className={cx(
                'h-9 border-t border-hair',
                isOwn?.(row) ? 'bg-ember-lo' : 'hover:bg-surface-2',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={cx(
                    'ui px-3 wrap-anywhere first:ps-5',
                    column.number && 'figures text-end',
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  )
}

interface HeadersProps<Row> {
  columns: readonly TableColumn<Row>[]
  widths: ReturnType<typeof useColumnWidths>
}

function Headers<Row>({ columns, widths }: HeadersProps<Row>) {
  return (
    <thead>
      <tr ref={widths.headers} aria-rowindex={1}>
        {columns.map(({ key, header, number, isUnseen }) => (
          <th
            key={key}
            scope="col"
            aria-label={header}
            className={cx(
              'note sticky top-0 z-[1] bg-surface-1 px-3 py-3 font-[400] text-text-3 first:ps-5',
              number ? 'text-end' : 'text-start',
            )}
          >
            <span className={isUnseen ? 'sr-only' : undefined}>{header}</span>
            <ResizeHandle
              column={header}
              width={widths.widthFor(key)}
              isRtl={widths.isRtl}
              onPress={(event) => widths.press(key, event)}
              onStep={(by) => widths.step(key, by)}
              onReset={widths.reset}
            />
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The room of rows that are not drawn. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true">
      <td style={{ height }} />
    </tr>
  )
}
