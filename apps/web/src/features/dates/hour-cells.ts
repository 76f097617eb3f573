import type { OpenHours } from '@duet/protocol'

/** A part of an hour, in minutes from 0 to 60, the end excluded. */
export interface HourPart {
  readonly from: number
  readonly until: number
}

/**
 * The open parts of the hours of a week, by the number of the hour: `(weekday - 1) * 24 + hour`. The page switches whole
 * hours. Parts of hours, which other clients may save, stay as they are until their hour is switched.
 */
export type HourCells = ReadonlyMap<number, readonly HourPart[]>

export const HOURS = 24
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const WHOLE: readonly HourPart[] = [{ from: 0, until: 60 }]

export function toCell(weekday: number, hour: number): number {
  return (weekday - 1) * HOURS + hour
}

export function isWhole(parts: readonly HourPart[] | undefined): boolean {
  return parts?.length === 1 && parts[0]!.from === 0 && parts[0]!.until === 60
}

export function toCells(windows: readonly OpenHours[]): HourCells {
  const cells = new Map<number, HourPart[]>()
  for (const { weekday, from_minute, until_minute } of windows.toSorted(byBeginning))
    for (let hour = Math.floor(from_minute / 60); hour * 60 < until_minute; hour += 1) {
      const from = Math.max(0, from_minute - hour * 60)
      const until = Math.min(60, until_minute - hour * 60)
      const parts = cells.get(toCell(weekday, hour)) ?? []
      const last = parts.at(-1)
      if (last && last.until >= from)
        parts[parts.length - 1] = { from: last.from, until: Math.max(last.until, until) }
      else parts.push({ from, until })
      cells.set(toCell(weekday, hour), parts)
    }
  return cells
}

function byBeginning(one: OpenHours, other: OpenHours): number {
  return one.from_minute - other.from_minute
}

/** Parts that follow each other are one window. */
export function toWindows(cells: HourCells): OpenHours[] {
  return WEEKDAYS.flatMap((weekday) => {
    const windows: OpenHours[] = []
    for (let hour = 0; hour < HOURS; hour += 1)
      for (const { from, until } of cells.get(toCell(weekday, hour)) ?? []) {
        const [from_minute, until_minute] = [hour * 60 + from, hour * 60 + until]
        const last = windows.at(-1)
        if (last?.until_minute === from_minute) last.until_minute = until_minute
        else windows.push({ weekday, from_minute, until_minute })
      }
    return windows
  })
}

export function countHours(cells: HourCells): number {
  const minutes = [...cells.values()].flat().map(({ from, until }) => until - from)
  return minutes.reduce((sum, each) => sum + each, 0) / 60
}

export function isSameWeek(cells: HourCells, others: HourCells): boolean {
  return JSON.stringify(toWindows(cells)) === JSON.stringify(toWindows(others))
}

/** Opens a whole hour, or closes it. */
export function withCell(cells: HourCells, cell: number, on: boolean): HourCells {
  if (on ? isWhole(cells.get(cell)) : !cells.has(cell)) return cells
  const changed = new Map(cells)
  if (on) changed.set(cell, WHOLE)
  else changed.delete(cell)
  return changed
}
