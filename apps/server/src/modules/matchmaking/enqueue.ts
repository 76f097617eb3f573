import { newUuid } from '../../lib/ids.ts'
import { isRefusal } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import { areBlocked, lockPair } from '../blocks/index.ts'
import { userById } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { hasFreeStart } from '../allowances/index.ts'
import { isInCall } from './in-call.ts'
import { openOffer } from './offers/offer-rules.ts'
import { carryOut, offerRules } from './offers/offer-process.ts'
import { lacking, openPairOf, searcherOf } from './queries.ts'
import { restOf } from './availability.ts'
import { floor, forget, isFree, searchOf, type Search } from './search-sessions.ts'
import { showDoing, tellState } from './state.ts'
import { insertOffer, rememberMeeting } from './store.ts'
import type { MatchedPair } from './queue/match-queue.ts'

/** Takes a place in the waiting room, or meets somebody at once. */
export function seat(app: App, search: Search): Promise<void> {
  const turn = search.under_way.then(() => takeSeat(app, search))
  search.under_way = turn.catch(() => {})
  return turn
}

/** The same for what nobody waits for; when it fails, the next sweep tries again. */
export function seatSoon(app: App, search: Search): void {
  seat(app, search).catch((error: unknown) => {
    app.log.error({ err: error, user_id: search.user_id }, 'a search could not go on')
    if (isFree(search)) floor(app).unseated.add(search)
  })
}

async function takeSeat(app: App, search: Search): Promise<void> {
  const searcher = await searcherOf(app, search)
  if (!isFree(search)) return
  if (!searcher) return endHere(app, search)
  const pair = await floor(app).room.enqueue(searcher, app.clock.now().epochMilliseconds)
  if (pair) await bringTogether(app, pair)
}

/** Two whom the waiting room let go get an offer, unless one of them left at that moment. */
export function bringTogether(app: App, { guy, girl }: MatchedPair): Promise<void> {
  const his = searchOf(app, guy.user_id)
  const hers = searchOf(app, girl.user_id)
  if (!his || !hers || !isFree(his) || !isFree(hers)) {
    for (const search of [his, hers]) if (search && isFree(search)) seatSoon(app, search)
    return Promise.resolve()
  }
  const pair_id = newUuid()
  his.pair_id = hers.pair_id = pair_id
  const opening = open(app, pair_id, his, hers)
  his.under_way = hers.under_way = opening
  return opening
}

type Outcome = 'opened' | 'blocked' | 'taken' | 'unable' | 'failed'

/** Never rejects: what fails is tried again with the next sweep. */
async function open(app: App, pair_id: string, his: Search, hers: Search): Promise<void> {
  const outcome = await app
    .transact((tx) => openIn(tx, pair_id, his, hers))
    .catch((error: unknown): Outcome => {
      if (isTaken(error)) return 'taken'
      app.log.error({ err: error, pair_id }, 'an offer could not be made')
      return 'failed'
    })
  if (outcome === 'opened') return
  for (const search of [his, hers]) {
    if (search.pair_id === pair_id) search.pair_id = undefined
    if (outcome === 'failed' && isFree(search)) floor(app).unseated.add(search)
  }
  if (outcome === 'failed') return
  if (outcome === 'unable') await endHere(app, his, 'no_balance')
  if (outcome === 'taken') await makeRoom(app, his, hers)
  for (const search of [his, hers]) if (isFree(search)) seatSoon(app, search)
}

/** Who is in something else leaves the search; where nobody is, what refused them would refuse again at once: they part. */
async function makeRoom(app: App, his: Search, hers: Search): Promise<void> {
  let is_known = false
  for (const search of [his, hers]) {
    if (!(await isTakenElsewhere(app, search))) continue
    is_known = true
    await endHere(app, search, 'in_call')
  }
  if (!is_known) await app.transact((tx) => rememberMeeting(tx, his.user_id, hers.user_id, tx.now))
}

async function openIn(tx: Tx, pair_id: string, his: Search, hers: Search): Promise<Outcome> {
  const { app } = tx
  const guy_id = his.user_id
  const girl_id = hers.user_id
  if (isInCall(app, guy_id) || isInCall(app, girl_id)) return 'taken'
  await lockPair(tx, guy_id, girl_id)
  if (await areBlocked(tx, guy_id, girl_id)) return 'blocked'
  if ((await lacking(app, tx, guy_id)) > 0n) return 'unable'
  const is_free = await hasFreeStart(tx, guy_id, girl_id)
  const { offer, effects } = openOffer(
    {
      pair_id,
      guy_id,
      girl_id,
      free_seconds: is_free ? setting(app, 'paid_after') : 0,
      guy_auto_accept: await acceptsAutomatically(tx, guy_id),
      girl_auto_accept: await acceptsAutomatically(tx, girl_id),
      guy_waiting_since: his.waiting_since,
      girl_waiting_since: hers.waiting_since,
      missed_before: (await restOf(tx, girl_id))?.missed_offers ?? 0,
    },
    tx.now,
    offerRules(app),
  )
  const kept = { kind: 'random' as const, offer }
  const inserted = await insertOffer(tx, offer, {
    ...kept,
    guy_locales: his.locales,
    girl_locales: hers.locales,
  })
  if (!inserted) return 'taken'
  await carryOut(tx, kept, effects)
  return 'opened'
}

async function acceptsAutomatically(tx: Tx, user_id: UserId): Promise<boolean> {
  return (await userById(tx, user_id))?.auto_accept ?? false
}

async function isTakenElsewhere(app: App, { user_id, side }: Search): Promise<boolean> {
  return isInCall(app, user_id) || (await openPairOf(app.db, user_id, side)) !== undefined
}

async function endHere(app: App, search: Search, reason?: 'no_balance' | 'in_call'): Promise<void> {
  if (search.over) return
  forget(app, search)
  await floor(app).room.remove(search.user_id)
  showDoing(app, search.user_id, 'free')
  await tellState(app, search.user_id, reason)
}

/** What opens the call refused, or found somebody in another one: nobody got anything. */
export function isTaken(error: unknown): boolean {
  return isRefusal(error) || (error instanceof Error && 'code' in error && error.code === '23505')
}
