import { parseTime } from '@duet/protocol/kernel/time.ts'
import type { Meter, PauseReason, Session } from '@duet/protocol'
import { talkSeconds } from '../../shared/amounts.ts'
import type { MeterClock, RunningCall, ServerClock } from './calls-state.ts'

/**
 * The server sends the phases of the meter. Between two events the page advances the clock only for display: the server
 * charges.
 */

/** Below the first threshold the amount warns. Below the second threshold rings run down. */
export const WARN_SECONDS = 180
export const LAST_MINUTE_SECONDS = 60

/** The server sends a paid meter every 10 s. Without an event the clock on the screen stops after this time. */
const STALE_METER_SECONDS = 15

/**
 * Estimates the clock offset from an event that the server sent at `server_ms`. No event arrives before the server sent
 * it, so the smallest difference is the best estimate.
 */
export function syncClock(clock: ServerClock, serverMs: number, atMs: number): ServerClock {
  const offsetMs = atMs - serverMs
  if (clock.is_sure && offsetMs >= clock.offset_ms) return clock
  return { offset_ms: offsetMs, is_sure: true }
}

/**
 * The meter after an event. A finished phase adds its length by the server's times. A pause begins at the last good
 * report, so a pause may begin before the phase that it ends.
 */
export function applyMeter(
  before: MeterClock | null,
  event: Meter,
  session: Session,
  atMs: number,
): MeterClock {
  const phase_since = parseTime(event.phase_since)
  return {
    phase: event.phase,
    why: event.why ?? null,
    phase_since,
    received_at_ms: atMs,
    paid_seconds: event.paid_seconds,
    balance: event.balance ?? before?.balance ?? null,
    earned: event.earned ?? before?.earned ?? null,
    ...used(before ?? missed(event, session, phase_since), phase_since),
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

/** For a page that joins in the middle: a later phase means that the earlier phases are used up. */
function missed(event: Meter, session: Session, phase_since: number): MeterClock {
  const isPaid = event.phase === 'paid' || event.paid_seconds > 0
  return {
    phase: 'paused',
    why: null,
    phase_since,
    received_at_ms: 0,
    paid_seconds: 0,
    balance: null,
    earned: null,
    free_used_ms: isPaid || event.phase === 'quota' ? session.free_seconds * 1000 : 0,
    quota_used_ms: isPaid ? session.quota_seconds * 1000 : 0,
  }
}

/** The meter at one moment, in seconds. `talk_left` is null while unknown, and for the girl. */
export interface MeterReading {
  phase: 'waiting' | 'free' | 'quota' | 'paid' | 'paused'
  why: PauseReason | null
  /** Good seconds of the call so far: the clock on the screen. */
  seconds: number
  free_left: number
  quota_left: number
  /** The seconds that the balance pays for at the current price, without free seconds. */
  talk_left: number | null
  /** Everything: free, quota and paid. */
  left: number | null
  /** The share of the current minute that has passed, 0 to 1. */
  minute_share: number
  /** Coins, at the moment of reading. */
  earned: number
}

export function readMeter(
  call: RunningCall,
  clock: ServerClock,
  ownBalance: string | null,
  nowMs: number,
): MeterReading {
  const { session, meter } = call
  const { free_seconds, quota_seconds } = session
  const quotaTotal = session.state === 'private' ? 0 : quota_seconds
  if (!meter) return notBegun(free_seconds, quotaTotal, talkSeconds(ownBalance, session.price))
  const { phase } = meter
  const inPhase = Math.max(0, nowMs - clock.offset_ms - meter.phase_since)
  const sinceEvent = phase === 'paid' ? secondsSince(meter.received_at_ms, nowMs) : 0
  const free_used = Math.min(
    free_seconds,
    (meter.free_used_ms + (phase === 'free' ? inPhase : 0)) / 1000,
  )
  const quota_used = Math.min(
    quota_seconds,
    (meter.quota_used_ms + (phase === 'quota' ? inPhase : 0)) / 1000,
  )
  const paid = meter.paid_seconds + sinceEvent
  const talk = talkSeconds(meter.balance ?? ownBalance, session.price)
  const talkLeft = talk === null ? null : Math.max(0, Math.floor(talk - sinceEvent))
  const freeLeft = Math.ceil(free_seconds - free_used)
  const quotaLeft = Math.max(0, Math.ceil(quotaTotal - quota_used))
  return {
    phase,
    why: meter.why,
    seconds: Math.floor(free_used + quota_used + paid),
    free_left: freeLeft,
    quota_left: quotaLeft,
    talk_left: talkLeft,
    left: talkLeft === null ? null : talkLeft + freeLeft + quotaLeft,
    minute_share: (paid % 60) / 60,
    earned: Number(meter.earned ?? 0) + (sinceEvent * Number(session.price)) / 60,
  }
}

function secondsSince(receivedAtMs: number, nowMs: number): number {
  return Math.min(STALE_METER_SECONDS, Math.max(0, nowMs - receivedAtMs) / 1000)
}

function notBegun(freeLeft: number, quotaLeft: number, talkLeft: number | null): MeterReading {
  const left = talkLeft === null ? null : talkLeft + freeLeft + quotaLeft
  return {
    phase: 'waiting',
    why: null,
    seconds: 0,
    free_left: freeLeft,
    quota_left: quotaLeft,
    talk_left: talkLeft,
    left,
    minute_share: 0,
    earned: 0,
  }
}
