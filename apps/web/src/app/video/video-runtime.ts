import { createCallCommands } from '../../features/calls/call-commands.ts'
import type { CallsState } from '../../features/calls/calls-state.ts'
import { closeFloating, closeFullScreen } from '../../features/calls/screen/picture-windows.ts'
import { createDeviceGate, type DeviceGate } from '../../features/devices/device-gate.ts'
import { createSearchCommands } from '../../features/matchmaking/search-commands.ts'
import { isSearching, type MatchmakingState } from '../../features/matchmaking/matchmaking-state.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { createStore, type Store } from '../../shared/observable-store.ts'
import type { OwnUser } from '../../shared/account/own-user.tsx'
import { callDevices } from '../../shared/video/video-in-use.ts'
import { callPresent } from '../../shared/video/call-present.ts'
import { onTakeover } from '../../shared/connection/takeover.ts'
import { watchFace } from './face/watch-face.ts'
import { createEngineDriver, type EngineDriver } from './engine-driver.ts'
import { createEnterCall } from './enter-call.ts'
import { monitorCalls } from './call-monitoring.ts'
import { followConnection } from './follow-connection.ts'
import { storeLeftCall } from './left-call.ts'
import type { VideoRuntime } from './runtime.ts'
import { createPageEngine, type PageEngine } from './page-engine.ts'
import { chooseScreen, type VideoScreen } from './video-screen.ts'
import { INITIAL_VIDEO, reduceVideo, type VideoEvent, type VideoState } from './video-state.ts'
import { playSound } from '../../shared/sound.ts'

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
  monitorCalls(services, runtime)
  return runtime
}

/** A direct call may open before the caller has given the devices. */
function openDevicesForCall(gate: DeviceGate, before: VideoState, { calls }: VideoState): void {
  const { call } = calls
  if (call?.session.kind !== 'direct' || call.entry !== 'joined') return
  if (call.session.id !== before.calls.call?.session.id) void gate.resumeDevices(true)
}

/**
 * The server accepted the own call: the devices open while the call rings, so that the other user is not kept waiting
 * by a question of the browser. A ring that AUTH names was not called from this page.
 */
function openDevicesForRing(
  media: PageEngine['media'],
  event: VideoEvent,
  before: VideoState,
  after: VideoState,
): void {
  const { ring } = after.matchmaking
  if (event.type !== 'search_pair' || ring?.pair.role_in_call !== 'caller') return
  if (ring.pair.pair_id !== before.matchmaking.ring?.pair.pair_id)
    void media.acquire({ want: 'both' })
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
  { gate, media }: { gate: DeviceGate; media: PageEngine['media'] },
  updateScreen: () => void,
): Apply {
  const face = watchFace({ services, media, getState })
  const releaseUnused = createRelease(media, () => isInUse(getState()))
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
    releaseUnused(before, after)
    closeWindows(before, after)
    storeLeftCall(services, before.calls, after.calls)
    // The screens of the gate were about this call, and would hide how it ends.
    if (isPresent(before.calls) && !isPresent(after.calls)) gate.reset()
    engineDriver.update()
    openDevicesForRing(media, event, before, after)
    openDevicesForCall(gate, before, after)
    face.update()
    updateScreen()
  }
}

function isPresent({ call }: CallsState): boolean {
  return call !== null && call.leaving === null
}

/** How long the devices stay open for the next search. */
const UNUSED_MS = 60_000

/** A search that waits for a captcha goes on with the same devices. */
function isInUse({ calls, matchmaking }: VideoState): boolean {
  if (calls.call !== null || matchmaking.ring !== null) return true
  return isSearching(matchmaking) || matchmaking.search.reason === 'captcha'
}

/** A floating picture belongs to its call. The full screen also stays for the next person, until the search ends. */
function closeWindows(before: VideoState, after: VideoState): void {
  const { call } = before.calls
  if (call && call.session.id !== after.calls.call?.session.id) closeFloating()
  if (isInUse(before) && !isInUse(after)) closeFullScreen()
}

/** Closes the devices a minute after the last search or call, and at once when the user was absent in front of them. */
function createRelease(media: PageEngine['media'], isUsedNow: () => boolean) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (before: VideoState, after: VideoState): void => {
    if (isInUse(after)) return clearTimeout(timer)
    if (!isInUse(before)) return
    clearTimeout(timer)
    if (after.matchmaking.search.state === 'paused') return media.release()
    timer = setTimeout(() => isUsedNow() || media.release(), UNUSED_MS)
  }
}

