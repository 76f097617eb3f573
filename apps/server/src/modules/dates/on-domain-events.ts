import type { App, Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { type CallEnd, callEnds } from '../calls/index.ts'
import { isHiddenPair } from '../matchmaking/index.ts'
import { dates } from './date-process.ts'
import type { DateEvent } from './date-events.ts'
import {
  dateOfSession,
  datesBetween,
  startedDates,
  type WaitingDate,
  waitingDates,
} from './queries.ts'

/** A block ends the dates of the two. It costs as much as a cancellation by the user who blocks. */
export async function onBlocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  for (const date of await datesBetween(tx, user_id, blocked_id)) await separate(tx, date, user_id)
}

/**
 * A ban or a suspension ends all dates of a user and costs neither side: a complaint suspends before anybody has decided,
 * and no one earns by complaining.
 */
export async function onBanned(tx: Tx, { user_id }: DomainEvents['banned']): Promise<void> {
  for (const { date_id } of await waitingDates(tx, user_id))
    await dates(tx.app).applyIn(tx, date_id, { type: 'separated', side: null })
}

/** A deletion ends all dates of a user, as if the user had cancelled them. */
export async function onLeft(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  for (const date of await waitingDates(tx, user_id)) await separate(tx, date, user_id)
}

/** She hides from the country where he is now: the two no longer see each other. */
export async function onVisibilityChanged(
  tx: Tx,
  { user_id }: DomainEvents['visibility_changed'],
): Promise<void> {
  for (const date of await waitingDates(tx, user_id))
    if (await isHiddenPair(tx, date)) await separate(tx, date, user_id)
}

/** The private call of a date is over, and has settled the hold. */
export async function onCallClosed(
  tx: Tx,
  { session_id, kind, recovered, ...end }: DomainEvents['call_closed'],
): Promise<void> {
  if (kind !== 'direct' || recovered) return
  const date_id = await dateOfSession(tx, session_id)
  if (date_id !== undefined) await dates(tx.app).applyIn(tx, date_id, toCallClosed(end))
}

/** A call that a user or the staff ended is not lost, also if it never connected. */
const LOST: ReadonlySet<string> = new Set(['not_connected', 'partner_lost', 'server'])

function toCallClosed({ connected, reason }: CallEnd): DateEvent {
  return { type: 'call_closed', is_lost: !connected && LOST.has(reason) }
}

/** Ends the dates whose call is over, but closed without this news: a server process died with it. */
export async function endLeftDates(app: App): Promise<void> {
  const started = await startedDates(app.db)
  const ends = await callEnds(
    app.db,
    started.map(({ session_id }) => session_id),
  )
  for (const { date_id, session_id } of started) {
    const end = ends.get(session_id)
    if (end) await dates(app).dispatch(date_id, toCallClosed(end))
  }
}

async function separate(tx: Tx, date: WaitingDate, user_id: UserId): Promise<void> {
  const side = date.guy_id === user_id ? 'guy' : 'girl'
  await dates(tx.app).applyIn(tx, date.date_id, { type: 'separated', side })
}
