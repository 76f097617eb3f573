import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { TableProps } from './table-column.ts'
import { useRowKeys } from './use-row-keys.ts'

const OVERSCAN = 12

/** The rows of a list that are near to what is seen, with the heights of those before and after. */
export function useVisibleRows<Row>(
  { rows, rowKey, hasKeys }: Pick<TableProps<Row>, 'rows' | 'rowKey' | 'hasKeys'>,
  height: number,
) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rowKey(rows[index]!),
    overscan: OVERSCAN,
  })
  useRowKeys({
    isOn: hasKeys ?? false,
    keys: rows.map(rowKey),
    scroller,
    firstSeen: () => {
      const top = list.scrollOffset ?? 0
      return list.getVirtualItems().find(({ start }) => start >= top)?.index ?? 0
    },
    scrollTo: (index) => list.scrollToIndex(index),
  })
  const items = list.getVirtualItems()
  return {
    scroller,
    measure: list.measureElement,
    visible: items.map(({ index }) => ({ index, row: rows[index]! })),
    before: items[0]?.start ?? 0,
    after: list.getTotalSize() - (items.at(-1)?.end ?? 0),
  }
}
