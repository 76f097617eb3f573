import { unreachable } from '../../../lib/assert.ts'
import { plusMs } from '../../../lib/clock.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tx } from '../../../core/tx.ts'
import { setting } from '../../settings/index.ts'
import {
  decideOffer,
  type OfferDecision,
  type OfferEffect,
  type OfferHappened,
  type OfferRules,
} from './offer-rules.ts'
import { countMissed, recordAbsence } from '../availability.ts'
import { floor, forget, searchesIn, searchIn } from '../search-sessions.ts'
import { seatSoon } from '../enqueue.ts'
import { showDoing, tellState } from '../state.ts'
import { lockOffer, rememberMeeting, updateOffer, type Kept } from '../store.ts'
import { idOf, searchPair } from '../views.ts'
import type { Side } from '../queue/pairing-rules.ts'

/** An end that could not be kept (the database was away) is tried again. */
const retry_ms = 1000

export function offerRules(app: App): OfferRules {
  return {
    offer_ms: setting(app, 'offer_seconds') * 1000,
    missed_offers: setting(app, 'missed_offers'),
  }
}

/** Something happened to an offer: decided and stored with its effects in one transaction. False: it is over. */
export function happenTo(app: App, pair_id: string, happened: OfferHappened): Promise<boolean> {
  return app.transact((tx) => happenIn(tx, pair_id, happened))
}

/** The same inside the transaction of what caused it. */
export async function happenIn(tx: Tx, pair_id: string, happened: OfferHappened): Promise<boolean> {
  const kept = await lockOffer(tx, pair_id)
  return kept ? decideIn(tx, kept, happened) : false
}

/** `before` was locked in this transaction. */
export async function decideIn(tx: Tx, before: Kept, happened: OfferHappened): Promise<boolean> {
  const { offer, effects } = decideOffer(before.offer, happened, tx.now, offerRules(tx.app))
  if (offer !== before.offer) await updateOffer(tx, offer)
  await carryOut(tx, { kind: before.kind, offer }, effects)
  return !effects.some((effect) => effect.kind === 'refuse')
}

export async function carryOut(
  tx: Tx,
  kept: Kept,
  effects: OfferDecision['effects'],
): Promise<void> {
  for (const effect of effects) await carryOutOne(tx, kept, effect)
}

async function carryOutOne(tx: Tx, kept: Kept, effect: OfferEffect): Promise<void> {
  const { app } = tx
  const { guy_id, girl_id, pair_id } = kept.offer
  switch (effect.kind) {
    case 'show':
      return tx.afterCommit(() => show(app, kept, effect.to))
    case 'wake_at':
      return tx.afterCommit(() => wake(app, pair_id, effect.at))
    case 'open_call':
      return openCall(tx, kept)
    case 'close':
      tx.afterCommit(() => letEnd(app, pair_id))
      await tx.notify(guy_id, 'search_pair_closed', { pair_id, reason: effect.reason })
      return tx.notify(girl_id, 'search_pair_closed', { pair_id, reason: effect.reason })
    case 'wait_on':
      return tx.afterCommit(() => waitOn(app, kept, effect.side, effect.waiting_since))
    case 'out_of_search':
      return tx.afterCommit(() => outOfSearch(app, kept, effect))
    case 'remember_declined':
      return rememberMeeting(tx, guy_id, girl_id, tx.now)
    case 'count_missed':
      return countMissed(tx, girl_id, effect.missed_offers)
    case 'record_absence':
      return restAfter(tx, girl_id, await recordAbsence(tx, girl_id, 'missed_offers'))
    case 'refuse':
      return
    default:
      return unreachable(effect, 'an effect that nobody carries out')
  }
}

/** Both get one call in this transaction, or what hears this refuses and nothing happened. */
async function openCall(tx: Tx, { kind, offer }: Kept): Promise<void> {
  const { app } = tx
  const { pair_id, guy_id, girl_id, free_seconds } = offer
  await tx.publish('pair_accepted', {
    pair_id,
    kind,
    guy_id,
    girl_id,
    guy_from_search: searchIn(app, guy_id, pair_id) !== undefined,
    girl_from_search: searchIn(app, girl_id, pair_id) !== undefined,
    free_start: free_seconds > 0,
  })
  tx.afterCommit(async () => {
    letEnd(app, pair_id)
    for (const search of searchesIn(app, offer)) {
      search.pair_id = undefined
      forget(app, search)
      await tellState(app, search.user_id, 'in_call')
    }
  })
}

/** The end of her pause is a change that her page learns of. */
function restAfter(
  { app, afterCommit: after }: Tx,
  girl_id: UserId,
  until: Temporal.Instant | undefined,
): void {
  if (!until) return
  after(() => {
    app.clock.at(until, () => {
      tellState(app, girl_id).catch((error: unknown) =>
        app.log.error({ err: error }, 'the end of a pause was not told'),
      )
    })
  })
}

/** Only to who still searches: nothing comes of a search that was left (MA2). */
async function show(app: App, kept: Kept, side: Side): Promise<void> {
  const id = idOf(kept.offer, side)
  if (!searchIn(app, id, kept.offer.pair_id)) return
  const shown = await searchPair(app, app.db, kept, side)
  if (!searchIn(app, id, kept.offer.pair_id)) return
  app.emit(id, 'search_pair', shown)
  await tellState(app, id)
}

async function waitOn(
  app: App,
  { offer }: Kept,
  side: Side,
  waiting_since: Temporal.Instant,
): Promise<void> {
  const search = searchIn(app, idOf(offer, side), offer.pair_id)
  if (!search) return
  search.pair_id = undefined
  search.waiting_since = waiting_since
  await tellState(app, search.user_id)
  seatSoon(app, search)
}

async function outOfSearch(
  app: App,
  { offer }: Kept,
  { side, why }: Extract<OfferEffect, { kind: 'out_of_search' }>,
): Promise<void> {
  const search = searchIn(app, idOf(offer, side), offer.pair_id)
  // Who stopped it is told by the stopping.
  if (!search || why === 'stopped') return
  search.pair_id = undefined
  forget(app, search)
  showDoing(app, search.user_id, 'free')
  await tellState(app, search.user_id, why === 'unable' ? 'no_balance' : undefined)
}

/** Ends the offer at its stored time. */
function wake(app: App, pair_id: string, at: Temporal.Instant): void {
  const { ends } = floor(app)
  const cancel = app.clock.at(at, () => {
    ends.delete(pair_id)
    happenTo(app, pair_id, { kind: 'time_came' }).catch((error: unknown) => {
      app.log.error({ err: error, pair_id }, 'an offer could not end in time')
      wake(app, pair_id, plusMs(app.clock.now(), retry_ms))
    })
  })
  ends.set(pair_id, cancel)
}

function letEnd(app: App, pair_id: string): void {
  const { ends } = floor(app)
  ends.get(pair_id)?.()
  ends.delete(pair_id)
}
