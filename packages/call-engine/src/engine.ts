import { decide, IDLE } from './engine-state.ts'
import type { CallPhase, CallState, Effect, Happened, Peer, Wake } from './engine-state.ts'
import type { LinkReading } from './link/link-reading.ts'
import type { LocalMedia } from './devices/local-media.ts'
import { LinkWatch } from './link/link-watch.ts'
import type { LinkView } from './link/link-watch.ts'
import { openPeerLink } from './link/peer-link.ts'
import type { PeerLink } from './link/peer-link.ts'
import type { Clock, NetworkPort, RtcPort, Watchable } from './ports.ts'
import { RemoteScreen } from './link/remote-screen.ts'
import type { NewPeer, PeerSignal, SignalPort } from './signaling/signal-port.ts'
import { parseTurnParams, TURN_PARAMS_FRESH_MS } from './link/turn-params.ts'
import type { TurnParams } from './link/turn-params.ts'
import { watched } from './watchable.ts'

export interface CallSnapshot {
  phase: CallPhase
  session_id: number | null
  session_guid: string | null
  signalling: 'up' | 'lost'
  /** `slow` after 5 s without the partner, `not_connected` after 15 s, `refused` when the server knows no such call of ours. */
  trouble: CallState['trouble']
  /** The partner's: `none` before the first frame, `still` when no frame came for two seconds (camera off, or a bad network). */
  picture: LinkView['picture']
  /** Our connection carries a smaller picture than it should. */
  weak: boolean
  /** The browser wants a touch before it plays sound: call `play()` from one. */
  playback_blocked: boolean
}

export interface SessionStart {
  session_id: number
  /**
   * Both from `new_session`, never from `active_session`: with them and servers known from an earlier call the connection
   * is begun while JOIN_SESSION is still under way.
   */
  session_guid?: string
  initiator?: boolean
}

export interface CallEngineParts {
  signal: SignalPort
  media: LocalMedia
  rtc: RtcPort
  clock: Clock
  network: NetworkPort
}

/** `wire.md` allows 60 a minute; a call that needs more than this has said what is wrong. */
const LOGS_A_CALL = 40
/** As many as the server keeps for somebody who has not joined. */
const SIGNALS_AHEAD = 100

/** The browser's call. It knows no screen: whoever shows it subscribes, reads the snapshot and says what the person did. */
export class CallEngine implements Watchable<CallSnapshot> {
  readonly media: LocalMedia
  readonly subscribe: Watchable<CallSnapshot>['subscribe']
  readonly getSnapshot: Watchable<CallSnapshot>['getSnapshot']

