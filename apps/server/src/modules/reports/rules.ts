import { createHash } from 'node:crypto'
import { type ReportKind, reportKinds } from '@duet/protocol/contracts/reports.ts'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import { productDay } from '../../lib/clock.ts'

/** In place of a name, and a name for no member of staff: there was no decision in time. */
export const BY_CLOCK = '#clock'
/** An intimate picture is removed so long before its time is over. */
const CLOCK_HOURS = 1
const IMAGE_HOURS = 48
const BUSINESS_DAYS = 7
const SATURDAY = 6
/** A report about a child is answered within a day. */
export const CHILD_REASON = 'child'
const CHILD_HOURS = 24

/**
 * Until when a report is answered: about a child within a day, an intimate picture within 48 hours, the others within 7
 * business days, which are Monday to Friday without public holidays.
 */
export function answerUntil(
  { kind, reason }: { readonly kind: ReportKind; readonly reason: string },
  filedAt: Temporal.Instant,
  holidays: readonly string[] = [],
): Temporal.Instant {
  if (reason === CHILD_REASON) return filedAt.add({ hours: CHILD_HOURS })
  if (kind === 'intimate_image') return filedAt.add({ hours: IMAGE_HOURS })
  let day = productDay(filedAt)
  let days = 0
  for (let left = BUSINESS_DAYS; left > 0; days += 1) {
    day = day.add({ days: 1 })
    if (day.dayOfWeek < SATURDAY && !holidays.includes(day.toString())) left -= 1
  }
  return filedAt.add({ hours: 24 * days })
}

interface AnswerTime {
  readonly kind: string
  readonly reason: string
  readonly filed_at: Temporal.Instant
  readonly answer_until: Temporal.Instant
}

/** The public holidays that the time of a report leaves out, the first one first. */
export function holidaysBetween(
  holidays: readonly string[],
  { kind, reason, filed_at, answer_until }: AnswerTime,
): string[] {
  if (kind === 'intimate_image' || reason === CHILD_REASON) return []
  const [from, to] = [productDay(filed_at).toString(), productDay(answer_until).toString()]
  return holidays.filter((day) => day > from && day <= to).toSorted()
}

/** The time of an intimate picture ends without a decision: it is removed. */
export function isDueByClock(
  {
    decided_at,
    answer_until,
  }: { readonly decided_at: Temporal.Instant | null; readonly answer_until: Temporal.Instant },
  now: Temporal.Instant,
): boolean {
  return (
    decided_at === null &&
    Temporal.Instant.compare(now, answer_until.subtract({ hours: CLOCK_HOURS })) >= 0
  )
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const NAMED_MAX = 5

/** The ids of uploads that stand in the addresses of pictures which a reporter copied. */
export function namedUploads(where: string): readonly string[] {
  return [...new Set(where.toLowerCase().match(UUIDS))].slice(0, NAMED_MAX)
}

/** Without the letters and digits that look like others. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const RECEIPT_LETTERS = 10

/** The number of a receipt, which tells nothing about the secret or the number of reports. */
export function createReceipt(secret: string): string {
  const bytes = createHash('sha256').update(`receipt ${secret}`).digest()
  const letters = Array.from({ length: RECEIPT_LETTERS }, (_, at) => LETTERS[bytes[at]! % 32])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** About a child, or a life in danger. */
export const URGENT_REASONS: readonly string[] = [CHILD_REASON, 'emergency']

export function isUrgent(reason: string): boolean {
  return URGENT_REASONS.includes(reason)
}

export const SEVERE_REASONS: readonly string[] = ['child', 'nudity', 'threats', 'emergency']

/** About children, violence and nudity: a moderator decides a limited number of them. */
export function isSevere({ kind, reason }: { kind: string; reason: string }): boolean {
  return kind === 'intimate_image' || SEVERE_REASONS.includes(reason)
}

/** Letters of authorities are about users who must not learn of them, or demand their data. */
export function isForManagers(kind: string): boolean {
  return kind === 'authority'
}

/** The kinds of reports that staff of this role list and count. */
export function kindsFor(role: StaffRole): readonly ReportKind[] {
  return reportKinds.filter((kind) => role !== 'moderator' || !isForManagers(kind))
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2
}
