import { isDeepStrictEqual } from 'node:util'
import type { Answer, Body, OpenWeek, Query, QuietHours } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { areBlocked } from '../blocks/index.ts'
import { hiddenFromRequest } from '../favourites/index.ts'
import { interlocutors, userById, type UserRow } from '../identity/index.ts'
import { isKnown } from './ask-for-date.ts'
import { storeWeek } from './date-store.ts'
import {
  isZone,
  joinWindows,
  openSpans,
  quietSpans,
  type OpenSpan,
  withoutSpans,
} from './open-hours.ts'
import { readWeek, takenTimes, toSpan } from './queries.ts'

/** How far the page looks ahead. */
const SHOWN_MS = 21 * 86_400_000
const NO_HOURS: OpenWeek = { zone: 'UTC', hours: [], version: 0 }

/** The viewer's own open hours, or those of a girl that the viewer may ask for a date. */
export function readHours(
  app: App,
  viewer: Member,
  { user_id = viewer.id }: Query<'GET dates/hours'>,
  request: RequestContext,
): Promise<Answer<'GET dates/hours'>> {
  return app.transact(async (tx) => {
    const girl = await findGirl(tx, viewer, user_id, request)
    const week = (await readWeek(tx, girl.id)) ?? NO_HOURS
    const fromMs = tx.now.epochMilliseconds
    const shown: OpenSpan = { from_ms: fromMs, until_ms: fromMs + SHOWN_MS }
    const taken = await takenTimes(tx, { user_id: girl.id, side: 'girl' }, shown)
    const quiet = quietSpans(girl.quiet_hours as QuietHours | null, shown)
    const open = withoutSpans(openSpans(week, shown), [...taken.map(toSpan), ...quiet])
    const [user_interlocutor] =
      girl.id === viewer.id ? [] : await interlocutors(app, tx, viewer.id, [girl.id])
    return {
      ...week,
      ...(user_interlocutor && { user_interlocutor }),
      taken: taken.map(({ at, minutes }) => ({ at: wireTime(at), minutes })),
      open: open.map(({ from_ms, until_ms }) => ({
        from: toWire(from_ms),
        until: toWire(until_ms),
      })),
    }
  })
}

function toWire(ms: number): string {
  return wireTime(Temporal.Instant.fromEpochMilliseconds(ms))
}

async function findGirl(
  tx: Tx,
  viewer: Member,
  user_id: UserId,
  request: RequestContext,
): Promise<UserRow> {
  const girl = (await userById(tx, user_id)) ?? refuse('not_found')
  if (girl.role !== 'girl' || girl.erased_at !== null) refuse('not_found')
  if (girl.id === viewer.id) return girl
  if (viewer.role !== 'guy' || girl.verified_at === null || girl.sanction_id !== null)
    refuse('not_found')
  const pair = { guy_id: viewer.id, girl_id: girl.id }
  if (await areBlocked(tx, viewer.id, girl.id)) refuse('blocked')
  const hidden = await hiddenFromRequest({ db: tx, hooks: tx.app.hooks }, viewer, request, [
    girl.id,
  ])
  if (hidden.has(girl.id)) refuse('not_found')
  if (!(await isKnown(tx, pair))) refuse('premium_only')
  return girl
}

/** Stores the whole week in place of the week that the girl has read. Dates that are agreed stay. */
export async function setHours(
  app: App,
  viewer: Member,
  { zone, hours, version }: Body<'POST dates/hours'>,
): Promise<Answer<'POST dates/hours'>> {
  if (!isZone(zone)) refuseField('zone', 'There is no such time zone')
  const wrong = hours.findIndex(({ from_minute, until_minute }) => from_minute >= until_minute)
  if (wrong >= 0) refuseField(`hours.${wrong}.until_minute`, 'The end is after the beginning')
  const week = { zone, hours: joinWindows(hours), version: version + 1 }
  await app.transact(async (tx) => {
    if (await storeWeek(tx, viewer.id, week)) return
    // After a lost answer the same week comes again.
    if (!isDeepStrictEqual(await readWeek(tx, viewer.id), week)) refuse('changed_elsewhere')
  })
  return week
}

function refuseField(path: string, message: string): never {
  refuse('invalid', { fields: [{ path, message }] })
}