  #parts: CallEngineParts
  #snapshot = watched<CallSnapshot>({
    phase: 'idle',
    session_id: null,
    session_guid: null,
    signalling: 'lost',
    trouble: null,
    picture: 'none',
    weak: false,
    playback_blocked: false,
  })
  #call: CallState
  #screen: RemoteScreen
  #link: PeerLink | null = null
  #watch: LinkWatch | null = null
  #turn: { params: TurnParams; at_ms: number } | null = null
  /** Came before the connection that they are for. */
  #ahead: PeerSignal[] = []
  #logs = 0
  #waiting: Happened[] = []
  #deciding = false
  #wakes = new Map<Wake, () => void>()
  #stopListening: (() => void)[]

  constructor(parts: CallEngineParts) {
    this.#parts = parts
    this.media = parts.media
    this.subscribe = this.#snapshot.subscribe
    this.getSnapshot = this.#snapshot.getSnapshot
    this.#screen = new RemoteScreen(parts.rtc, (playback_blocked) =>
      this.#snapshot.change({ playback_blocked }),
    )
    this.#call = { ...IDLE, signalling: parts.signal.isUp() ? 'up' : 'lost' }
    this.#snapshot.change({ signalling: this.#call.signalling })
    this.#stopListening = [
      parts.signal.listen({
        newPeer: (peer) => this.#newPeer(peer),
        peerSignal: (signal) => this.#peerSignal(signal),
        joinRefused: ({ session_id }) => this.#apply({ what: 'join_refused', session_id }),
        lost: () => this.#apply({ what: 'signal_lost' }),
        back: () => this.#apply({ what: 'signal_back' }),
      }),
      parts.network.onPathChange(() => this.#apply({ what: 'network_changed' })),
      parts.media.subscribe(() => this.#putOwnTracks()),
    ]
  }

  /** The partner's picture and sound; the same object for every partner. */
  get remote_stream(): MediaStream {
    return this.#screen.stream
  }

  /** Begins or resumes a call; another running one is left, the same one goes on untouched. */
  start({ session_id, session_guid, initiator }: SessionStart): void {
    const fresh = this.#turn && this.#parts.clock.now_ms() - this.#turn.at_ms < TURN_PARAMS_FRESH_MS
    const ahead =
      this.#turn && fresh && session_guid !== undefined && initiator !== undefined
        ? { session_guid, initiator, turn: this.#turn.params }
        : undefined
    this.#apply({ what: 'started', session_id, ahead })
  }

  /** The call is over (`close_session`, or the person left). Camera and microphone stay for the next one. */
  end(): void {
    this.#apply({ what: 'ended' })
  }

  /** Another tab took over: call and devices are let go at once. */
  release(): void {
    this.end()
    this.media.release()
  }

  /** Shows partners in this element from now on; the answer takes it away again. */
  attachRemote(element: HTMLVideoElement): () => void {
    return this.#screen.attach(element)
  }

  play(): Promise<void> {
    return this.#screen.play()
  }

  dispose(): void {
    this.release()
    for (const stop of this.#stopListening) stop()
  }

  /** What happens while something is being done waits for its turn: decisions never interleave. */
  #apply(happened: Happened) {
    this.#waiting.push(happened)
    if (this.#deciding) return
    this.#deciding = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { call, effects } = decide(this.#call, next)
      this.#call = call
      for (const effect of effects) this.#attempt(effect)
      const { phase, session_id, session_guid, signalling, trouble } = call
      this.#snapshot.change({ phase, session_id, session_guid, signalling, trouble })
    }
    this.#deciding = false
  }

  /** A browser that refuses one thing (servers it cannot read) must not stop the call from being ended. */
  #attempt(effect: Effect) {
    try {
      this.#perform(effect)
    } catch (error) {
      this.#log(`${effect.do} failed: ${String(error)}`)
    }
  }

  #perform(effect: Effect) {
    const { signal } = this.#parts
    switch (effect.do) {
      case 'join':
        return signal.join({ session_id: effect.session_id, session_guid: effect.session_guid })
      case 'open_link':
        return this.#openLink(effect.peer)
      case 'renew_link':
        return this.#link?.renew(effect.turn)
      case 'restart_ice':
        return this.#link?.restartIce()
      case 'close_link':
        return this.#closeLink()
      case 'tell_connected':
        signal.peerConnected({ session_id: effect.session_id, session_guid: effect.session_guid })
        return this.#watch?.report()
      case 'tell_not_connected':
        return signal.peerNotConnected({
          session_id: effect.session_id,
          session_guid: effect.session_guid,
          reason: effect.reason,
        })
      case 'wake':
        return this.#wake(effect.wake, effect.in_ms)
      case 'let_sleep':
        this.#wakes.get(effect.wake)?.()
        this.#wakes.delete(effect.wake)
    }
  }

  #wake(wake: Wake, in_ms: number) {
    this.#wakes.get(wake)?.()
    const forget = this.#parts.clock.after(in_ms, () => {
      this.#wakes.delete(wake)
      this.#apply({ what: 'woke', wake })
    })
    this.#wakes.set(wake, forget)
  }

  #newPeer({ session_id, session_guid, initiator, turn_params }: NewPeer) {
    if (session_id !== this.#call.session_id) return
    try {
      const turn = parseTurnParams(turn_params)
      this.#turn = { params: turn, at_ms: this.#parts.clock.now_ms() }
      this.#apply({ what: 'new_peer', session_id, peer: { session_guid, initiator, turn } })
    } catch (error) {
      this.#log(`new_peer could not be read: ${String(error)}`)
    }
  }

  /** The partner's offer may overtake our `new_peer`: it waits for it. */
  #peerSignal(signal: PeerSignal) {
    if (this.#link?.session_guid === signal.session_guid) return void this.#link.receive(signal)
    if (signal.session_id !== this.#call.session_id) return
    this.#ahead = [...this.#ahead.slice(1 - SIGNALS_AHEAD), signal]
  }

  #openLink({ session_guid, initiator, turn }: Peer) {
    const { rtc, clock, signal } = this.#parts
    const { session_id } = this.#call
    if (session_id === null) throw new Error('a connection belongs to a call')
    const link = openPeerLink({
      session_guid,
      initiator,
      turn,
      rtc,
      clock,
      send: (message) => signal.signal({ ...message, session_id, session_guid }),
      onState: (state) => this.#apply({ what: 'link_changed', session_guid, link: state }),
      onTrack: (track) => this.#screen.put(track),
      log: (text) => this.#log(text),
    })
    this.#link = link
    this.#putOwnTracks()
    this.#watch = new LinkWatch({
      link,
      clock,
      element: () => this.#screen.element(),
      onFirstFrame: () => this.#apply({ what: 'first_frame', session_guid }),
      onView: (view) => this.#snapshot.change(view),
      onReport: (now) => this.#report(link, now),
    })
    for (const early of this.#ahead.splice(0))
      if (early.session_guid === session_guid) void link.receive(early)
  }

  #closeLink() {
    this.#watch?.stop()
    this.#watch = null
    this.#link?.close()
    this.#link = null
    this.#screen.clear()
    this.#logs = 0
    this.#snapshot.change({ picture: 'none', weak: false })
  }

  #putOwnTracks() {
    const { audio_track, video_track } = this.media.getSnapshot()
    this.#link?.setAudio(audio_track)
    this.#link?.setVideo(video_track)
  }

  #report({ session_guid }: PeerLink, now: LinkReading) {
    const { session_id, signalling } = this.#call
    if (session_id === null || signalling === 'lost') return
    const { camera, microphone } = this.media.getSnapshot()
    const { frames_decoded, frames_sent, reports_received } = now
    const sending = { audio: microphone === 'on', video: camera === 'on' }
    this.#parts.signal.peerState({
      session_id,
      session_guid,
      frames_decoded,
      frames_sent,
      reports_received,
      ...sending,
    })
  }

  #log(text: string) {
    this.#logs += 1
    if (this.#logs <= LOGS_A_CALL)
      this.#parts.signal.log({ level: 'warn', text: text.slice(0, 1000) })
  }
}
