import type { NewPeer, PreparePeer } from '@duet/protocol/contracts/signaling.ts'
import type { PeerSignal, SignalingListener, SignalingPort } from './signaling-port.ts'

/** Called by the socket that `openSocket` returned. */
export interface SignalingHandlers {
  onEvent(event: string, payload: unknown): void
  onReady(): void
  onLost(): void
}

/** A signaling socket as `createSignalSocket` of the client package makes it. */
export interface SignalingSocket {
  open(): void
  close(): void
  /** False if the socket is not ready. The message is then lost. */
  send(event: string, payload: unknown): boolean
}

/** The engine's port, and the switch that keeps the socket open while there is a search or a call. */
export interface SocketSignaling {
  readonly port: SignalingPort
  open(): void
  close(): void
}

/** An attempt that the server refused without a time is repeated after this one. */
const JOIN_AGAIN_SECONDS = 2

const HEARD = new Map<string, (listener: Partial<SignalingListener>, payload: unknown) => void>([
  ['new_peer', (listener, peer) => listener.onNewPeer?.(peer as NewPeer)],
  ['peer_signal', (listener, signal) => listener.onPeerSignal?.(signal as PeerSignal)],
  ['prepare_peer', (listener, peer) => listener.onPreparePeer?.(peer as PreparePeer)],
  [
    'prepare_cancelled',
    (listener, cancelled) => listener.onPrepareCancelled?.(cancelled as { prepare_id: string }),
  ],
])

/** The adapter between the engine's port and the signaling socket with its wire names. */
export function createSocketSignaling(
  openSocket: (handlers: SignalingHandlers) => SignalingSocket,
): SocketSignaling {
  const listeners = new Set<Partial<SignalingListener>>()
  let isReady = false
  let joined: number | null = null
  const notify = (call: (listener: Partial<SignalingListener>) => void) => {
    for (const listener of [...listeners]) call(listener)
  }
  const setReady = (next: boolean) => {
    if (isReady === next) return
    isReady = next
    notify((listener) => (isReady ? listener.onReady?.() : listener.onLost?.()))
  }
  /**
   * A late refusal may concern a report or a candidate of the former call. Such a refusal does not concern the present
   * call.
   */
  function refused({ action, name, additional, session_id = joined ?? undefined }: RefusedSignal) {
    if (action !== 'JOIN_SESSION' || session_id === undefined || session_id !== joined) return
    if (name === 'not_found')
      notify((listener) => listener.onJoinRefused?.({ session_id, refusal: name }))
    else if (name !== 'session_invalid') {
      // An error of the server passes, too: without a join this side would be gone until the call ends.
      const retryAfterSeconds = additional?.retry_after ?? JOIN_AGAIN_SECONDS
      notify((listener) =>
        listener.onJoinDelayed?.({ session_id, in_ms: retryAfterSeconds * 1000 }),
      )
    }
  }

  const socket = openSocket({
    onReady: () => setReady(true),
    onLost: () => setReady(false),
    onEvent(event, payload) {
      const hear = HEARD.get(event)
      if (hear) notify((listener) => hear(listener, payload))
      if (event.startsWith('error_')) refused(payload as RefusedSignal)
    },
  })
  const send = (event: string) => (payload: unknown) => void socket.send(event, payload)

  return {
    port: {
      isReady: () => isReady,
      listen(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      join({ session_id, session_guid }) {
        joined = session_id
        socket.send('JOIN_SESSION', { session_id, session_guid })
      },
      signal: send('WEBRTC_SIGNAL'),
      prepared: send('PREPARED'),
      peerConnected: send('PEER_CONNECTED'),
      peerNotConnected: send('PEER_NOT_CONNECTED'),
      peerState: send('PEER_STATE'),
      log: send('LOG'),
    },
    open: () => socket.open(),
    close() {
      socket.close()
      // The socket does not report a close that the page asked for, and the engine joins only on a socket that became ready again.
      setReady(false)
    },
  }
}

/** The content of an `error_…` event: which message was refused, why, and for which call. */
interface RefusedSignal {
  action?: string
  name?: string
  session_id?: number
  additional?: { retry_after?: number }
}
