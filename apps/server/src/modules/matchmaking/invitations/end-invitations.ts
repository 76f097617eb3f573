import { plusMs } from '../../../lib/clock.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { UserId } from '../../../core/ids.ts'
import { getActivity, isInCall } from '../../presence/index.ts'
import { setting } from '../../settings/index.ts'
import { isHiddenPair } from '../queries.ts'
import { getUserId, sideOfUser } from '../views.ts'
import { findInvitation, findOwnInvitation, invitations } from './invitation-process.ts'

/** Log-out, ban or deletion of one of the two. */
export function endForLeaver(tx: Tx, user_id: UserId): void {
  const { app } = tx
  tx.afterCommit(async () => {
    const open = findInvitation(app, user_id)
    const side = open && sideOfUser(open, user_id)
    if (side) await invitations(app).dispatch(open.pair_id, { type: 'left', side })
  })
}

/** A call opened for this user: another ring of the user ends, except of a user who is called during a public call. */
export async function endForCall(
  tx: Tx,
  { state, ...pair }: Pick<DomainEvents['call_opened'], 'guy_id' | 'girl_id' | 'state'>,
  side: 'guy' | 'girl',
): Promise<void> {
  const { app } = tx
  const user_id = getUserId(pair, side)
  const findRing = (isPrivate: boolean) => {
    const open = findInvitation(app, user_id)
    const isOther = open && !(open.guy_id === pair.guy_id && open.girl_id === pair.girl_id)
    return isOther && (open.caller === side || isPrivate) ? open : undefined
  }
  const ring = findRing(state === 'private')
  if (ring) await invitations(app).applyIn(tx, ring.pair_id, { type: 'taken', side })
  tx.afterCommit(async () => {
    // A ring that another transaction stored at the same time is known only now.
    const late = isInCall(app, user_id) && findRing(getActivity(app, user_id) === 'private')
    if (late) await invitations(app).dispatch(late.pair_id, { type: 'taken', side })
  })
}

/** A public call became private: who calls one of the two now finds them busy. */
export async function onCallBecamePrivate(
  tx: Tx,
  pair: DomainEvents['call_became_private'],
): Promise<void> {
  for (const side of ['guy', 'girl'] as const)
    await endForCall(tx, { ...pair, state: 'private' }, side)
}

/** One blocked the other, or the girl hides from the guy now. */
export async function endIfHidden(tx: Tx, user_id: UserId): Promise<void> {
  const open = findInvitation(tx.app, user_id)
  if (open && (await isHiddenPair(tx, open)))
    await invitations(tx.app).applyIn(tx, open.pair_id, { type: 'blocked' })
}

/** A ring ends when the caller's page is gone for the grace time. The callee may be away: the push message calls. */
export function followCallers(app: App): () => void {
  return app.realtime.local.onConnectionChange(({ user_id, socket, state }) => {
    const open = socket === 'main' && state === 'down' ? findOwnInvitation(app, user_id) : undefined
    if (!open) return
    app.clock.at(plusMs(app.clock.now(), setting(app, 'search_grace') * 1000), () => {
      const isSame = findOwnInvitation(app, user_id)?.pair_id === open.pair_id
      if (!isSame || app.realtime.local.isConnected(user_id)) return
      const left = invitations(app).dispatch(open.pair_id, { type: 'left', side: open.caller })
      app.background('ending a ring without its caller', left, { user_id })
    })
  })
}
