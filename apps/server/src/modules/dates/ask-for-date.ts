import type { Answer, Body, QuietHours } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { msBetween, plusMs } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { findMeetable } from '../blocks/index.ts'
import { hiddenFromRequest, isFavourite } from '../favourites/index.ts'
import type { UserRow } from '../identity/index.ts'
import { mayBeOffered } from '../matchmaking/index.ts'
import { rightsOfPair } from '../messenger/index.ts'
import { setting } from '../settings/index.ts'
import { assertAgeProven } from '../verification/index.ts'
import { dates } from './date-process.ts'
import { openDate } from './date-rules.ts'
import { lockCalendars, nextDateId } from './date-store.ts'
import { holdDate } from './money.ts'
import { isOpenFor } from './open-hours.ts'
import { countOpen, datesBetween, readWeek, takenTimes, toSpan } from './queries.ts'
import { dateView } from './views.ts'

const DAY_MS = 86_400_000

/** Asks a girl for a date in her open hours. The amount is held from now on. */
export async function askForDate(
  app: App,
  viewer: Member,
  { user_id, at, minutes }: Body<'POST dates'>,
  context: RequestContext,
): Promise<Answer<'POST dates'>> {
  if (!viewer.age_confirmed) refuse('age_unconfirmed')
  await assertAgeProven(app, viewer)
  const asked = { at: Temporal.Instant.from(at), minutes }
  return app.transact(async (tx) => {
    const girl = await findMeetable(tx, viewer, user_id)
    await assertMayAsk(tx, viewer, girl, context)
    await assertPossible(tx, girl, asked)
    const pair = { guy_id: viewer.id, girl_id: user_id }
    await lockCalendars(tx, [viewer.id, user_id])
    await assertFree(tx, pair, asked)
    const date_id = await nextDateId(tx)
    const money = await holdDate(tx, { date_id, minutes, ...pair })
    await dates(app).openIn(tx, openDate({ date_id, ...pair, ...asked, ...money }, tx.now))
    const answer = { date: await dateView(app, tx, viewer.id, date_id, context) }
    await context.storeAnswer?.(tx, answer)
    return answer
  })
}

/** A guy asks girls that he knows. A girl who may not be called now may not be asked either. */
async function assertMayAsk(
  tx: Tx,
  viewer: Member,
  girl: UserRow,
  context: RequestContext,
): Promise<void> {
  const pair = { guy_id: viewer.id, girl_id: girl.id }
  if (girl.role !== 'girl' || girl.verified_at === null) refuse('not_found')
  const hidden = await hiddenFromRequest({ db: tx, hooks: tx.app.hooks }, viewer, context, [
    girl.id,
  ])
  if (girl.sanction_id !== null || hidden.has(girl.id)) refuse('not_found')
  if (!(await isKnown(tx, pair))) refuse('premium_only')
  if (girl.premium_calls_only && !viewer.premium) refuse('premium_only')
  if (!(await mayBeOffered(tx, girl))) refuse('user_offline')
}

/** She is a favourite of his, or the two have a dialog. */
export async function isKnown(
  db: Tx | App['db'],
  { guy_id, girl_id }: { readonly guy_id: UserId; readonly girl_id: UserId },
): Promise<boolean> {
  if (await isFavourite(db, guy_id, girl_id)) return true
  return (await rightsOfPair(db, guy_id, girl_id)) !== undefined
}

interface AskedTime {
  readonly at: Temporal.Instant
  readonly minutes: number
}

async function assertPossible(tx: Tx, girl: UserRow, asked: AskedTime): Promise<void> {
  const aheadMs = setting(tx.app, 'virtual_date_ahead') * DAY_MS
  if (msBetween(tx.now, asked.at) <= 0) refuseTime('This time is in the past')
  if (msBetween(plusMs(tx.now, aheadMs), asked.at) > 0) refuseTime('This time is too far ahead')
  const week = await readWeek(tx, girl.id)
  if (!week || !isOpenFor(week, girl.quiet_hours as QuietHours | null, asked))
    refuseTime('This time is outside of her open hours')
}

function refuseTime(message: string): never {
  refuse('invalid', { fields: [{ path: 'at', message }] })
}

/** Neither has another date at that time, or too many dates, or too many with the other. */
async function assertFree(
  tx: Tx,
  { guy_id, girl_id }: { readonly guy_id: UserId; readonly girl_id: UserId },
  asked: AskedTime,
): Promise<void> {
  if (
    (await datesBetween(tx, guy_id, girl_id)).length >= setting(tx.app, 'virtual_dates_open_pair')
  )
    refuse('too_many')
  const limits = { guy: 'virtual_dates_open', girl: 'virtual_dates_open_girl' } as const
  for (const [side, user_id] of [
    ['guy', guy_id],
    ['girl', girl_id],
  ] as const) {
    const taken = await takenTimes(tx, { user_id, side }, toSpan(asked))
    if (taken.length > 0) refuse('in_call', { who: side === 'guy' ? 'you' : 'other' })
    const open = await countOpen(tx, { user_id, side })
    if (open >= setting(tx.app, limits[side])) refuse('too_many')
  }
}
