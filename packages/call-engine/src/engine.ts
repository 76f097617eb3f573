import { decide } from './engine-state.ts'
import { IDLE_STATE, type EngineState } from './engine-facts.ts'
import { getIds, type EngineCommand, type EngineEvent, type Peer } from './engine-events.ts'
import { IDLE_SNAPSHOT } from './engine-parts.ts'
import type { CallStart, EngineParts, EngineSnapshot } from './engine-parts.ts'
import type { DeviceState } from './devices/media-state.ts'
import { capturedBetween } from './link/link-reading.ts'
import type { LocalMedia } from './devices/local-media-snapshot.ts'
import { CallLog } from './signaling/call-log.ts'
import { LinkWatch } from './link/link-watch.ts'
import { openPeerLink } from './link/peer-link.ts'
import type { LinkHolder, PeerLink } from './link/peer-link-parts.ts'
import type { ObservableSnapshot } from './ports.ts'
import { RemoteScreen } from './link/remote-screen.ts'
import { Standby } from './link/standby.ts'
import type { NewPeer } from '@duet/protocol/contracts/signaling.ts'
import type { PeerSignal } from './signaling/signaling-port.ts'
import { KnownServers, parseTurnParams } from './link/turn-params.ts'
import { OwnReports, type DataUse } from './own-report.ts'
import { createSnapshotStore } from './snapshot-store.ts'
import { createTimers, type EngineTimers } from './timers.ts'

/** The server buffers the same number for a page that has not joined. */
const EARLY_SIGNALS_MAX = 100

/**
 * The call of this browser, without a screen. Screens subscribe, read the snapshot and call methods for the user's
 * actions.
 */
export class CallEngine implements ObservableSnapshot<EngineSnapshot> {
  readonly media: LocalMedia
  readonly data_use: DataUse
  readonly subscribe: ObservableSnapshot<EngineSnapshot>['subscribe']
  readonly getSnapshot: ObservableSnapshot<EngineSnapshot>['getSnapshot']

