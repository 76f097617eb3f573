import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { isHiddenPair } from '../matchmaking/index.ts'
import { dates } from './date-process.ts'
import { dateOfSession, datesBetween, waitingDates } from './queries.ts'

/** A block ends the dates of the two, with the money back. */
export async function onBlocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  for (const date_id of await datesBetween(tx, user_id, blocked_id)) await separate(tx, date_id)
}

/** A ban or a deletion ends all dates of a user, with the money back. */
export async function onLeft(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  for (const { date_id } of await waitingDates(tx, user_id)) await separate(tx, date_id)
}

/** She hides from the country where he is now: the two no longer see each other. */
export async function onVisibilityChanged(
  tx: Tx,
  { user_id }: DomainEvents['visibility_changed'],
): Promise<void> {
  for (const { date_id, ...pair } of await waitingDates(tx, user_id))
    if (await isHiddenPair(tx, pair)) await separate(tx, date_id)
}

/** The private call of a date is over, and has settled the hold. */
export async function onCallClosed(
  tx: Tx,
  { session_id, kind, recovered }: DomainEvents['call_closed'],
): Promise<void> {
  if (kind !== 'direct' || recovered) return
  const date_id = await dateOfSession(tx, session_id)
  if (date_id !== undefined) await dates(tx.app).applyIn(tx, date_id, { type: 'call_closed' })
}

/** A date that another server process owns ends when the two press: they do not see each other any more. */
async function separate(tx: Tx, date_id: number): Promise<void> {
  await dates(tx.app).applyIn(tx, date_id, { type: 'separated' })
}