function createGate(
  { persistence }: AppServices,
  media: PageEngine['media'],
  getState: () => VideoState,
  runtime: () => VideoRuntime,
): DeviceGate {
  return createDeviceGate({
    media,
    persistence,
    isInCall: () => getState().calls.call !== null,
    isInUse: () => isInUse(getState()),
    onOpened() {
      const state = getState()
      if (state.calls.call) runtime().enterCall.join()
      else if (state.matchmaking.search.state === 'idle') void runtime().searchCommands.search()
    },
    onDeclined() {
      const state = getState()
      if (!state.calls.call && isSearching(state.matchmaking)) void runtime().searchCommands.stop()
    },
  })
}

export function createVideoRuntime(services: AppServices, pageEngine: PageEngine): VideoRuntime {
  const { engine, media } = pageEngine
  const stores = createVideoStores()
  const { me, matchmaking, calls, getState } = stores
  const engineDriver = createEngineDriver(pageEngine, getState)
  const gate = createGate(services, media, getState, () => runtime)
  const screen = createStore<VideoScreen>(chooseScreen(getState(), null))
  const updateScreen = () => screen.set(chooseScreen(getState(), gate.getSnapshot()))
  gate.subscribe(updateScreen)
  const apply = createApply(services, stores, engineDriver, { gate, media }, updateScreen)
  const searchCommands = createSearchCommands({
    services,
    apply,
    getState: matchmaking.getSnapshot,
    isInCall: () => calls.getSnapshot().call !== null,
    requestCamera: gate.requestCamera,
    async openDevices() {
      // The partner of a running call must not see a camera that the user switched off.
      return acquireAny(media, calls.getSnapshot().call === null)
    },
    leaveAbandoned: () => callCommands.leaveAbandoned(),
  })
  const callCommands = createCallCommands({
    services,
    apply,
    getState: calls.getSnapshot,
    stopMedia: engineDriver.leave,
    async search() {
      // A camera that was lost in the call opens again, or a screen explains what to do.
      if (await gate.requestCamera(true, true)) await searchCommands.search()
    },
  })
  const waiting = { is_on: false }
  const runtime: VideoRuntime = {
    engine,
    media,
    me,
    matchmaking,
    calls,
    gate,
    screen,
    enterCall: createEnterCall({ media, gate, calls, apply }),
    searchCommands,
    callCommands,
    leaveSearch() {
      if (calls.getSnapshot().call || matchmaking.getSnapshot().ring) return
      if (isSearching(matchmaking.getSnapshot())) void searchCommands.leavePage()
      if (waiting.is_on) return
      media.release()
      gate.reset()
    },
  }
  onTakeover(() => {
    engineDriver.deactivate()
    apply({ type: 'ring_silenced' })
  })
  followEngine(engine, apply)
  followConnection({ services, runtime, tab: pageEngine.tab, engineDriver, apply })
  callDevices.set(() => openDevicesBefore(media, waiting, () => isInUse(getState())))
  return runtime
}

/** The user pressed for a call that opens when the other user presses too. It may never open. */
async function openDevicesBefore(
  media: PageEngine['media'],
  waiting: { is_on: boolean },
  isUsedNow: () => boolean,
) {
  // The page that shows no call and no search would release the devices.
  waiting.is_on = true
  setTimeout(() => {
    waiting.is_on = false
    if (!isUsedNow()) media.release()
  }, UNUSED_MS)
  return acquireAny(media, !isUsedNow())
}

/** `wantsBoth`: devices that the user switched off open too. Returns whether any device is open. */
async function acquireAny(media: PageEngine['media'], wantsBoth: boolean): Promise<boolean> {
  await media.acquire({ want: wantsBoth ? 'both' : undefined })
  const { video_track, audio_track } = media.getSnapshot()
  return video_track !== null || audio_track !== null
}

function followEngine(engine: PageEngine['engine'], apply: Apply): void {
  engine.subscribe(() => {
    const { phase, picture, session_id } = engine.getSnapshot()
    // A decoded frame is enough here: it cannot be painted while the screen of the wait covers it.
    if ((phase === 'connected' || picture === 'live') && session_id !== null)
      apply({ type: 'partner_seen', session_id })
  })
}

/** Plays a sound for a new offer, for the partner's first frame, and for a text of the partner. */
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

/** The rest of the page learns whether there is a call, and every call that opens is counted on this device. */
function followCall({ persistence }: AppServices, before: CallsState, after: CallsState): void {
  callPresent.set(after.call !== null)
  const { call } = after
  if (call?.is_fresh && call.session.id !== before.call?.session.id)
    persistence.set('chat_count', (persistence.get('chat_count') ?? 0) + 1)
}
