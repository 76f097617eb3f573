import { ROLES } from '@duet/protocol/kernel/roles.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { userById } from '../identity/index.ts'
import { isInCall } from '../presence/index.ts'
import { beginBreak, sendSearchState, showStoredBreak } from './availability.ts'
import { enqueueInBackground, offers } from './enqueue.ts'
import { endForCall, endForLeaver, endIfHidden } from './invitations/end-invitations.ts'
import { isHiddenPair, findOpenOffer, findOpenPair } from './queries.ts'
import {
  isAvailable,
  matchmakingState,
  runInBackground,
  findSearchSession,
} from './search-sessions.ts'
import { searchAgain } from './start-search.ts'
import { endSearch, leaveSearch } from './stop-search.ts'
import { recordMeeting } from './store.ts'
import { getUserId } from './views.ts'

/** The user logged out, was banned or deleted the account; or a visitor became a member and is no visitor any more. */
export async function onUserLeft(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  tx.afterCommit(() => leaveSearch(tx.app, user_id))
  endForLeaver(tx, user_id)
}

/** Users in a call are in no search and in no offer (MA1). */
export async function onCallOpened(tx: Tx, event: DomainEvents['call_opened']): Promise<void> {
  const { app } = tx
  for (const side of ROLES) {
    const user_id = getUserId(event, side)
    const pair_id = event.recovered ? undefined : await findOpenPair(tx, user_id, side)
    if (pair_id !== undefined)
      await offers(app).applyIn(tx, pair_id, { type: 'taken', side, by: 'call' })
    if (!event.recovered) await endForCall(tx, event, side)
    tx.afterCommit(() =>
      runInBackground(app, user_id, 'leaving a search for a call', async () => {
        // An opening that is published again may be late: the call is over, and a new search has begun.
        if (event.recovered && !isInCall(app, user_id)) return
        const search = findSearchSession(app, user_id)
        if (search) await endSearch(app, search, 'call')
      }),
    )
  }
}

/** Records the meeting, also when the two saw no picture of each other. */
export async function onCallClosed(tx: Tx, event: DomainEvents['call_closed']): Promise<void> {
  const { app } = tx
  if (!event.recovered) await recordMeeting(tx, event.guy_id, event.girl_id, tx.now)
  if (event.begin_break && !event.recovered) await beginBreak(tx, event.girl_id)
  // Her break may have begun before this call: with the end of a public call that she left for this one.
  tx.afterCommit(() => showStoredBreak(app, event.girl_id))
  for (const side of ROLES) {
    const user_id = getUserId(event, side)
    tx.afterCommit(() => {
      runInBackground(app, user_id, 'sending the state of a search', () =>
        sendSearchState(app, user_id),
      )
      if (event.requeue.includes(side)) searchAgain(app, user_id)
    })
  }
}

/** A block ends the offer between the two and excludes them from each other; both keep waiting. */
export async function onBlocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  const { app } = tx
  const [row, other] = [await userById(tx, user_id), await userById(tx, blocked_id)]
  if (row?.role === other?.role) return
  const [guy_id, girl_id] = row?.role === 'girl' ? [blocked_id, user_id] : [user_id, blocked_id]
  const pair_id = await findOpenPair(tx, guy_id, 'guy')
  if (pair_id !== undefined && pair_id === (await findOpenPair(tx, girl_id, 'girl')))
    await offers(app).applyIn(tx, pair_id, { type: 'blocked' })
  await endIfHidden(tx, user_id)
  tx.afterCommit(async () => {
    await matchmakingState(app).queue.exclude(user_id, blocked_id)
  })
}

/** Enqueues both again, because the queue still excludes them from each other. */
export async function onUnblocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['unblocked'],
): Promise<void> {
  for (const id of [user_id, blocked_id]) tx.afterCommit(() => enqueueAgain(tx.app, id))
}

/** Re-enqueues a waiting user after a profile change (premium, country, quiet hours, verification); the waiting time is kept. */
export async function onMemberUpdated(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  tx.afterCommit(() => enqueueAgain(tx.app, user_id))
}

/** Ends the open offer and the invitation of a guy and a girl who now hides from where he is; both keep waiting. */
export async function onVisibilityChanged(
  tx: Tx,
  { user_id }: DomainEvents['visibility_changed'],
): Promise<void> {
  for (const side of ROLES) {
    const offer = await findOpenOffer(tx, user_id, side)
    if (offer && (await isHiddenPair(tx, offer)))
      await offers(tx.app).applyIn(tx, offer.pair_id, { type: 'blocked' })
  }
  await endIfHidden(tx, user_id)
}

function enqueueAgain(app: App, user_id: UserId): void {
  const search = findSearchSession(app, user_id)
  if (search && isAvailable(search)) enqueueInBackground(app, search)
}
