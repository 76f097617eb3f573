import type { SearchPair } from '@duet/protocol'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import { msBetween } from '../../lib/clock.ts'
import { fromDecimal, toWire } from '../../lib/money.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type Db, readTogether } from '../../core/db.ts'
import { interlocutor, userById } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { pairPreparation } from './pair-preparation.ts'
import { loadOffer, type StoredOffer } from './offers/offer-store.ts'

/** The part of an offer or an invitation that its two sides see. */
interface ShownPair extends Pick<
  StoredOffer['offer'],
  'pair_id' | 'guy_id' | 'girl_id' | 'free_seconds' | 'wake_at'
> {
  readonly kind: 'random' | 'direct'
  readonly missed_before?: number
  /** Of an invitation. */
  readonly caller?: Role
}

/** The pair as one of its two sides sees it: the other's card, and the price in the reader's own currency. */
export async function readSearchPair(
  app: App,
  db: Db,
  { kind, caller, missed_before, ...offer }: ShownPair,
  side: Role,
): Promise<SearchPair> {
  const otherId = getUserId(offer, otherRole(side))
  const [row, user_interlocutor] = await readTogether(db, [
    () => userById(db, otherId),
    () => interlocutor(app, db, getUserId(offer, side), otherId),
  ])
  const state = kind === 'direct' ? 'private' : 'public'
  const prepare_id = kind === 'random' ? pairPreparation.get(app).find(app, offer) : undefined
  return {
    pair_id: offer.pair_id,
    kind,
    ...(caller && { role_in_call: caller === side ? ('caller' as const) : ('callee' as const) }),
    user_interlocutor,
    ...(row?.about && { about: row.about }),
    state,
    price: minutePrice(app, side, state),
    free_seconds: offer.free_seconds,
    expires_in_ms: msUntil(app, offer.wake_at),
    ...(side === 'girl' &&
      missed_before !== undefined && {
        missed_offers: missed_before,
        missed_offers_max: setting(app, 'missed_offers'),
      }),
    ...(prepare_id !== undefined && { prepare_id }),
  }
}

/** The open offer of a side, for a page that reconnects. */
export async function openSearchPair(
  app: App,
  db: Db,
  pair_id: string,
  side: Role,
): Promise<SearchPair | undefined> {
  const stored = await loadOffer(db, pair_id)
  return stored?.offer.state === 'open'
    ? readSearchPair(app, db, toShownPair(stored), side)
    : undefined
}

export function toShownPair({ kind, offer }: StoredOffer): ShownPair {
  return { ...offer, kind }
}

/** The price of a minute: what a guy pays or what a girl earns. */
export function minutePrice(app: App, side: Role, state: 'public' | 'private'): string {
  if (side === 'guy')
    return toWire('diamond', fromDecimal('diamond', setting(app, `price_${state}`)))
  return toWire('coin', fromDecimal('coin', setting(app, `earn_${state}`)))
}

/** Milliseconds from now, never negative; 0 for null. */
export function msUntil(app: App, until: Temporal.Instant | null): number {
  return until === null ? 0 : Math.max(0, msBetween(app.clock.now(), until))
}

export function getUserId(of: { guy_id: UserId; girl_id: UserId }, side: Role): UserId {
  return side === 'guy' ? of.guy_id : of.girl_id
}

export function sideOfUser(
  of: { guy_id: UserId; girl_id: UserId },
  user_id: UserId,
): Role | undefined {
  if (of.guy_id === user_id) return 'guy'
  return of.girl_id === user_id ? 'girl' : undefined
}
