import type { DateMinutes, DateState } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { plusMs } from '../../lib/clock.ts'

/** A date as data: the record of one row, its times and its amounts. Only `date-rules.ts` decides what happens to it. */

const MINUTE_MS = 60_000
/** How long after its time both may press. */
export const PRESS_MS = 10 * MINUTE_MS
/** Before its last hour a date is cancelled without cost. */
const FREE_CANCEL_MS = 60 * MINUTE_MS
/** How long before its time a date is reminded of. */
export const REMINDERS_MS = [24 * 60 * MINUTE_MS, 10 * MINUTE_MS] as const

export interface VirtualDateRecord {
  date_id: number
  guy_id: number
  girl_id: number
  at: Temporal.Instant
  minutes: DateMinutes
  state: DateState
  /** Of a private minute, as they were at the request: diamond units and coin units. */
  price: bigint
  earn: bigint
  /** Null: the price is nothing. */
  hold_id: number | null
  hold_units: bigint
  opened_at: Temporal.Instant
  answer_until: Temporal.Instant
  /** How many reminders were sent, or would have come too late. */
  reminders: number
  guy_pressed_at: Temporal.Instant | null
  girl_pressed_at: Temporal.Instant | null
  session_id: number | null
  cancelled_by: Role | null
  kept_units: bigint
  earned_units: bigint
  wake_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
}

export interface DateRules {
  /** The part of the hold and of her earnings that a missed date costs and earns. */
  readonly noshow_percent: number
  /** When this server process began. */
  readonly up_since: Temporal.Instant
}

export type DateOpening = Pick<
  VirtualDateRecord,
  'date_id' | 'guy_id' | 'girl_id' | 'at' | 'minutes' | 'price' | 'earn' | 'hold_id' | 'hold_units'
>

/** She answers at the latest ten minutes before the time, and within half of the time that is left. */
export function answerUntil(asked: Temporal.Instant, at: Temporal.Instant): Temporal.Instant {
  const leftMs = at.epochMilliseconds - asked.epochMilliseconds
  return plusMs(at, -Math.min(REMINDERS_MS[1], Math.floor(leftMs / 2)))
}

/** Until then a party may cancel without cost. */
export function freeUntil({ at }: Pick<VirtualDateRecord, 'at'>): Temporal.Instant {
  return plusMs(at, -FREE_CANCEL_MS)
}

export function pressedAt(date: VirtualDateRecord, side: Role): Temporal.Instant | null {
  return side === 'guy' ? date.guy_pressed_at : date.girl_pressed_at
}

/** The cost of a missed date for him, and her earnings. */
export function missedAmounts(
  { hold_units, earn, minutes }: Pick<VirtualDateRecord, 'hold_units' | 'earn' | 'minutes'>,
  { noshow_percent }: Pick<DateRules, 'noshow_percent'>,
): { kept_units: bigint; earned_units: bigint } {
  // A free date pays nothing, so it earns nothing.
  if (hold_units === 0n) return { kept_units: 0n, earned_units: 0n }
  const percent = BigInt(noshow_percent)
  return {
    kept_units: (hold_units * percent) / 100n,
    earned_units: (earn * BigInt(minutes) * percent) / 100n,
  }
}
