import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/app-state.ts'
import { createTokenBucket } from '../../lib/rate-limit.ts'
import { refuse } from '../../lib/refusal.ts'
import { setActivity } from '../presence/index.ts'
import { setting } from '../settings/index.ts'
import { takePreparation } from './preparation/preparations.ts'
import { findSide, type Call, type Side } from './rules/call.ts'
import { createSignalBuffer, type SignalBuffer } from './signaling/signal-buffer.ts'
import type { StoredCall } from './stored-call.ts'

/** More lines than a long call with every kind of connection problem needs. */
const LOG_LINES_MAX = 1000

/** An open call that this server process owns. */
export interface RegisteredCall {
  /** The last decision. */
  stored: StoredCall
  readonly signals: SignalBuffer
  /** The call has begun with this prepared connection, and both pages may still use it. */
  prepare_id: string | undefined
  /** Log lines that each page may still send about its connection. */
  readonly log_lines_left: Record<Side, number>
  /** Takes a fresh guid within the limit of this call. Returns 0, or the milliseconds until a guid is free. */
  readonly takeFreshGuid: (nowMs: number) => number
  /** When one of the two last wrote or typed, and when the last hint was sent (epoch milliseconds). */
  quiet_since_ms: number
  hinted_at_ms: number
  /** The last meter event of the guy. The next event waits for it, because each event reads his balance first. */
  meter_sent: Promise<void>
}

/** A user as a party to an open call. */
export interface PartyInCall {
  readonly registered: RegisteredCall
  readonly call: Call
  readonly side: Side
}

interface CallRegistry {
  readonly by_id: Map<number, RegisteredCall>
  readonly by_user: Map<UserId, RegisteredCall>
}

const registry = perApp(
  'calls: registry',
  'open calls of this server process with their buffered signals; recovered from rows, signals are sent again by the pages',
  (): CallRegistry => ({ by_id: new Map(), by_user: new Map() }),
)

export function registeredCall(app: App, sessionId: number): RegisteredCall | undefined {
  return registry(app).by_id.get(sessionId)
}

export function registeredCalls(app: App): Iterable<RegisteredCall> {
  return registry(app).by_id.values()
}

/** One of the two writes or types: the call is not quiet. */
export function endQuiet(app: App, { registered }: PartyInCall): void {
  registered.quiet_since_ms = app.clock.now().epochMilliseconds
}

export function findRegisteredCall(app: AppContext, userId: UserId): RegisteredCall | undefined {
  return registry(app).by_user.get(userId)
}

/**
 * The user as a party to this open call. Refuses with `not_found` if there is no such call, or the user is
 * not a party to it.
 */
export function getParty(app: App, userId: UserId, sessionId: number | undefined): PartyInCall {
  const registered = sessionId === undefined ? undefined : registeredCall(app, sessionId)
  return partyIn(registered, userId) ?? refuse('not_found')
}

/** The user as a party to their current call. Undefined without a current call. */
export function partyOfCurrentCall(app: AppContext, userId: UserId): PartyInCall | undefined {
  return partyIn(findRegisteredCall(app, userId), userId)
}

function partyIn(registered: RegisteredCall | undefined, userId: UserId): PartyInCall | undefined {
  const side = registered && findSide(registered.stored.call, userId)
  return side && { registered, call: registered.stored.call, side }
}

/** Registers an open call, or its new state. From now on both parties are shown as being in this call. */
export function register(app: App, stored: StoredCall): void {
  const { call } = stored
  if (call.status === 'closed') return
  const { by_id, by_user } = registry(app)
  const registered = by_id.get(call.session_id) ?? createRegisteredCall(app, stored)
  registered.stored = stored
  by_id.set(call.session_id, registered)
  for (const userId of [call.guy_id, call.girl_id]) {
    by_user.set(userId, registered)
    setActivity(app, userId, call.state)
  }
}

function createRegisteredCall(app: App, stored: StoredCall): RegisteredCall {
  const { session_guid, guy, girl } = stored.call
  const freshGuids = setting(app, 'fresh_guids')
  return {
    stored,
    // If both had joined before a restart, each has received `new_peer` of this guid.
    signals: createSignalBuffer(session_guid, guy.joined && girl.joined),
    prepare_id: takePreparation(app, stored.call),
    log_lines_left: { guy: LOG_LINES_MAX, girl: LOG_LINES_MAX },
    quiet_since_ms: app.clock.now().epochMilliseconds,
    hinted_at_ms: 0,
    meter_sent: Promise.resolve(),
    takeFreshGuid: createTokenBucket({ burst: freshGuids, per_second: freshGuids / 60 }),
  }
}

/** Removes a call that is closed, or that another server process owns. */
export function unregister(app: App, { call }: StoredCall): void {
  const { by_id, by_user } = registry(app)
  const registered = by_id.get(call.session_id)
  by_id.delete(call.session_id)
  for (const userId of [call.guy_id, call.girl_id]) {
    if (by_user.get(userId) === registered) by_user.delete(userId)
    // The next call of a user may be known before the end of this one.
    if (!by_user.has(userId)) setActivity(app, userId, 'free')
  }
}

/** A public call whose girl may be asked for frames of her camera. */
export interface SampledCall {
  readonly session_id: number
  readonly girl_id: UserId
  /** Both see each other and her camera is on, so that there is a picture. */
  readonly is_connected: boolean
}

function toSampled({ stored: { call } }: RegisteredCall): SampledCall | undefined {
  const { session_id, girl_id, state, status, girl } = call
  if (state !== 'public') return undefined
  const isConnected = status === 'running' && girl.video && girl.gone_at_ms === null
  return { session_id, girl_id, is_connected: isConnected }
}

/** The open public calls of this server process. */
export function sampledCalls(app: App): SampledCall[] {
  return [...registeredCalls(app)].flatMap((registered) => toSampled(registered) ?? [])
}

/** Whether this is the girl of an open public call. */
export function isSampled(
  app: App,
  { session_id, girl_id }: Pick<SampledCall, 'session_id' | 'girl_id'>,
): boolean {
  const registered = registeredCall(app, session_id)
  return registered !== undefined && toSampled(registered)?.girl_id === girl_id
}
