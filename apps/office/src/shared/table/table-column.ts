import type { ReactNode } from 'react'

/** A date with its time stays on one line, also in languages with long ones. */
export const TIME_WIDTH = 190

export interface TableColumn<Row> {
  key: string
  header: string
  /** The header is read to screen readers only. */
  isUnseen?: boolean
  cell: (row: Row) => ReactNode
  /** Aligned at the end of the cell, digits in line. */
  number?: boolean
  /** In pixels, until a person chooses another width. */
  width?: number
  /** On a phone: the first line, the second line, or its end. Left out: not shown there. */
  mobile?: 'main' | 'second' | 'end'
}

export interface TableProps<Row> {
  /** The widths of the columns are kept under this name. */
  name: string
  /** The table's name for screen readers. */
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Tinted. */
  isOwn?: (row: Row) => boolean
  /** J and K of the page move through its rows. */
  hasKeys?: boolean
}
