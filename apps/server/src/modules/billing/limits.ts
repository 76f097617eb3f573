import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { productDay, startOfProductDay, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { findLimits, minutesBegun, minutesBought, type OrderRow } from './queries.ts'
import * as store from './store.ts'

/** A raised limit waits for a day. */
const RAISE_HOURS = 24

interface Limits {
  /** Null: no limit. */
  readonly daily_minutes: number | null
  readonly next: { readonly minutes: number | null; readonly from: Temporal.Instant } | undefined
  readonly cool_off_until: Temporal.Instant | null
}

const NO_LIMITS: Limits = { daily_minutes: null, next: undefined, cool_off_until: null }

async function readLimits(db: Db, user_id: UserId, now: Temporal.Instant): Promise<Limits> {
  const row = await findLimits(db, user_id)
  if (!row) return NO_LIMITS
  const { daily_minutes, next_minutes, next_from, cool_off_until } = row
  const isRaised = next_from !== null && Temporal.Instant.compare(next_from, now) <= 0
  const isCooling = cool_off_until !== null && Temporal.Instant.compare(now, cool_off_until) < 0
  return {
    daily_minutes: isRaised ? next_minutes : daily_minutes,
    next: next_from && !isRaised ? { minutes: next_minutes, from: next_from } : undefined,
    cool_off_until: isCooling ? cool_off_until : null,
  }
}

function boughtToday(db: Db, user_id: UserId, now: Temporal.Instant): Promise<number> {
  return minutesBought(db, user_id, startOfProductDay(productDay(now)))
}

/**
 * Refuses spending_limit for a purchase beyond the buyer's own limit, or within the time without purchases. A payment that
 * has begun counts, too.
 */
export async function refuseBeyondLimits(tx: Tx, user_id: UserId, minutes: number): Promise<void> {
  const { daily_minutes, cool_off_until } = await readLimits(tx, user_id, tx.now)
  if (cool_off_until) refuse('spending_limit', { cool_off_until: wireTime(cool_off_until) })
  if (daily_minutes === null || minutes === 0) return
  const bought = await boughtToday(tx, user_id, tx.now)
  const left = daily_minutes - bought - (await minutesBegun(tx, user_id))
  if (minutes > left) refuse('spending_limit', { left: String(Math.max(0, left)) })
}

/**
 * Whether a payment comes in against the limits that the buyer has by now: the order was begun before them, or was over.
 * The payments of one buyer are compared one after another.
 */
export async function isBeyondLimits(
  tx: Tx,
  { user_id, pack, value }: Pick<OrderRow, 'user_id' | 'pack' | 'value'>,
): Promise<boolean> {
  await store.lockBuyer(tx, user_id)
  const { daily_minutes, cool_off_until } = await readLimits(tx, user_id, tx.now)
  if (cool_off_until) return true
  if (daily_minutes === null || pack !== 'minutes') return false
  return value > daily_minutes - (await boughtToday(tx, user_id, tx.now))
}

async function showLimits(
  db: Db,
  user_id: UserId,
  now: Temporal.Instant,
): Promise<Answer<'GET account/limits'>> {
  const { daily_minutes, next, cool_off_until } = await readLimits(db, user_id, now)
  const toAmount = (minutes: number | null) => (minutes === null ? null : String(minutes))
  return {
    daily_diamonds: toAmount(daily_minutes),
    spent_today: String(await boughtToday(db, user_id, now)),
    cool_off_until: cool_off_until && wireTime(cool_off_until),
    ...(next && { next: { daily_diamonds: toAmount(next.minutes), from: wireTime(next.from) } }),
  }
}

export function getLimits(app: App, { id }: Member): Promise<Answer<'GET account/limits'>> {
  return showLimits(app.db, id, app.clock.now())
}

/** Sets the buyer's own limits. What restricts counts at once; what permits more waits. */
export function changeLimits(
  app: App,
  { id }: Member,
  { daily_diamonds, cool_off_hours }: Body<'POST account/limits'>,
): Promise<Answer<'POST account/limits'>> {
  return app.transact(async (tx) => {
    await store.lockBuyer(tx, id)
    const present = await readLimits(tx, id, tx.now)
    const limits =
      daily_diamonds === undefined ? present : withLimit(present, daily_diamonds, tx.now)
    await store.saveLimits(tx, {
      user_id: id,
      daily_minutes: limits.daily_minutes,
      next_minutes: limits.next?.minutes ?? null,
      next_from: limits.next?.from ?? null,
      cool_off_until:
        cool_off_hours === undefined
          ? present.cool_off_until
          : laterCoolOff(present, tx.now.add({ hours: cool_off_hours })),
    })
    return showLimits(tx, id, tx.now)
  })
}

function withLimit(present: Limits, wanted: string | null, now: Temporal.Instant): Limits {
  const minutes = wanted === null ? null : Number(wanted)
  if (minutes !== null && (!Number.isInteger(minutes) || minutes < 1 || minutes > 1_000_000))
    refuse('invalid', {
      fields: [{ path: 'daily_diamonds', message: 'A whole number of minutes' }],
    })
  const { daily_minutes } = present
  const isRaised = daily_minutes !== null && (minutes === null || minutes > daily_minutes)
  if (!isRaised) return { ...present, daily_minutes: minutes, next: undefined }
  return { ...present, next: { minutes, from: now.add({ hours: RAISE_HOURS }) } }
}

/** A time without purchases is not shortened. */
function laterCoolOff(
  { cool_off_until: present }: Limits,
  until: Temporal.Instant,
): Temporal.Instant {
  return present && Temporal.Instant.compare(present, until) > 0 ? present : until
}
