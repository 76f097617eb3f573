import type { OpenHours } from '@duet/protocol'

/** The open hours of a week: the number of an hour is `(weekday - 1) * 24 + hour`. */
export type HourCells = ReadonlySet<number>

export const HOURS = 24
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

export function toCell(weekday: number, hour: number): number {
  return (weekday - 1) * HOURS + hour
}

/** An hour that is open as a whole. */
export function toCells(windows: readonly OpenHours[]): HourCells {
  const cells = new Set<number>()
  for (const { weekday, from_minute, until_minute } of windows)
    for (let hour = Math.ceil(from_minute / 60); (hour + 1) * 60 <= until_minute; hour += 1)
      cells.add(toCell(weekday, hour))
  return cells
}

/** Hours that follow each other are one window. */
export function toWindows(cells: HourCells): OpenHours[] {
  return WEEKDAYS.flatMap((weekday) => {
    const windows: OpenHours[] = []
    for (let hour = 0; hour < HOURS; hour += 1) {
      if (!cells.has(toCell(weekday, hour))) continue
      const last = windows.at(-1)
      if (last?.until_minute === hour * 60) last.until_minute += 60
      else windows.push({ weekday, from_minute: hour * 60, until_minute: (hour + 1) * 60 })
    }
    return windows
  })
}

export function countHours(cells: HourCells): number {
  return cells.size
}

export function isSameWeek(cells: HourCells, others: HourCells): boolean {
  return cells.size === others.size && cells.isSubsetOf(others)
}

export function withCell(cells: HourCells, cell: number, on: boolean): HourCells {
  if (cells.has(cell) === on) return cells
  const changed = new Set(cells)
  if (on) changed.add(cell)
  else changed.delete(cell)
  return changed
}
