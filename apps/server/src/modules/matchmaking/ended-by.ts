import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { userById } from '../identity/index.ts'
import { endSearch } from './search/end-search.ts'
import { happenIn } from './offers/offer-process.ts'
import { endPreview, previewOf } from './preview.ts'
import { openPairOf } from './queries.ts'
import { floor, isFree, searchOf, soonInTurn } from './search-sessions.ts'
import { seatSoon } from './enqueue.ts'

/** Who logged out, was banned or erased searches no more. */
export async function leftForGood(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  tx.afterCommit(() => leaveSearch(tx.app, user_id))
}

/** A visitor who became a member is no visitor any more. */
export function leaveSearch(app: App, user_id: UserId): void {
  soonInTurn(app, user_id, 'leaving the search', async () => {
    const preview = previewOf(app, user_id)
    if (preview) endPreview(app, preview, 'cancelled')
    const search = searchOf(app, user_id)
    if (search) await endSearch(app, search, 'stopped')
  })
}

/** A block ends the offer between the two, and they never meet again; both wait on. */
export async function blockedBy(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  const { app } = tx
  const [row, other] = [await userById(tx, user_id), await userById(tx, blocked_id)]
  if (row?.role === other?.role) return
  const [guy_id, girl_id] = row?.role === 'girl' ? [blocked_id, user_id] : [user_id, blocked_id]
  const pair_id = await openPairOf(tx, guy_id, 'guy')
  if (pair_id !== undefined && pair_id === (await openPairOf(tx, girl_id, 'girl'))) {
    await happenIn(tx, pair_id, { kind: 'blocked' })
  }
  tx.afterCommit(() => floor(app).room.exclude(user_id, blocked_id))
}

/** Who waits is known with the block still: known anew, they may meet again. */
export async function unblockedBy(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['unblocked'],
): Promise<void> {
  await changedMeanwhile(tx, { user_id })
  await changedMeanwhile(tx, { user_id: blocked_id })
}

/** Premium, country, quiet hours, verification: who waits is known anew, with the time already waited. */
export async function changedMeanwhile(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  const { app } = tx
  tx.afterCommit(() => {
    const search = searchOf(app, user_id)
    if (search && isFree(search)) seatSoon(app, search)
  })
}
