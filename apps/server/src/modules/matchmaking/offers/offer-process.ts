import { type Role, ROLES } from '@duet/protocol/kernel/roles.ts'
import type { SearchPair, SearchState } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { CommandParts, ProcessDraft, ProcessType } from '../../../platform/process/process.ts'
import { setting } from '../../settings/index.ts'
import { recordAbsence, sendSearchState, showActivity } from '../availability.ts'
import { pairPreparation } from '../pair-preparation.ts'
import {
  isAvailable,
  leavePair,
  matchmakingState,
  removeSearch,
  findSearchSession,
  searchInPair,
  type SearchSession,
} from '../search-sessions.ts'
import { recordMeeting, saveAvailability } from '../store.ts'
import { readSearchPair, getUserId, toShownPair } from '../views.ts'
import { decideOffer, type OfferCommand, type OfferEvent, type OfferRules } from './offer-rules.ts'
import { offerTable, type StoredOffer } from './offer-store.ts'

export function offerRules(app: App): OfferRules {
  return {
    offer_ms: setting(app, 'offer_seconds') * 1000,
    missed_offers: setting(app, 'missed_offers'),
  }
}

/**
 * Offers as processes. `continueSearch` enqueues a search again. It is a parameter, because enqueueing
 * creates offers again, so its file imports this file.
 */
export function createOfferProcess(
  continueSearch: (app: App, search: SearchSession) => void,
): ProcessType<string, StoredOffer, OfferEvent, OfferCommand> {
  return {
    name: 'offer',
    table: offerTable,
    idOf: ({ offer }) => offer.pair_id,
    isOver: ({ offer }) => offer.state !== 'open',
    wakeAt: ({ offer }) => offer.wake_at,
    wake_event: { type: 'time_came' },
    // Waiting was memory of the former server process, so its offers cannot go on.
    recovery_event: { type: 'server_started' },
    decide(app, stored, event, now) {
      const { state, commands } = decideOffer(stored.offer, event, now, offerRules(app))
      return { state: state === stored.offer ? stored : { ...stored, offer: state }, commands }
    },
    commands: {
      show_offer: { project: prepare, push: (app, stored, { to }) => showOffer(app, stored, to) },
      open_call: { store: openCall, project: endBothSearches, push: sendInCall },
      close_offer: {
        project: (app, { offer }) => pairPreparation.get(app).cancel(app, offer),
        push: (app, stored, { reason }) => sendClosed(app, stored, reason),
      },
      keep_waiting: keepWaiting(continueSearch),
      leave_search: {
        project(app, { offer }, { side }) {
          const search = searchInPair(app, offer.pair_id, side)
          if (!search) return
          removeSearch(app, search)
          showActivity(app, search.user_id, 'free')
        },
        async push(app, { offer }, { side, why }) {
          // The command that stopped the search, or the end of its grace time, sends the state itself.
          if (why === 'stopped' || why === 'offline') return
          await sendSearchState(app, getUserId(offer, side), getReason(side, why))
        },
      },
      record_meeting: {
        store: (tx, { state: { offer } }) => recordMeeting(tx, offer.guy_id, offer.girl_id, tx.now),
      },
      save_missed_offers: {
        store: (tx, { state: { offer } }, { missed_offers }) =>
          saveAvailability(tx, offer.girl_id, { missed_offers }),
      },
      record_absence: {
        store: (tx, { state: { offer } }) => recordAbsence(tx, offer.girl_id, 'missed_offers'),
      },
      refuse: {},
    },
    async reconciled(app, { offer: { state, guy_id, girl_id } }) {
      if (state === 'matched')
        await app.transact((tx) => tx.publish('pair_accepted_found', { guy_id, girl_id }))
    },
    forget,
  }
}

function forget(app: App, { offer }: StoredOffer): void {
  const pair = matchmakingState(app).pairs.get(offer.pair_id)
  for (const side of ROLES) {
    const search = pair?.[side]
    if (!search) continue
    leavePair(app, search)
    // The offer was lost to another server process: the search goes on, and the next sweep enqueues it.
    if (isAvailable(search)) matchmakingState(app).unqueued.add(search)
  }
}

