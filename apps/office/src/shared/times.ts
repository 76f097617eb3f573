import { locale } from './texts.ts'

const MINUTE_MS = 60_000
const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** How long ago a time was, in the shortest form of the language: `3m`, `2h`. */
export function waitingTime(since: string, nowMs = Date.now()): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE_MS))
  const [unit, size] = UNITS.find(([, each]) => minutes >= each) ?? ['minute', 1]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    Math.floor(minutes / size),
  )
}

/** Date and time of an event, as short as the language writes it. */
export function shortTime(at: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(at),
  )
}
