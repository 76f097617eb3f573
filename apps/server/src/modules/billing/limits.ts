import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { productDay, startOfProductDay, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { toDecimal, toMinor } from '../../lib/payments/minor-units.ts'
import { findLimits, type OrderRow, usdBegun, usdSpent } from './queries.ts'
import * as store from './store.ts'

/** A raised limit waits for a day. */
const RAISE_HOURS = 24
/** In cents. */
const DAILY_MAX = 100_000_000n

/** In cents of USD: the book knows every price, whatever was bought and in whichever currency. */
interface Limits {
  /** Null: no limit. */
  readonly daily: bigint | null
  readonly next: { readonly daily: bigint | null; readonly from: Temporal.Instant } | undefined
  readonly cool_off_until: Temporal.Instant | null
}

const NO_LIMITS: Limits = { daily: null, next: undefined, cool_off_until: null }

async function readLimits(db: Db, user_id: UserId, now: Temporal.Instant): Promise<Limits> {
  const row = await findLimits(db, user_id)
  if (!row) return NO_LIMITS
  const { daily_usd, next_usd, next_from, cool_off_until } = row
  const isRaised = next_from !== null && Temporal.Instant.compare(next_from, now) <= 0
  const isCooling = cool_off_until !== null && Temporal.Instant.compare(now, cool_off_until) < 0
  return {
    daily: isRaised ? next_usd : daily_usd,
    next: next_from && !isRaised ? { daily: next_usd, from: next_from } : undefined,
    cool_off_until: isCooling ? cool_off_until : null,
  }
}

function spentToday(db: Db, user_id: UserId, now: Temporal.Instant): Promise<bigint> {
  return usdSpent(db, user_id, startOfProductDay(productDay(now)))
}

/**
 * Refuses spending_limit for a purchase of this price beyond the buyer's own limit, or within the time without purchases. A payment that
 * has begun counts, too.
 */
export async function refuseBeyondLimits(tx: Tx, user_id: UserId, usd: bigint): Promise<void> {
  const { daily, cool_off_until } = await readLimits(tx, user_id, tx.now)
  if (cool_off_until) refuse('spending_limit', { cool_off_until: wireTime(cool_off_until) })
  // A card that was paid for elsewhere costs nothing here.
  if (daily === null || usd === 0n) return
  const left = daily - (await spentToday(tx, user_id, tx.now)) - (await usdBegun(tx, user_id))
  if (usd > left) refuse('spending_limit', { left: toUsd(left > 0n ? left : 0n) })
}

/**
 * Whether a payment comes in against the limits that the buyer has by now: the order was begun before them, or was over.
 * The payments of one buyer are compared one after another.
 */
export async function isBeyondLimits(
  tx: Tx,
  { user_id, price_usd }: Pick<OrderRow, 'user_id' | 'price_usd'>,
): Promise<boolean> {
  await store.lockBuyer(tx, user_id)
  const { daily, cool_off_until } = await readLimits(tx, user_id, tx.now)
  if (cool_off_until) return true
  return daily !== null && price_usd > daily - (await spentToday(tx, user_id, tx.now))
}

const toUsd = (cents: bigint) => toDecimal(cents, 'USD')

async function showLimits(
  db: Db,
  user_id: UserId,
  now: Temporal.Instant,
): Promise<Answer<'GET account/limits'>> {
  const { daily, next, cool_off_until } = await readLimits(db, user_id, now)
  const toAmount = (cents: bigint | null) => (cents === null ? null : toUsd(cents))
  return {
    daily_usd: toAmount(daily),
    spent_today: toUsd(await spentToday(db, user_id, now)),
    cool_off_until: cool_off_until && wireTime(cool_off_until),
    ...(next && { next: { daily_usd: toAmount(next.daily), from: wireTime(next.from) } }),
  }
}

export function getLimits(app: App, { id }: Member): Promise<Answer<'GET account/limits'>> {
  return showLimits(app.db, id, app.clock.now())
}

/** Sets the buyer's own limits. What restricts counts at once; what permits more waits. */
export function changeLimits(
  app: App,
  { id }: Member,
  { daily_usd, cool_off_hours }: Body<'POST account/limits'>,
): Promise<Answer<'POST account/limits'>> {
  return app.transact(async (tx) => {
    await store.lockBuyer(tx, id)
    const present = await readLimits(tx, id, tx.now)
    const limits = daily_usd === undefined ? present : withLimit(present, daily_usd, tx.now)
    await store.saveLimits(tx, {
      user_id: id,
      daily_usd: limits.daily,
      next_usd: limits.next?.daily ?? null,
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
  const daily = wanted === null ? null : toMinor(wanted, 'USD')
  if (daily === undefined || (daily !== null && (daily < 1n || daily > DAILY_MAX)))
    return refuse('invalid', {
      fields: [{ path: 'daily_usd', message: 'An amount like 20 or 14.99' }],
    })
  const isRaised = present.daily !== null && (daily === null || daily > present.daily)
  if (!isRaised) return { ...present, daily, next: undefined }
  return { ...present, next: { daily, from: now.add({ hours: RAISE_HOURS }) } }
}

/** A time without purchases is not shortened. */
function laterCoolOff(
  { cool_off_until: present }: Limits,
  until: Temporal.Instant,
): Temporal.Instant {
  return present && Temporal.Instant.compare(present, until) > 0 ? present : until
}
