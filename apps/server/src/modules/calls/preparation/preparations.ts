import { limits } from '@duet/protocol'
import type { Signal, SignalSent } from '@duet/protocol/contracts/signaling.ts'
import { otherRole, ROLES } from '@duet/protocol/kernel/roles.ts'
import { newUuid } from '../../../lib/ids.ts'
import { plusMs } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import type { PairPreparation } from '../../matchmaking/index.ts'
import { setting } from '../../settings/index.ts'
import { findSide, getUserId, type Side } from '../rules/call.ts'
import { filterSignal, noCandidates, type SentCandidates } from '../signaling/signal-filter.ts'
import { addressPolicy, makeTurnParams } from '../signaling/turn-params.ts'

/**
 * Two pages that negotiate a connection before their users meet. They get no id and no name of each other:
 * signals are routed by `prepare_id`. A user has one preparation at most.
 */
interface Preparation extends PreparedPair {
  readonly prepare_id: string
  /** The guid of the call, if the call begins with this connection. */
  readonly session_guid: string
  readonly ends_at: Temporal.Instant
  /** The sides whose page has said that its half is complete. */
  readonly prepared: Record<Side, boolean>
  readonly sent: Record<Side, SentCandidates>
  forgetEnd: () => void
}

type PreparedPair = Parameters<PairPreparation['prepare']>[1]

const preparations = perApp(
  'calls: preparations',
  'connections that pages prepare before their users meet; without them the pages connect when the call opens',
  () => ({ by_id: new Map<string, Preparation>(), by_user: new Map<UserId, Preparation>() }),
)

export const preparation: PairPreparation = {
  prepare(app, pair) {
    const known = findBetween(app, pair)
    // The connection must last until the end of a usual offer.
    const neededSeconds = Math.min(setting(app, 'offer_seconds'), limits.prepare_seconds / 2)
    const neededUntil = plusMs(app.clock.now(), neededSeconds * 1000)
    if (known && Temporal.Instant.compare(known.ends_at, neededUntil) >= 0) return known.prepare_id
    for (const side of ROLES) endPreparation(app, getUserId(pair, side))
    return mayPrepare(app, pair) ? begin(app, pair) : undefined
  },
  find: (app, pair) => findBetween(app, pair)?.prepare_id,
  cancel(app, pair) {
    if (findBetween(app, pair)) endPreparation(app, pair.guy_id)
  },
}

/** The guid of the connection that both pages of this pair have prepared completely. */
export function findPreparedGuid(app: App, pair: PreparedPair): string | undefined {
  const known = findBetween(app, pair)
  return known?.prepared.guy && known.prepared.girl ? known.session_guid : undefined
}

/** The call has opened with this guid: its preparation becomes part of the call. Every other one of the two ends. */
export function takePreparation(
  app: App,
  { session_guid, ...pair }: PreparedPair & { readonly session_guid: string },
): string | undefined {
  const known = findBetween(app, pair)
  if (known?.session_guid === session_guid) {
    remove(app, known)
    return known.prepare_id
  }
  for (const side of ROLES) endPreparation(app, getUserId(pair, side))
  return undefined
}

/** Ends the preparation of this user, if there is one, and tells both pages. */
export function endPreparation(app: App, user_id: UserId): void {
  const known = preparations(app).by_user.get(user_id)
  if (!known) return
  remove(app, known)
  const { prepare_id } = known
  for (const side of ROLES)
    app.realtime.sendSignal(getUserId(known, side), 'prepare_cancelled', { prepare_id })
}

/** Forwards a signal between the two pages, as in a call. */
export function signalPreparation(
  app: App,
  sender: Guest | Member,
  prepare_id: string,
  signal: Signal,
): void {
  const { known, side } = partyIn(app, sender.id, prepare_id)
  // `reached` lets a camera flow: it belongs to a call.
  if (signal.session_guid !== known.session_guid || signal.type_signal === 'reached') return
  const permitted = filterSignal(signal, addressPolicy(app), known.sent[side])
  if (permitted)
    app.realtime.sendSignal(getUserId(known, otherRole(side)), 'peer_signal', permitted)
}

/** The page says that its half of the connection is complete. */
export async function setPrepared(
  app: App,
  sender: Guest | Member,
  { prepare_id }: SignalSent<'PREPARED'>,
): Promise<void> {
  const { known, side } = partyIn(app, sender.id, prepare_id)
  known.prepared[side] = true
}

/** Without a relay the pages would learn each other’s address although their users may never meet. */
function mayPrepare(app: App, pair: PreparedPair): boolean {
  if (!app.relay.isOwnAddress && !setting(app, 'prepare_direct')) return false
  if (preparations(app).by_id.size >= setting(app, 'preparations_max')) return false
  return ROLES.every((side) => {
    const active = app.realtime.local.activeConnection(getUserId(pair, side))
    return active?.main === true && active.signal
  })
}

function begin(app: App, { guy_id, girl_id }: PreparedPair): string {
  const [prepare_id, session_guid] = [newUuid(), newUuid()]
  const ends_at = plusMs(app.clock.now(), limits.prepare_seconds * 1000)
  const known: Preparation = {
    prepare_id,
    session_guid,
    guy_id,
    girl_id,
    ends_at,
    prepared: { guy: false, girl: false },
    sent: { guy: noCandidates(), girl: noCandidates() },
    forgetEnd: app.clock.at(ends_at, () => endPreparation(app, guy_id)),
  }
  const { by_id, by_user } = preparations(app)
  by_id.set(prepare_id, known)
  for (const side of ROLES) {
    const user_id = getUserId(known, side)
    by_user.set(user_id, known)
    app.realtime.sendSignal(user_id, 'prepare_peer', {
      prepare_id,
      session_guid,
      initiator: side === 'guy',
      turn_params: makeTurnParams(app, user_id, { prepare_id, session_guid }),
    })
  }
  return prepare_id
}

function findBetween(app: App, { guy_id, girl_id }: PreparedPair): Preparation | undefined {
  const known = preparations(app).by_user.get(guy_id)
  return known?.girl_id === girl_id ? known : undefined
}

function remove(app: App, known: Preparation): void {
  const { by_id, by_user } = preparations(app)
  known.forgetEnd()
  by_id.delete(known.prepare_id)
  for (const side of ROLES) by_user.delete(getUserId(known, side))
}

/** Refuses with `not_found` if this preparation is over, or the user is no party to it. */
function partyIn(app: App, user_id: UserId, prepare_id: string) {
  const known = preparations(app).by_id.get(prepare_id)
  const side = known && findSide(known, user_id)
  return side ? { known, side } : refuse('not_found')
}
