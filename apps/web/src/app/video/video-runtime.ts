import type { MissedEvents } from '@duet/client'
import type { AuthSuccess } from '@duet/protocol'
import { createCallCommands, type CallCommands } from '../../features/calls/call-commands.ts'
import type { CallsState } from '../../features/calls/calls-state.ts'
import { CALL_SERVER_EVENTS } from '../../features/calls/call-reducer.ts'
import { createDeviceGate, type DeviceGate } from '../../features/devices/device-gate.ts'
import {
  createSearchCommands,
  type SearchCommands,
} from '../../features/matchmaking/search-commands.ts'
import { MATCHMAKING_SERVER_EVENTS } from '../../features/matchmaking/matchmaking-reducer.ts'
import { isSearching, type MatchmakingState } from '../../features/matchmaking/matchmaking-state.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { createStore, type Observable, type Store } from '../../shared/observable-store.ts'
import { getOwnUser, type OwnUser } from '../../shared/video/own-user.tsx'
import { subscribeToEvents } from '../../shared/connection/event-reducers.ts'
import { onTakeover } from '../../shared/connection/takeover.ts'
import { createEngineDriver, type EngineDriver } from './engine-driver.ts'
import { createPageEngine, type PageEngine } from './page-engine.ts'
import { chooseScreen, type VideoScreen } from './video-screen.ts'
import { followCall, playSounds } from './state-effects.ts'
import { INITIAL_VIDEO, reduceVideo, type VideoEvent, type VideoState } from './video-state.ts'

/** Search and calls of this page: the stores of both features, their commands, and the engine. */
export interface VideoRuntime extends Pick<PageEngine, 'engine' | 'media'> {
  readonly me: Observable<OwnUser | null>
  readonly matchmaking: Observable<MatchmakingState>
  readonly calls: Observable<CallsState>
  readonly gate: DeviceGate
  readonly searchCommands: SearchCommands
  readonly callCommands: CallCommands
  readonly screen: Observable<VideoScreen>
  /** The user left the page of the search, where offers are answered: stops the search. A running call continues. */
  leaveSearch(): void
}

const runtimes = new WeakMap<AppServices['connection'], VideoRuntime>()

/** One runtime for the life of the page, whichever screens are mounted. */
export function videoRuntime(services: AppServices): VideoRuntime {
  const known = runtimes.get(services.connection)
  if (known) return known
  const runtime = createVideoRuntime(
    services,
    createPageEngine(services.connection, services.persistence),
  )
  runtimes.set(services.connection, runtime)
  return runtime
}

interface VideoStores {
  readonly me: Store<OwnUser | null>
  readonly matchmaking: Store<MatchmakingState>
  readonly calls: Store<CallsState>
  getState(): VideoState
}

function createVideoStores(): VideoStores {
  const me = createStore(INITIAL_VIDEO.me)
  const matchmaking = createStore(INITIAL_VIDEO.matchmaking)
  const calls = createStore(INITIAL_VIDEO.calls)
  return {
    me,
    matchmaking,
    calls,
    getState: () => ({
      me: me.getSnapshot(),
      matchmaking: matchmaking.getSnapshot(),
      calls: calls.getSnapshot(),
    }),
  }
}

type Apply = (event: VideoEvent) => void

/** Applies an event: first to the stores, then to sounds, engine and screen. */
function createApply(
  services: AppServices,
  { me, matchmaking, calls, getState }: VideoStores,
  engineDriver: EngineDriver,
  updateScreen: () => void,
): Apply {
  return (event) => {
    const before = getState()
    const after = reduceVideo(before, event)
    if (after === before) return
    me.set(after.me)
    matchmaking.set(after.matchmaking)
    calls.set(after.calls)
    if (before.me && before.me.id !== after.me?.id) engineDriver.release()
    playSounds(before, after)
    followCall(services, before.calls, after.calls)
    engineDriver.update()
    updateScreen()
  }
}

function createGate(
  { persistence }: AppServices,
  media: PageEngine['media'],
  getState: () => VideoState,
  searchCommands: () => SearchCommands,
): DeviceGate {
  return createDeviceGate({
    media,
    persistence,
    isInCall: () => getState().calls.call !== null,
    isInUse() {
      const state = getState()
      return state.calls.call !== null || isSearching(state.matchmaking)
    },
    onOpened() {
      const state = getState()
      if (!state.calls.call && state.matchmaking.search.state === 'idle')
        void searchCommands().search()
    },
    onDeclined() {
      const state = getState()
      if (!state.calls.call && isSearching(state.matchmaking)) void searchCommands().stop()
    },
  })
}

