import type { MissedEvents } from '@duet/client'
import type { AuthSuccess } from '@duet/protocol'
import { CALL_SERVER_EVENTS } from '../../features/calls/call-reducer.ts'
import { MATCHMAKING_SERVER_EVENTS } from '../../features/matchmaking/matchmaking-reducer.ts'
import { isSearching } from '../../features/matchmaking/matchmaking-state.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { subscribeToEvents } from '../../shared/connection/event-reducers.ts'
import { onTakeover } from '../../shared/connection/takeover.ts'
import { getOwnUser, type OwnUser } from '../../shared/account/own-user.tsx'
import { SHORT_ABSENCE_MS, watchAbsence } from './absence.ts'
import type { EngineDriver } from './engine-driver.ts'
import { takeOverWishes } from './enter-call.ts'
import type { PageEngine } from './page-engine.ts'
import { findLeftCall } from './left-call.ts'
import type { VideoRuntime } from './runtime.ts'
import type { VideoEvent } from './video-state.ts'

export interface FollowParts {
  services: AppServices
  runtime: VideoRuntime
  tab: PageEngine['tab']
  engineDriver: EngineDriver
  apply(event: VideoEvent): void
}

/** Applies each AUTH, the events of search and calls, and the changes of the own record. */
export function followConnection(parts: FollowParts): void {
  const { services, runtime, engineDriver, apply } = parts
  const { connection } = services
  const absence = watchAbsence(connection)
  let wasTakenOver = false
  onTakeover(() => (wasTakenOver = true))

  function authenticated(auth: AuthSuccess, atMs = Date.now(), missed?: MissedEvents): void {
    const me = getOwnUser(auth)
    const wasSearching = isSearchingAs(runtime, me)
    const wasShort = absence.take() < SHORT_ABSENCE_MS && !wasTakenOver
    // After a takeover the user has pressed to go on here.
    const callHere = findCallHere(parts.tab, auth, wasSearching && !wasTakenOver)
    takeOverCall(parts, auth, me, wasTakenOver || callHere !== auth.active_session?.id)
    wasTakenOver = false
    engineDriver.activate()
    apply({ type: 'authenticated', auth, me, at_ms: atMs, call_here: callHere })
    for (const event of missed?.events ?? []) if (isReduced(event.type)) apply(event as VideoEvent)
    engineDriver.update()
    resumeDevices(runtime)
    if (wasSearching && isSearchLost(auth)) followLostSearch(parts, wasShort)
    void runtime.callCommands.panicAgain()
    leaveAbandonedCall(runtime, auth)
  }

  // The media flows between the two browsers: without a server it would go on.
  connection.on('logout', () => apply({ type: 'logged_out' }))
  connection.on('auth_success', (auth) => authenticated(auth as AuthSuccess))
  subscribeToEvents(connection, MATCHMAKING_SERVER_EVENTS, apply)
  subscribeToEvents(connection, CALL_SERVER_EVENTS, apply)
  connection.subscribe(followOwnRecord)
  function followOwnRecord(): void {
    const { auth } = connection.getSnapshot()
    const known = runtime.me.getSnapshot()
    if (!auth || !known) return
    const own = getOwnUser(auth as AuthSuccess)
    if (known.id === own.id && !isSame(known, own)) apply({ type: 'own_record_changed', me: own })
  }
  const { auth } = connection.getSnapshot()
  if (!auth) return
  const missed = connection.takeMissedEvents()
  if (missed?.auth.user.id !== auth.user.id) return authenticated(auth as AuthSuccess)
  // The own record shows that a call has ended, and not how: only the events know the receipt and the last texts.
  authenticated(missed.auth as AuthSuccess, missed.at_ms, missed)
  followOwnRecord()
}

function isReduced(type: string): boolean {
  return Object.hasOwn(MATCHMAKING_SERVER_EVENTS, type) || Object.hasOwn(CALL_SERVER_EVENTS, type)
}

/** The call that ran in this tab before a reload, or that the search of this page has led to without a connection. */
function findCallHere(
  tab: PageEngine['tab'],
  { active_session }: AuthSuccess,
  wasSearching: boolean,
): number | undefined {
  return wasSearching ? active_session?.id : tab.get('call_here')
}

/** The wishes of the user on another page, or before a reload, hold here. */
function takeOverCall(
  { services, runtime, apply }: FollowParts,
  auth: AuthSuccess,
  me: OwnUser,
  isElsewhere: boolean,
): void {
  if (auth.active_session && isElsewhere) takeOverWishes(runtime.media, auth.active_session)
  const { call, abandoned } = runtime.calls.getSnapshot()
  if (call || abandoned) return
  const left = findLeftCall(services, auth, me.role)
  if (left) apply({ type: 'call_left_before', ...left })
}

/** A search or call that ran before a reload needs its devices again; what the user switched off stays off. */
function resumeDevices({ gate, calls, matchmaking, media, enterCall }: VideoRuntime): void {
  const { call } = calls.getSnapshot()
  const { status } = media.getSnapshot()
  if (gate.getSnapshot() !== null) return
  if (call?.entry === 'checking') void enterCall.check()
  else if (call && !call.leaving && call.entry === 'joined' && status === 'off')
    void gate.resumeDevices(true)
  else if (!call && isSearching(matchmaking.getSnapshot()) && status !== 'on')
    void gate.resumeDevices(false)
}

/** Waiting is memory of the server, which ends with it; a search that ended for a reason names one. */
function isSearchLost({ search, active_session }: AuthSuccess): boolean {
  return !active_session && (!search || (search.state === 'idle' && !search.reason))
}

function isSearchingAs({ me, matchmaking }: VideoRuntime, { id }: OwnUser): boolean {
  return me.getSnapshot()?.id === id && isSearching(matchmaking.getSnapshot())
}

/** A search goes on by itself only after a short absence of a user who sees the page. */
function followLostSearch(parts: FollowParts, wasShort: boolean): void {
  if (wasShort && document.visibilityState === 'visible') void searchAgain(parts.runtime)
  else endLostSearch(parts)
}

/** A call that the user left is still open at the server: the server is asked again. */
function leaveAbandonedCall(
  { calls, callCommands }: VideoRuntime,
  { active_session }: AuthSuccess,
): void {
  if (!active_session) return
  const { abandoned } = calls.getSnapshot()
  if (abandoned?.session_id === active_session.id) callCommands.leaveAbandoned().catch(() => {})
  else void callCommands.leaveAgain(active_session.id)
}

/** No press: a camera that the user switched off stays off. */
async function searchAgain({ gate, searchCommands }: VideoRuntime): Promise<void> {
  if (await gate.requestCamera(true, true)) await searchCommands.search()
}

/** The user has been away: nothing that puts them on the air begins by itself. */
function endLostSearch({ runtime, apply }: FollowParts): void {
  runtime.media.release()
  apply({ type: 'search_lost' })
}

function isSame(a: OwnUser, b: OwnUser): boolean {
  return (Object.keys(b) as (keyof OwnUser)[]).every((key) => a[key] === b[key])
}