/** The pages of both connect while the cards are shown. */
function prepare(app: App, { offer }: StoredOffer): void {
  pairPreparation.get(app).prepare(app, offer)
}

/** The side is available again; if the push is lost, the next sweep enqueues it. */
function keepWaiting(
  continueSearch: (app: App, search: SearchSession) => void,
): CommandParts<StoredOffer, OfferEvent, Extract<OfferCommand, { type: 'keep_waiting' }>> {
  return {
    project(app, { offer }, { side, waiting_since }) {
      const search = searchInPair(app, offer.pair_id, side)
      if (!search) return
      leavePair(app, search)
      search.waiting_since = waiting_since
      matchmakingState(app).unqueued.add(search)
    },
    async push(app, { offer }, { side }) {
      const search = findSearchSession(app, getUserId(offer, side))
      if (!search || search.pair) return
      await sendSearchState(app, search.user_id)
      if (isAvailable(search)) continueSearch(app, search)
    },
  }
}

/** The reason that is sent at the end of a search, where the search state does not contain it. */
function getReason(side: Role, why: string): SearchState['reason'] {
  if (why === 'in_call') return 'in_call'
  // A girl is unable without a verification or a picture: that is the answer to her own press.
  return why === 'unable' && side === 'guy' ? 'no_balance' : undefined
}

/** Opens one call for both in this transaction; if a subscriber refuses, everything is rolled back. */
async function openCall(tx: Tx, draft: ProcessDraft<StoredOffer>): Promise<void> {
  const { kind, offer } = draft.state
  // The subscribers end the open offers of both sides: this offer must be closed by then.
  await draft.write(tx)
  const { pair_id, guy_id, girl_id, free_seconds } = offer
  await tx.publish('pair_accepted', {
    pair_id,
    kind,
    guy_id,
    girl_id,
    guy_from_search: searchInPair(tx.app, pair_id, 'guy') !== undefined,
    girl_from_search: searchInPair(tx.app, pair_id, 'girl') !== undefined,
    free_start: free_seconds > 0,
  })
}

function endBothSearches(app: App, { offer }: StoredOffer): void {
  for (const side of ROLES) {
    const search = searchInPair(app, offer.pair_id, side)
    if (search) removeSearch(app, search)
  }
}

async function sendInCall(app: App, { offer }: StoredOffer): Promise<void> {
  for (const side of ROLES) await sendSearchState(app, getUserId(offer, side), 'in_call')
}

function sendClosed(
  app: App,
  { offer }: StoredOffer,
  reason: NonNullable<StoredOffer['offer']['reason']>,
): void {
  const { pair_id } = offer
  for (const side of ROLES)
    app.emit(getUserId(offer, side), 'search_pair_closed', { pair_id, reason })
}

const cards = perApp(
  'matchmaking: cards of offers',
  'cards that are read for both sides of an offer at once; they are read again',
  () => new WeakMap<StoredOffer, Record<Role, Promise<SearchPair>>>(),
)

/** The sides are shown in turn. The first side reads for both, in one statement if possible. */
async function readCard(app: App, stored: StoredOffer, side: Role): Promise<SearchPair> {
  const known = cards(app).get(stored)
  if (known) return known[side]
  const read = (to: Role) => readSearchPair(app, app.db, toShownPair(stored), to)
  const both = { guy: read('guy'), girl: read('girl') }
  cards(app).set(stored, both)
  // The error of a side is its own.
  await Promise.allSettled([both.guy, both.girl])
  return both[side]
}

/** Only to a side that still searches: nothing follows from a search that was left (MA2). */
async function showOffer(app: App, stored: StoredOffer, side: Role): Promise<void> {
  const { pair_id } = stored.offer
  const user_id = getUserId(stored.offer, side)
  if (!searchInPair(app, pair_id, side)) return
  const shown = await readCard(app, stored, side)
  if (!searchInPair(app, pair_id, side)) return
  app.emit(user_id, 'search_pair', shown)
  await sendSearchState(app, user_id)
}