  #parts: EngineParts
  #snapshot = createSnapshotStore(IDLE_SNAPSHOT)
  #state: EngineState
  #remote: RemoteScreen
  #standby: Standby
  #link: PeerLink | null = null
  #watch: LinkWatch | null = null
  #servers: KnownServers
  /** Signals that arrived before the connection that they belong to. */
  #early: PeerSignal[] = []
  #reports: OwnReports
  #log: CallLog
  #camera: DeviceState = 'off'
  #pending: EngineEvent[] = []
  #isApplying = false
  #timers: EngineTimers
  #removeListeners: (() => void)[]

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.media = parts.media
    this.data_use = this.#reports = new OwnReports(parts, () => this.getSnapshot().weak)
    this.#log = new CallLog(parts.signaling)
    this.#servers = new KnownServers(parts.clock)
    this.subscribe = this.#snapshot.subscribe
    this.getSnapshot = this.#snapshot.getSnapshot
    this.#remote = new RemoteScreen(parts.rtc, (playbackBlocked) =>
      this.#snapshot.change({ playback_blocked: playbackBlocked }),
    )
    this.#standby = new Standby({
      ...parts,
      mayPrepare: () =>
        this.#reports.data_mode === 'full' &&
        !parts.network.isMetered() &&
        !this.getSnapshot().weak,
    })
    this.#timers = createTimers(parts.clock, (timer) => this.#apply({ type: 'timer_fired', timer }))
    this.#state = { ...IDLE_STATE, signaling: parts.signaling.isReady() ? 'up' : 'lost' }
    this.#snapshot.change({ signaling: this.#state.signaling })
    this.#removeListeners = [
      parts.signaling.listen({
        onNewPeer: (peer) => this.#newPeer(peer),
        onPeerSignal: (signal) => this.#peerSignal(signal),
        onJoinRefused: ({ session_id }) => this.#apply({ type: 'join_refused', session_id }),
        onJoinDelayed: (delayed) => this.#apply({ type: 'join_delayed', ...delayed }),
        onLost: () => this.#apply({ type: 'signaling_lost' }),
        onReady: () => this.#apply({ type: 'signaling_ready' }),
      }),
      parts.network.onPathChange(() => this.#apply({ type: 'network_changed' })),
      parts.media.subscribe(() => this.#mediaChanged()),
    ]
  }

  /** The present partner's picture and sound. */
  get remote_stream(): MediaStream {
    return this.#remote.stream
  }

  /** Starts or resumes a call. Another running call is closed. The same call continues unchanged. */
  start({ session_id, session_guid, initiator, prepare_id }: CallStart): void {
    const prepared = prepare_id === undefined ? undefined : this.#standby.findGuid(prepare_id)
    const turn = prepare_id === undefined ? this.#servers.get() : null
    const ahead =
      turn && session_guid !== undefined && initiator !== undefined
        ? { session_guid, initiator, turn }
        : undefined
    if (session_id !== this.#state.session_id) this.#reports.begin()
    this.#apply({ type: 'started', session_id, ahead, prepared })
  }

  /** The call is over (`close_session`, or the user left). Camera and microphone stay open for the next call. */
  end(): void {
    this.#apply({ type: 'ended' })
  }

  /**
   * The user leaves, whatever the server does: from now on nothing is sent, shown or played. The last PEER_STATE proves
   * the seconds up to now. Resolves when the last PEER_STATE is sent or cannot be read in time.
   */
  leave(): Promise<void> {
    const left = this.#link
    // Another call may begin while the counters are read.
    const { connected_sent, session_id } = this.#state
    const before = this.#watch?.latest
    const reported =
      left && connected_sent ? this.#reports.sendNow(session_id, left, before) : Promise.resolve()
    // Closing would lose the counters: the connection is silent at once, and closed when they are read.
    this.#link = null
    left?.setAudio(null)
    left?.setVideo(null)
    this.end()
    return reported.finally(() => left?.close())
  }

  /** Another tab took over: closes the call and the devices at once. */
  release(): void {
    this.end()
    this.#standby.close()
    this.media.release()
  }

  /** Shows the partner in this element. Returns the function that detaches it. */
  attachRemote(element: HTMLVideoElement): () => void {
    return this.#remote.attach(element)
  }

  play(): Promise<void> {
    return this.#remote.play()
  }

  dispose(): void {
    this.release()
    this.#standby.dispose()
    for (const remove of this.#removeListeners) remove()
  }

  /** Events that occur during a command are applied after it: decisions never interleave. */
  #apply(event: EngineEvent) {
    this.#pending.push(event)
    if (this.#isApplying) return
    this.#isApplying = true
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      const { state, commands } = decide(this.#state, next)
      this.#state = state
      for (const command of commands) this.#attempt(command)
      const { phase, session_id, session_guid, signaling, trouble } = state
      this.#snapshot.change({ phase, session_id, session_guid, signaling, trouble })
    }
    this.#isApplying = false
  }

  /** The browser may refuse a command, such as ICE servers that it cannot parse. Even then the call can be ended. */
  #attempt(command: EngineCommand) {
    try {
      this.#execute(command)
    } catch (error) {
      this.#log.warn(`${command.type} failed: ${String(error)}`)
    }
  }

  #execute(command: EngineCommand) {
    const { signaling } = this.#parts
    switch (command.type) {
      case 'join':
        return signaling.join(command)
      case 'open_link':
        return this.#openLink(command.peer)
      case 'take_standby':
        return this.#use(this.#standby.take(this.#holder(command.session_guid)))
      case 'renew_link':
        return this.#link?.renew(command.turn)
      case 'restart_ice':
        return this.#link?.restartIce()
      case 'close_link':
        return this.#closeLink()
      case 'send_connected':
        signaling.peerConnected(getIds(command))
        return this.#watch?.report()
      case 'send_state':
        return this.#watch?.reportOnce()
      case 'send_not_connected':
        return signaling.peerNotConnected({ ...getIds(command), reason: command.reason })
      case 'start_timer':
        return this.#timers.start(command.timer, command.in_ms)
      case 'cancel_timer':
        this.#timers.cancel(command.timer)
    }
  }

  #newPeer({ session_id, session_guid, initiator, turn_params }: NewPeer) {
    if (session_id !== this.#state.session_id) return
    try {
      const turn = parseTurnParams(turn_params)
      this.#servers.put(turn)
      this.#apply({ type: 'new_peer', session_id, peer: { session_guid, initiator, turn } })
    } catch (error) {
      this.#log.warn(`new_peer could not be read: ${String(error)}`)
    }
  }

  /** The partner's offer may arrive before `new_peer`. The engine keeps the offer until `new_peer`. */
  #peerSignal(signal: PeerSignal) {
    if (this.#link?.session_guid === signal.session_guid) return void this.#link.receive(signal)
    if (signal.session_id !== this.#state.session_id) return
    this.#early = [...this.#early.slice(1 - EARLY_SIGNALS_MAX), signal]
  }

  #openLink(peer: Peer) {
    const { session_guid } = peer
    this.#use(openPeerLink({ ...this.#parts, ...peer, ...this.#holder(session_guid) }))
    for (const early of this.#early.splice(0))
      if (early.session_guid === session_guid) void this.#link?.receive(early)
  }

  #holder(session_guid: string): LinkHolder {
    const { session_id } = this.#state
    if (session_id === null) throw new Error('a connection belongs to a call')
    return {
      send: (message) => this.#parts.signaling.signal({ ...message, session_id, session_guid }),
      onState: (state) => this.#apply({ type: 'link_changed', session_guid, link: state }),
      onTrack: (track) => this.#remote.put(track),
      log: (text) => this.#log.warn(text),
    }
  }

  #use(link: PeerLink) {
    const { clock, page } = this.#parts
    const { session_id } = this.#state
    const { session_guid } = link
    this.#link = link
    this.#snapshot.change({ connection: link.connection })
    this.#putOwnTracks()
    this.#watch = new LinkWatch({
      link,
      clock,
      page,
      element: () => this.#remote.element(),
      onFirstFrame: () => this.#apply({ type: 'first_frame', session_guid }),
      onView: (view) => this.#snapshot.change(view),
      dataMode: () => this.#reports.data_mode,
      onReport: (now) => this.#reports.send(session_id, link, now),
      onReading: (before, now) => {
        this.#reports.note(now)
        this.media.noteFrames(capturedBetween(before, now))
      },
    })
  }

  #closeLink() {
    this.#watch?.stop()
    this.#watch = null
    this.#link?.close()
    this.#link = null
    this.#reports.endLink()
    this.#remote.clear()
    this.#log.begin()
    this.#snapshot.change({ picture: 'none', weak: false, connection: null })
  }

  #mediaChanged() {
    this.#putOwnTracks()
    this.#reportChange()
    const { camera } = this.media.getSnapshot()
    if (camera === this.#camera) return
    if (this.#link && camera === 'stalled') this.#log.warn('the own camera delivers no frames')
    if (this.#link && this.#camera === 'stalled')
      this.#log.warn(`the own camera was stalled: ${camera}`)
    this.#camera = camera
  }

  #putOwnTracks() {
    const { audio_track, video_track } = this.media.getSnapshot()
    this.#link?.setAudio(audio_track)
    this.#link?.setVideo(video_track)
  }

  /** The partner's page shows a change of the devices at once, not with the next report. */
  #reportChange() {
    const { connected_sent, session_id } = this.#state
    if (this.#link && connected_sent && this.#reports.is_outdated)
      void this.#reports.sendNow(session_id, this.#link, this.#watch?.latest)
  }
}
