import type { Ack, Input } from '@duet/protocol'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import { isRefusal, Refusal, refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { isInCall } from '../../presence/index.ts'
import { isOpeningRefused, offers } from '../enqueue.ts'
import { rejectPreview } from '../preview.ts'
import { assertMaySearch, isHiddenPair } from '../queries.ts'
import { matchmakingState, runExclusive, getWithdrawal } from '../search-sessions.ts'
import { sideOfUser, getUserId } from '../views.ts'
import type { Offer, OfferCommand, OfferEvent } from './offer-rules.ts'

/**
 * Accepts an offer. With the second acceptance the call opens in the same transaction, or the offer ends
 * without a call.
 */
export function acceptOffer(
  app: App,
  viewer: Member,
  { pair_id }: Input<'SEARCH_PAIR_ACCEPT'>,
): Promise<Ack<'SEARCH_PAIR_ACCEPT'>> {
  return runExclusive(app, viewer.id, async () => {
    const over = new Refusal('pair_over')
    // A refusal that ends the offer is stored before the viewer gets it.
    let unable: Refusal | undefined
    const commands = await offers(app)
      .dispatch(pair_id, async (tx, { offer }): Promise<OfferEvent> => {
        const side = sideOfUser(offer, viewer.id)
        if (!side) throw over
        const obstacle = await findObstacle(tx, offer, side)
        unable = obstacle?.refusal
        return obstacle?.event ?? { type: 'accepted', side }
      })
      .catch((error: unknown) => {
        if (error !== over && isOpeningRefused(error)) return closeAsBusy(app, viewer, pair_id)
        throw error
      })
    if (isLate(commands, otherRole(viewer.role))) throw over
    if (unable) throw unable
    return {}
  })
}

interface Obstacle {
  readonly event: OfferEvent
  /** The refusal for the side that answers; the other side learns of the obstacle by its own events. */
  readonly refusal?: Refusal
}

/** Why the acceptance of this side cannot count: what has changed on either side since the offer was opened. */
async function findObstacle(tx: Tx, offer: Offer, side: Role): Promise<Obstacle | undefined> {
  // The other side has left the search, and its withdrawal waits behind this answer: no call may follow.
  const other = otherRole(side)
  const otherSearch = matchmakingState(tx.app).pairs.get(offer.pair_id)?.[other]
  if (otherSearch?.is_over)
    return { event: getWithdrawal(other, otherSearch.endCause ?? 'stopped') }
  if (offer.state !== 'open') return undefined
  if (await isHiddenPair(tx, offer)) return { event: { type: 'blocked' } }
  const refusal = await inability(tx, getUserId(offer, side), side)
  if (refusal) return { event: unableEvent(side, refusal), refusal }
  if (offer[`${other}_answer`] !== 'accepted') return undefined
  const theirs = await inability(tx, getUserId(offer, other), other)
  return theirs && { event: unableEvent(other, theirs) }
}

function unableEvent(side: Role, { refusal }: Refusal): OfferEvent {
  return refusal === 'in_call' ? { type: 'taken', side, by: 'call' } : { type: 'unable', side }
}

async function inability(tx: Tx, user_id: UserId, side: Role): Promise<Refusal | undefined> {
  if (isInCall(tx.app, user_id)) return new Refusal('in_call', { who: 'you' })
  try {
    await assertMaySearch(tx.app, tx, user_id, side)
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** The call could not open and the acceptance was rolled back: the offer ends as busy, because of the side that is taken. */
async function closeAsBusy(app: App, viewer: Member, pair_id: string): Promise<never> {
  const isMine = isInCall(app, viewer.id)
  await offers(app).dispatch(pair_id, async (_, { offer }) => {
    const side = sideOfUser(offer, viewer.id)!
    return { type: 'taken', side: isMine ? side : otherRole(side), by: 'ring' }
  })
  return isMine ? refuse('in_call', { who: 'you' }) : refuse('pair_over')
}

/** Declines an offer: this search is over, the other side keeps waiting. */
export function rejectOffer(
  app: App,
  viewer: Guest | Member,
  { pair_id }: Input<'SEARCH_PAIR_REJECT'>,
): Promise<Ack<'SEARCH_PAIR_REJECT'>> {
  return runExclusive(app, viewer.id, async () => {
    if (viewer.kind === 'guest') return rejectPreview(app, viewer, pair_id)
    const commands = await offers(app).dispatch(pair_id, async (_, { offer }) => ({
      type: 'rejected',
      side: sideOfUser(offer, viewer.id) ?? refuse('pair_over'),
    }))
    if (isLate(commands, otherRole(viewer.role))) refuse('pair_over')
    return {}
  })
}

/** The answer came after the end of the offer, or with it: the other side has left. */
function isLate(commands: readonly OfferCommand[] | undefined, other: Role): boolean {
  return (
    commands === undefined ||
    commands.some(
      (command) =>
        command.type === 'refuse' || (command.type === 'leave_search' && command.side === other),
    )
  )
}
