import { addDays, toDay, toMinute } from './date-times.ts'

/** A row of the grid: the beginnings at one time of the clock, by day. */
export interface WeekRow {
  readonly minute: number
  /** An hour that the clock repeats in autumn has two beginnings. */
  readonly starts: readonly (readonly number[])[]
}

/** Seven days, with at least one possible beginning of a date. */
export interface StartWeek {
  readonly days: readonly string[]
  readonly rows: readonly WeekRow[]
}

const DAYS = 7

/** The beginnings by weeks, the first of which begins with `firstDay`. A week without a beginning is left out. */
export function toWeeks(starts: readonly number[], zone: string, firstDay: string): StartWeek[] {
  const byDay = Map.groupBy(starts, (start) => toDay(start, zone))
  const weeks: StartWeek[] = []
  const lastDay = [...byDay.keys()].toSorted().at(-1) ?? ''
  for (let first = firstDay; first <= lastDay; first = addDays(first, DAYS)) {
    const days = Array.from({ length: DAYS }, (_, place) => addDays(first, place))
    const found = days.map((day) => Map.groupBy(byDay.get(day) ?? [], (at) => toMinute(at, zone)))
    const minutes = new Set(found.flatMap((byMinute) => [...byMinute.keys()]))
    const rows = [...minutes]
      .toSorted((one, other) => one - other)
      .map((minute) => ({ minute, starts: found.map((byMinute) => byMinute.get(minute) ?? []) }))
    if (rows.length > 0) weeks.push({ days, rows })
  }
  return weeks
}

export type Move = 'earlier' | 'later' | 'day before' | 'day after'

/** The beginning that is reached from another: the next of the day, or the nearest time of the next day that has one. */
export function moveFrom({ days, rows }: StartWeek, at: number, move: Move): number | undefined {
  const columns = days.map((_, day) =>
    rows.flatMap(({ minute, starts }) => starts[day]!.map((start) => ({ minute, start }))),
  )
  const day = columns.findIndex((column) => column.some(({ start }) => start === at))
  const column = columns[day] ?? []
  const place = column.findIndex(({ start }) => start === at)
  if (move === 'earlier' || move === 'later')
    return column[place + (move === 'later' ? 1 : -1)]?.start
  const others = move === 'day after' ? columns.slice(day + 1) : columns.slice(0, day).reverse()
  const minute = column[place]?.minute ?? 0
  const distance = (other: { minute: number }) => Math.abs(other.minute - minute)
  return others
    .find(({ length }) => length > 0)
    ?.toSorted((one, other) => distance(one) - distance(other))[0]?.start
}

export function hasStart({ rows }: StartWeek, at: number | undefined): boolean {
  return at !== undefined && rows.some(({ starts }) => starts.flat().includes(at))
}
