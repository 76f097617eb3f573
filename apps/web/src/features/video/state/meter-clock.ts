import type { Meter, PauseReason, Session } from '@duet/protocol'
import type { CallState, MeterClock, RunningCall } from './call-state.ts'

/** The meter tells its phases; the page runs the clock between two tellings. Nothing here is charged, only shown. */

/** Rings run down on the last of these minutes; the amount warns on the first. */
export const WARN_SECONDS = 180
export const LAST_MINUTE_SECONDS = 60

/** The server tells a paid meter every 10 s; without news the clock on the screen does not run on for ever. */
const UNTOLD_SECONDS = 15

type Clock = CallState['clock']

/** Something that the server did at `server_ms` was told at once: the smallest difference is the truest, since nothing is heard before it happened. */
export function heardNow(clock: Clock, server_ms: number, at_ms: number): Clock {
  const offset_ms = at_ms - server_ms
  if (clock.is_sure && offset_ms >= clock.offset_ms) return clock
  return { offset_ms, is_sure: true }
}

/**
 * The meter as told. A phase that is over leaves its length behind, by the server's own times. A pause reaches back to the last
 * good report, so it may begin before the phase that it ends.
 */
export function hearMeter(
  before: MeterClock | null,
  told: Meter,
  session: Session,
  at_ms: number,
): MeterClock {
  const phase_since = Date.parse(told.phase_since)
  return {
    phase: told.phase,
    why: told.why ?? null,
    phase_since,
    heard_at_ms: at_ms,
    paid_seconds: told.paid_seconds,
    balance: told.balance ?? before?.balance ?? null,
    earned: told.earned ?? before?.earned ?? null,
    ...used(before ?? missed(told, session, phase_since), phase_since),
  }
}

function used(
  before: MeterClock,
  until: number,
): Pick<MeterClock, 'free_used_ms' | 'quota_used_ms'> {
  const lasted = Math.max(0, until - before.phase_since)
  return {
    free_used_ms: before.free_used_ms + (before.phase === 'free' ? lasted : 0),
    quota_used_ms: before.quota_used_ms + (before.phase === 'quota' ? lasted : 0),
  }
}

/** A page that comes in the middle: a later phase means that the earlier ones were used up. */
function missed(told: Meter, session: Session, phase_since: number): MeterClock {
  const is_paid = told.phase === 'paid' || told.paid_seconds > 0
  return {
    phase: 'paused',
    why: null,
    phase_since,
    heard_at_ms: 0,
    paid_seconds: 0,
    balance: null,
    earned: null,
    free_used_ms: is_paid || told.phase === 'quota' ? session.free_seconds * 1000 : 0,
    quota_used_ms: is_paid ? session.quota_seconds * 1000 : 0,
  }
}

/** What the meter shows at one moment. Seconds; `talk_left` is null while unknown or for her. */
export interface MeterReading {
  phase: 'waiting' | 'free' | 'quota' | 'paid' | 'paused'
  why: PauseReason | null
  /** Good seconds of the call so far: the clock on the screen. */
  seconds: number
  free_left: number
  quota_left: number
  /** What the balance pays for at the present rate, without what is free. */
  talk_left: number | null
  /** Everything: free, quota and paid. */
  left: number | null
  /** How far the present minute is, 0 to 1. */
  minute_share: number
  /** Coins, at the moment of reading. */
  earned: number
}

export function readMeter(
  call: RunningCall,
  clock: Clock,
  own_balance: string | null,
  now_ms: number,
): MeterReading {
  const { session, meter } = call
  const { free_seconds, quota_seconds } = session
  const quota_total = session.state === 'private' ? 0 : quota_seconds
  if (!meter) return notBegun(free_seconds, quota_total, talkSeconds(own_balance, session.price))
  const { phase } = meter
  const in_phase = Math.max(0, now_ms - clock.offset_ms - meter.phase_since)
  const since_told = phase === 'paid' ? secondsSince(meter.heard_at_ms, now_ms) : 0
  const free_used = Math.min(
    free_seconds,
    (meter.free_used_ms + (phase === 'free' ? in_phase : 0)) / 1000,
  )
  const quota_used = Math.min(
    quota_seconds,
    (meter.quota_used_ms + (phase === 'quota' ? in_phase : 0)) / 1000,
  )
  const paid = meter.paid_seconds + since_told
  const talk = talkSeconds(meter.balance ?? own_balance, session.price)
  const talk_left = talk === null ? null : Math.max(0, Math.floor(talk - since_told))
  const free_left = Math.ceil(free_seconds - free_used)
  const quota_left = Math.max(0, Math.ceil(quota_total - quota_used))
  return {
    phase,
    why: meter.why,
    seconds: Math.floor(free_used + quota_used + paid),
    free_left,
    quota_left,
    talk_left,
    left: talk_left === null ? null : talk_left + free_left + quota_left,
    minute_share: (paid % 60) / 60,
    earned: Number(meter.earned ?? 0) + (since_told * Number(session.price)) / 60,
  }
}

function secondsSince(heard_at_ms: number, now_ms: number): number {
  return Math.min(UNTOLD_SECONDS, Math.max(0, now_ms - heard_at_ms) / 1000)
}

function notBegun(free_left: number, quota_left: number, talk_left: number | null): MeterReading {
  const left = talk_left === null ? null : talk_left + free_left + quota_left
  return {
    phase: 'waiting',
    why: null,
    seconds: 0,
    free_left,
    quota_left,
    talk_left,
    left,
    minute_share: 0,
    earned: 0,
  }
}

/** How long a balance lasts at a price a minute, both decimal strings in the same currency; null where there is no balance. */
export function talkSeconds(balance: string | null, price: string): number | null {
  if (balance === null) return null
  const rate = Number(price)
  // Half a thousandth of a second forgives what binary fractions lose, so that 1.5 diamonds at 1.5 a minute are a minute.
  return rate > 0 ? Math.floor((Number(balance) * 60) / rate + 0.0005) : null
}

/** `04:12`, and from an hour on `1:04:12`. */
export function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
