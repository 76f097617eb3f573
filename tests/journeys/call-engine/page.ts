import { createBrowserEngine, createBrowserMedia, watchLevel } from '@duet/call-engine'
import type { CallEngine, LocalMedia, SignalingListener, SignalingPort } from '@duet/call-engine'
import type { Line, Told } from './relay.ts'

/** Bundled into a blank page: the engine, one video element, and a signaling port whose other end is the test. */

export interface EnginePage {
  engine: CallEngine
  media: LocalMedia
  video: HTMLVideoElement
  /** Every connection the page ever made, newest last. */
  connections: RTCPeerConnection[]
  watchLevel: typeof watchLevel
  hear(told: Told): void
}

declare global {
  var duet: EnginePage
  function toRelay(line: Line): Promise<void>
}

const connections: RTCPeerConnection[] = []
const Real = RTCPeerConnection
globalThis.RTCPeerConnection = class extends Real {
  constructor(configuration?: RTCConfiguration) {
    super(configuration)
    connections.push(this)
  }
}

const listeners = new Set<Partial<SignalingListener>>()
let up = true
const say = (what: Line['what']) => (payload: Line['payload']) => {
  if (up) void toRelay({ what, payload })
}

const signaling: SignalingPort = {
  isReady: () => up,
  listen(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  join: say('join'),
  signal: say('signal'),
  prepared: say('prepared'),
  peerConnected: say('peer_connected'),
  peerNotConnected: say('peer_not_connected'),
  peerState: say('peer_state'),
  log: say('log'),
}

function hear(told: Told) {
  if (told.what === 'lost' || told.what === 'back') up = told.what === 'back'
  for (const listener of listeners) {
    if (told.what === 'new_peer') listener.onNewPeer?.(told.payload)
    else if (told.what === 'peer_signal') listener.onPeerSignal?.(told.payload)
    else if (told.what === 'prepare_peer') listener.onPreparePeer?.(told.payload)
    else if (told.what === 'lost') listener.onLost?.()
    else listener.onReady?.()
  }
}

const media = createBrowserMedia()
const engine = createBrowserEngine(signaling, media)
const video = document.createElement('video')
document.body.append(video)
engine.attachRemote(video)
globalThis.duet = { engine, media, video, connections, watchLevel, hear }
