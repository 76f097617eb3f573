import type { Ack, Input } from '@duet/protocol'
import { isRefusal, Refusal, refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Tx } from '../../../core/tx.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { isInCall } from '../in-call.ts'
import { refuseUnpaid } from '../money.ts'
import { decideIn, happenTo } from './offer-process.ts'
import { rejectPreview } from '../preview.ts'
import { inTurn, searchesIn } from '../search-sessions.ts'
import { isTaken } from '../enqueue.ts'
import { lockOffer, readOffer, type Kept } from '../store.ts'
import { sideIn } from '../views.ts'

/** Accepts an offer; with the second yes the call opens in the same transaction, or the offer ends and neither has one. */
export function acceptPair(
  app: App,
  viewer: Guest | Member,
  { pair_id }: Input<'SEARCH_PAIR_ACCEPT'>,
): Promise<Ack<'SEARCH_PAIR_ACCEPT'>> {
  if (viewer.kind === 'guest') refuse('registered_only')
  return inTurn(app, viewer.id, async () => {
    // A "no" that changes the offer is kept before it is said.
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const no = await app
      .transact((tx) => acceptIn(tx, viewer, pair_id, told))
      .catch((error: unknown) =>
        isTaken(error) ? closeAsBusy(app, viewer, pair_id) : Promise.reject(error),
      )
      .finally(resolve)
    if (no) throw no
    return {}
  })
}

/** `told`: when both have learned what came of it. */
async function acceptIn(
  tx: Tx,
  viewer: Member,
  pair_id: string,
  told: Promise<void>,
): Promise<Refusal | undefined> {
  const kept = await lockOffer(tx, pair_id)
  const side = kept && sideIn(kept.offer, viewer.id)
  if (!kept || !side) return new Refusal('pair_over')
  // Whoever leaves the search at this moment is answered after the call that came of it was told, not before (MA2).
  for (const one of searchesIn(tx.app, kept.offer)) one.under_way = told
  const unable = kept.offer.state === 'open' ? await whyUnable(tx, viewer, kept) : undefined
  if (unable) {
    const happened =
      unable.refusal === 'in_call'
        ? ({ kind: 'taken', side, by: 'call' } as const)
        : { kind: 'unable' as const, side }
    return (await decideIn(tx, kept, happened)) ? unable : new Refusal('pair_over')
  }
  return (await decideIn(tx, kept, { kind: 'accepted', side }))
    ? undefined
    : new Refusal('pair_over')
}

async function whyUnable(tx: Tx, viewer: Member, { offer }: Kept): Promise<Refusal | undefined> {
  if (isInCall(tx.app, viewer.id)) return new Refusal('in_call', { who: 'you' })
  if (offer.guy_id !== viewer.id) return undefined
  try {
    await refuseUnpaid(tx.app, tx, viewer.id)
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** The call could not open: the whole answer was undone, so the offer ends as busy, on the account of who was taken. */
async function closeAsBusy(app: App, viewer: Member, pair_id: string): Promise<Refusal> {
  const kept = await readOffer(app.db, pair_id)
  const side = kept && sideIn(kept.offer, viewer.id)
  if (!side) return new Refusal('pair_over')
  const mine = isInCall(app, viewer.id)
  const taken = mine ? side : side === 'guy' ? 'girl' : 'guy'
  await happenTo(app, pair_id, { kind: 'taken', side: taken, by: 'ring' })
  return mine ? new Refusal('in_call', { who: 'you' }) : new Refusal('pair_over')
}

/** Declines an offer: the other waits on, this search is over. */
export function rejectPair(
  app: App,
  viewer: Guest | Member,
  { pair_id }: Input<'SEARCH_PAIR_REJECT'>,
): Promise<Ack<'SEARCH_PAIR_REJECT'>> {
  return inTurn(app, viewer.id, async () => {
    if (viewer.kind === 'guest') return rejectPreview(app, viewer, pair_id)
    const is_open = await app.transact(async (tx) => {
      const kept = await lockOffer(tx, pair_id)
      const side = kept && sideIn(kept.offer, viewer.id)
      return kept && side ? decideIn(tx, kept, { kind: 'rejected', side }) : false
    })
    if (!is_open) refuse('pair_over')
    return {}
  })
}
