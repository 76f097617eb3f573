import { useEffect, useRef, type SyntheticEvent } from 'react'
import {
  columnResizingFeature,
  columnSizingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { keepWidths, keptWidths } from './kept-widths.ts'
import { MAX_WIDTH, MIN_WIDTH } from './resize-handle.tsx'
import type { TableColumn } from './table-column.ts'

const DEFAULT_WIDTH = 140
const NO_ROWS: object[] = []
const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

/** The widths of the columns of a table. Until a person changes one, the columns share the whole width. */
export function useColumnWidths<Row>(name: string, columns: readonly TableColumn<Row>[]) {
  const headers = useRef<HTMLTableRowElement>(null)
  const isRtl = document.documentElement.dir === 'rtl'
  const table = useTable({
    features,
    data: NO_ROWS,
    columns: columns.map(({ key, width }) => ({
      id: key,
      size: width ?? DEFAULT_WIDTH,
      minSize: MIN_WIDTH,
      maxSize: MAX_WIDTH,
    })),
    columnResizeMode: 'onChange',
    columnResizeDirection: isRtl ? 'rtl' : 'ltr',
    initialState: { columnSizing: { ...keptWidths(name) } },
  })
  const { columnSizing } = table.state
  useEffect(() => keepWidths(name, columnSizing), [name, columnSizing])
  const isChosen = columns.every(({ key }) => columnSizing[key] !== undefined)
  /** From the first change on every column keeps the width that it is shown with. */
  const begin = () => {
    if (isChosen || !headers.current) return
    const shown = [...headers.current.cells].map((cell, at) => [
      columns[at]!.key,
      Math.max(MIN_WIDTH, cell.offsetWidth),
    ])
    table.setColumnSizing(Object.fromEntries(shown))
  }
  const total = table.getTotalSize()
  const widthFor = (key: string) => table.getColumn(key)?.getSize() ?? DEFAULT_WIDTH
  return {
    headers,
    isRtl,
    widthFor,
    tableStyle: isChosen ? { width: total } : { width: '100%', minWidth: total },
    columnStyle: (key: string) => ({
      width: isChosen ? widthFor(key) : `${(100 * widthFor(key)) / total}%`,
    }),
    press(key: string, event: SyntheticEvent) {
      begin()
      const header = table.getFlatHeaders().find(({ id }) => id === key)
      header?.getResizeHandler()(event.nativeEvent)
    },
    step(key: string, by: number) {
      begin()
      const wished = widthFor(key) + by
      const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wished))
      table.setColumnSizing((all) => ({ ...all, [key]: width }))
    },
    reset: () => table.resetColumnSizing(true),
  }
}
