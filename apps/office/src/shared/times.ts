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

/** The day of an event, as short as the language writes it. */
export function shortDay(at: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(at))
}

/** The time between two events: minutes and seconds, `06:42`. */
export function elapsedTime(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}
