import { textLocale } from './texts.ts'

const MINUTE_MS = 60_000
const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const
const ZONE_KEY = 'duet.office.zone'
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** How far the clock of this device is behind the server's clock. */
let behindMs = 0

/** Takes over the server's clock from an answer that has just come. */
export function followServer(time: string): void {
  behindMs = Date.parse(time) - Date.now()
}

/** The present time by the server's clock: the clock of this device may be wrong. */
export function serverNow(): Date {
  return new Date(Date.now() + behindMs)
}

/** The zone of all times of the office that this browser's member of staff chose, or the zone of the browser. */
export const timeZone = keptZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

function keptZone(): string | undefined {
  try {
    const zone = localStorage.getItem(ZONE_KEY) ?? ''
    return isZone(zone) ? zone : undefined
  } catch {
    return undefined
  }
}

/** Keeps the zone in this browser. Every page shows its times again. */
export function chooseZone(zone: string): void {
  localStorage.setItem(ZONE_KEY, zone)
  location.reload()
}

/** Whether the browser knows a zone of this name. */
export function isZone(zone: string): boolean {
  try {
    return zone !== '' && Boolean(new Intl.DateTimeFormat(textLocale, { timeZone: zone }))
  } catch {
    return false
  }
}

/** How long ago a time was by the server's clock, in the shortest form of the language: `3m`, `2h`. */
export function waitingTime(since: string, nowMs = serverNow().getTime()): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE_MS))
  const [unit, size] = UNITS.find(([, each]) => minutes >= each) ?? ['minute', 1]
  return new Intl.NumberFormat(textLocale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    Math.floor(minutes / size),
  )
}

/** Date and time of an event, as short as the language writes it. */
export function shortTime(at: string): string {
  return new Intl.DateTimeFormat(textLocale, {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  }).format(new Date(at))
}

/** The day of an event, as short as the language writes it. */
export function shortDay(at: string): string {
  return new Intl.DateTimeFormat(textLocale, { dateStyle: 'medium', timeZone }).format(new Date(at))
}

/** The time between two events, or since an event: minutes and seconds, `06:42`. */
export function elapsedTime(from: string, to = serverNow().toISOString()): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}

/** The beginning of a day `2026-03-01`, or of a day some days later, in a zone; of no day, undefined. */
export function startOfDay(day: string, later = 0, zone = timeZone): string | undefined {
  const [, year, month, date] = DAY.exec(day)?.map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const midnight = Date.UTC(year, month - 1, date + later)
  // The clocks may change between the midnight of the zone and that of UTC.
  const near = midnight - zoneOffsetMs(midnight, zone)
  return new Date(midnight - zoneOffsetMs(near, zone)).toISOString()
}

function zoneOffsetMs(at: number, zone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}
