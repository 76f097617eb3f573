import { sql } from 'kysely'
import type { OpenHours, OpenWeek } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { type Db, readTogether } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { plusMs } from '../../lib/clock.ts'
import { inKeys } from '../../platform/database/statements/batched-read.ts'
import type { VirtualDateRecord } from './date-record.ts'
import { toRecord } from './date-store.ts'
import type { OpenSpan } from './open-hours.ts'

/** The longest date, which may have begun before a span that it overlaps. */
const LONGEST_MS = 60 * 60_000

export interface Party {
  readonly user_id: UserId
  readonly side: Role
}

export async function dateById(db: Db, date_id: number): Promise<VirtualDateRecord | undefined> {
  return (await datesByIds(db, [date_id]))[0]
}

export async function datesByIds(db: Db, ids: readonly number[]): Promise<VirtualDateRecord[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('virtual_dates')
    .selectAll()
    .where('date_id', '=', inKeys(ids))
    .execute()
  return rows.map(toRecord)
}

export async function dateOfSession(db: Db, session_id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('virtual_dates')
    .select('date_id')
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return row?.date_id
}

/** The dates in a call. */
export async function startedDates(
  db: Db,
): Promise<readonly { readonly date_id: number; readonly session_id: number }[]> {
  const rows = await db
    .selectFrom('virtual_dates')
    .select(['date_id', 'session_id'])
    .where('closed_at', 'is', null)
    .where('session_id', 'is not', null)
    .execute()
  return rows.map(({ date_id, session_id }) => ({ date_id, session_id: session_id! }))
}

/** The open dates of a user, the next first. */
export async function openDates(
  db: Db,
  { user_id, side }: Party,
  page: { readonly offset: number; readonly limit: number },
): Promise<VirtualDateRecord[]> {
  const rows = await db
    .selectFrom('virtual_dates')
    .selectAll()
    .where(`${side}_id`, '=', user_id)
    .where('closed_at', 'is', null)
    .orderBy('at')
    .orderBy('date_id')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return rows.map(toRecord)
}

/** The past dates of a user, the last first. */
export async function pastDates(
  db: Db,
  { user_id, side }: Party,
  page: { readonly offset: number; readonly limit: number },
): Promise<VirtualDateRecord[]> {
  const rows = await db
    .selectFrom('virtual_dates')
    .selectAll()
    .where(`${side}_id`, '=', user_id)
    .where('closed_at', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('date_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return rows.map(toRecord)
}

export async function countOpen(db: Db, { user_id, side }: Party): Promise<number> {
  const row = await db
    .selectFrom('virtual_dates')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(`${side}_id`, '=', user_id)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** An open date before its call. */
export type WaitingDate = Pick<VirtualDateRecord, 'date_id' | 'guy_id' | 'girl_id'>

/** The open dates that these two have with each other and that no call has begun. */
export async function datesBetween(
  db: Db,
  one: UserId,
  other: UserId,
): Promise<readonly WaitingDate[]> {
  const [first, second] = await readTogether(db, [
    () => waitingBetween(db, { guy_id: one, girl_id: other }),
    () => waitingBetween(db, { guy_id: other, girl_id: one }),
  ])
  return [...first, ...second]
}

function waitingBetween(
  db: Db,
  { guy_id, girl_id }: { readonly guy_id: UserId; readonly girl_id: UserId },
): Promise<WaitingDate[]> {
  return db
    .selectFrom('virtual_dates')
    .select(['date_id', 'guy_id', 'girl_id'])
    .where('guy_id', '=', guy_id)
    .where('girl_id', '=', girl_id)
    .where('closed_at', 'is', null)
    .where('session_id', 'is', null)
    .orderBy('date_id')
    .execute()
}

/** The open dates of a user with everyone, before a call has begun. */
export async function waitingDates(db: Db, user_id: UserId): Promise<readonly WaitingDate[]> {
  const { rows } = await sql<WaitingDate>`
    select date_id, guy_id, girl_id from virtual_dates
    where guy_id = ${user_id} and closed_at is null and session_id is null
    union all
    select date_id, guy_id, girl_id from virtual_dates
    where girl_id = ${user_id} and closed_at is null and session_id is null
    order by date_id`.execute(db)
  return rows
}

/** The times within a span that open dates of a user take, in order. */
export async function takenTimes(
  db: Db,
  { user_id, side }: Party,
  { from_ms, until_ms }: OpenSpan,
): Promise<readonly Pick<VirtualDateRecord, 'at' | 'minutes'>[]> {
  const toInstant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)
  const rows = await db
    .selectFrom('virtual_dates')
    .select(['at', 'minutes'])
    .where(`${side}_id`, '=', user_id)
    .where('closed_at', 'is', null)
    .where('at', '>', toInstant(from_ms - LONGEST_MS))
    .where('at', '<', toInstant(until_ms))
    .orderBy('at')
    .execute()
  return rows
    .map(({ at, minutes }) => ({ at, minutes: minutes as VirtualDateRecord['minutes'] }))
    .filter(({ at, minutes }) => toSpan({ at, minutes }).until_ms > from_ms)
}

export function toSpan({
  at,
  minutes,
}: {
  readonly at: Temporal.Instant
  readonly minutes: number
}): OpenSpan {
  return {
    from_ms: at.epochMilliseconds,
    until_ms: plusMs(at, minutes * 60_000).epochMilliseconds,
  }
}

/** Undefined: she has never set her open hours. */
export async function readWeek(db: Db, girl_id: UserId): Promise<OpenWeek | undefined> {
  const row = await db
    .selectFrom('date_hours')
    .select(['zone', 'hours', 'version'])
    .where('girl_id', '=', girl_id)
    .executeTakeFirst()
  return row && { ...row, hours: row.hours as OpenHours[] }
}
