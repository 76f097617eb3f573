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
import type { MatchmakingState } from '../../features/matchmaking/matchmaking-state.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { createStore, type Observable } from '../../shared/observable-store.ts'
import { ownUserOf, type OwnUser } from '../../shared/video/own-user.tsx'
import { subscribeToEvents } from '../../shared/video/event-reducers.ts'
import { playSound } from '../../shared/sound.ts'
import { onTakeover } from '../../shared/takeover.ts'
import { holdToasts } from '../../shared/toasts.ts'
import { createPageEngine, type PageEngine } from './page-engine.ts'
import { sceneOf, type Scene } from './scene.ts'
import { INITIAL_VIDEO, reduceVideo, type VideoEvent, type VideoState } from './video-state.ts'

/** Search and calls of this page: the stores of both features, their commands, and the engine. */
export interface VideoRuntime extends Pick<PageEngine, 'engine' | 'media'> {
  readonly me: Observable<OwnUser | null>
  readonly matchmaking: Observable<MatchmakingState>
  readonly calls: Observable<CallsState>
  readonly gate: DeviceGate
  readonly searchCommands: SearchCommands
  readonly callCommands: CallCommands
  readonly scene: Observable<Scene>
  /** The user left the page of the search: nobody could answer an offer. A running call continues. */
  leaveSearch(): void
}

const runtimes = new WeakMap<AppServices['connection'], VideoRuntime>()

/** One for the life of the page, whichever screens are mounted. */
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

export function createVideoRuntime(services: AppServices, pageEngine: PageEngine): VideoRuntime {
  const { engine, media } = pageEngine
  const { connection, persistence } = services
  const me = createStore(INITIAL_VIDEO.me)
  const matchmaking = createStore(INITIAL_VIDEO.matchmaking)
  const calls = createStore(INITIAL_VIDEO.calls)
  const getState = (): VideoState => ({
    me: me.getSnapshot(),
    matchmaking: matchmaking.getSnapshot(),
    calls: calls.getSnapshot(),
  })
  const engineDriver = createEngineDriver(pageEngine, getState)

  function apply(event: VideoEvent): void {
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
    updateScene()
  }

  const gate = createDeviceGate({
    media,
    persistence,
    onOpened() {
      const state = getState()
      if (!state.calls.call && state.matchmaking.search.state === 'idle')
        void searchCommands.search()
    },
  })
  const scene = createStore<Scene>(sceneOf(getState(), null))
  const updateScene = () => scene.set(sceneOf(getState(), gate.getSnapshot()))
  gate.subscribe(updateScene)
  const searchCommands = createSearchCommands({
    services,
    apply,
    getState: matchmaking.getSnapshot,
    isInCall: () => calls.getSnapshot().call !== null,
    requestCamera: gate.requestCamera,
  })
  const callCommands = createCallCommands({
    services,
    apply,
    getState: calls.getSnapshot,
    search: searchCommands.search,
  })

  /** What ran before a reload needs its camera again; devices that are held stay as the user set them. */
  function resumeCamera(): void {
    const state = getState()
    const isRunning = state.calls.call !== null || isSearching(state.matchmaking)
    if (gate.getSnapshot() === null && isRunning && media.getSnapshot().status !== 'on')
      void gate.requestCamera(true)
  }

  function authenticated(auth: AuthSuccess): void {
    engineDriver.activate()
    apply({ type: 'authenticated', auth, me: ownUserOf(auth), at_ms: Date.now() })
    engineDriver.update()
    resumeCamera()
  }

  onTakeover(engineDriver.deactivate)
  engine.subscribe(() => {
    const { phase, session_id } = engine.getSnapshot()
    if (phase === 'connected' && session_id !== null) apply({ type: 'partner_seen', session_id })
  })
  connection.on('auth_success', (auth) => authenticated(auth as AuthSuccess))
  subscribeToEvents(connection, MATCHMAKING_SERVER_EVENTS, apply)
  subscribeToEvents(connection, CALL_SERVER_EVENTS, apply)
  connection.subscribe(() => {
    const { auth } = connection.getSnapshot()
    const known = me.getSnapshot()
    if (!auth || !known) return
    const own = ownUserOf(auth as AuthSuccess)
    if (known.id === own.id && !isSame(known, own)) apply({ type: 'own_record_changed', me: own })
  })
  const { auth } = connection.getSnapshot()
  if (auth) authenticated(auth as AuthSuccess)

  return {
    engine,
    media,
    me,
    matchmaking,
    calls,
    gate,
    scene,
    searchCommands,
    callCommands,
    leaveSearch() {
      const state = getState()
      if (state.calls.call) return
      if (isSearching(state.matchmaking)) void searchCommands.stop()
      media.release()
    },
  }
}

function isSearching({ search, starting }: MatchmakingState): boolean {
  return starting !== null || search.state === 'waiting' || search.state === 'offered'
}

/** Keeps engine and signaling in step with search and calls. */
function createEngineDriver({ engine, signaling }: PageEngine, getState: () => VideoState) {
  /** The call that the engine was given; it is given each call once after each AUTH. */
  let given: number | null = null
  /** Another tab is the active one: nothing starts here until this tab authenticates again. */
  let isAway = false

  function release(): void {
    given = null
    engine.release()
    signaling.close()
  }

  return {
    release,
    activate() {
      isAway = false
      if (engine.getSnapshot().phase === 'ended') given = null
    },
    deactivate() {
      isAway = true
      release()
    },
    update() {
      if (isAway) return
      const { matchmaking, calls } = getState()
      const { call, left } = calls
      if (call || left || isSearching(matchmaking)) signaling.open()
      else signaling.close()
      if (call && given !== call.session.id) {
        given = call.session.id
        const { session_guid, initiator } = call.session
        engine.start({ session_id: given, ...(call.is_fresh && { session_guid, initiator }) })
      }
      if (!call && given !== null) {
        given = null
        engine.end()
      }
    },
  }
}

function playSounds(before: VideoState, after: VideoState): void {
  const { offer } = after.matchmaking
  if (offer && offer.pair.pair_id !== before.matchmaking.offer?.pair.pair_id) playSound('found')
  const { call } = after.calls
  const known = before.calls.call
  if (call?.is_met && !known?.is_met) playSound('connected')
  if (!call || call.session.id !== known?.session.id) return
  const latest = call.texts.at(-1)
  if (call.texts.length > known.texts.length && latest?.sender_id !== after.me?.id)
    playSound('message')
}

/** Toasts wait during a call; every call that opens is counted on this device. */
function followCall({ persistence }: AppServices, before: CallsState, after: CallsState): void {
  const { call } = after
  if (call && call.session.id !== before.call?.session.id) {
    holdToasts(true)
    if (call.is_fresh) persistence.set('chat_count', (persistence.get('chat_count') ?? 0) + 1)
  }
  if (!call && before.call) holdToasts(false)
}

function isSame(a: OwnUser, b: OwnUser): boolean {
  return (Object.keys(b) as (keyof OwnUser)[]).every((key) => a[key] === b[key])
}