export function createVideoRuntime(services: AppServices, pageEngine: PageEngine): VideoRuntime {
  const { engine, media } = pageEngine
  const { connection } = services
  const stores = createVideoStores()
  const { me, matchmaking, calls, getState } = stores
  const engineDriver = createEngineDriver(pageEngine, getState)
  const gate = createGate(services, media, getState, () => searchCommands)
  const screen = createStore<VideoScreen>(chooseScreen(getState(), null))
  const updateScreen = () => screen.set(chooseScreen(getState(), gate.getSnapshot()))
  gate.subscribe(updateScreen)
  const apply = createApply(services, stores, engineDriver, updateScreen)
  const searchCommands = createSearchCommands({
    services,
    apply,
    getState: matchmaking.getSnapshot,
    isInCall: () => calls.getSnapshot().call !== null,
    requestCamera: gate.requestCamera,
    leaveAbandoned: () => callCommands.leaveAbandoned(),
  })
  const callCommands = createCallCommands({
    services,
    apply,
    getState: calls.getSnapshot,
    stopMedia: engineDriver.leave,
    search: searchCommands.search,
  })
  const runtime: VideoRuntime = {
    engine,
    media,
    me,
    matchmaking,
    calls,
    gate,
    screen,
    searchCommands,
    callCommands,
    leaveSearch() {
      if (calls.getSnapshot().call) return
      if (isSearching(matchmaking.getSnapshot())) void searchCommands.stop()
      media.release()
    },
  }
  onTakeover(engineDriver.deactivate)
  followEngine(engine, apply)
  followConnection(connection, runtime, engineDriver, apply)
  return runtime
}

function followEngine(engine: PageEngine['engine'], apply: Apply): void {
  engine.subscribe(() => {
    const { phase, picture, session_id } = engine.getSnapshot()
    // A decoded frame is enough here: it cannot be painted while the screen of the wait covers it.
    if ((phase === 'connected' || picture === 'live') && session_id !== null)
      apply({ type: 'partner_seen', session_id })
  })
}

/** Applies each AUTH, the events of search and calls, and the changes of the own record. */
function followConnection(
  connection: AppServices['connection'],
  runtime: VideoRuntime,
  engineDriver: EngineDriver,
  apply: Apply,
): void {
  function authenticated(auth: AuthSuccess, atMs = Date.now(), missed?: MissedEvents): void {
    const wasSearching =
      runtime.me.getSnapshot()?.id === auth.user.id &&
      isSearching(runtime.matchmaking.getSnapshot())
    engineDriver.activate()
    apply({ type: 'authenticated', auth, me: getOwnUser(auth), at_ms: atMs })
    for (const event of missed?.events ?? []) if (isReduced(event.type)) apply(event as VideoEvent)
    engineDriver.update()
    resumeCamera(runtime)
    if (wasSearching && isSearchLost(auth)) void searchAgain(runtime)
    const { abandoned } = runtime.calls.getSnapshot()
    if (abandoned && abandoned.session_id === auth.active_session?.id)
      runtime.callCommands.leaveAbandoned().catch(() => {})
  }

  // The media flows between the two browsers and would continue without a server.
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

/** A search or call from before a reload needs its camera again. Open devices stay as the user set them. */
function resumeCamera({ gate, calls, matchmaking, media }: VideoRuntime): void {
  const isRunning = calls.getSnapshot().call !== null || isSearching(matchmaking.getSnapshot())
  if (gate.getSnapshot() === null && isRunning && media.getSnapshot().status !== 'on')
    void gate.resumeDevices()
}

/**
 * The server keeps a waiting user only in memory and forgets the user when it stops. If a search ended for a reason,
 * AUTH names the reason.
 */
function isSearchLost({ search, active_session }: AuthSuccess): boolean {
  return !active_session && (!search || (search.state === 'idle' && !search.reason))
}

/** No press: a camera that the user switched off stays off. */
async function searchAgain({ gate, searchCommands }: VideoRuntime): Promise<void> {
  if (await gate.requestCamera(true, true)) await searchCommands.search()
}

function isSame(a: OwnUser, b: OwnUser): boolean {
  return (Object.keys(b) as (keyof OwnUser)[]).every((key) => a[key] === b[key])
}
