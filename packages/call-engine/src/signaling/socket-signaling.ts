import type { NewPeer, PeerSignal, SignalListener, SignalPort } from './signal-port.ts'

/** What `createSignalSocket` of `@duet/client` asks of whoever uses it. */
export interface SignalHearing {
  heard(event: string, payload: unknown): void
  ready(): void
  lost(): void
}

/** The part of its answer that a call needs. Opening and closing stay with whoever knows who is logged in. */
export interface SignalLine {
  send(event: string, payload: unknown): boolean
}

/**
 * The engine's port over the signalling socket: `overSocket((hearing) => createSignalSocket({ …, ...hearing }))`. Gives the
 * opened line back beside the port.
 */
export function overSocket<Line extends SignalLine>(
  open: (hearing: SignalHearing) => Line,
): { port: SignalPort; line: Line } {
  const listeners = new Set<SignalListener>()
  let up = false
  let joined: number | null = null
  const tell = (say: (listener: SignalListener) => void) => {
    for (const listener of [...listeners]) say(listener)
  }
  const turn = (now_up: boolean) => {
    if (up === now_up) return
    up = now_up
    tell((listener) => (up ? listener.back() : listener.lost()))
  }

  const line = open({
    ready: () => turn(true),
    lost: () => turn(false),
    heard(event, payload) {
      if (event === 'new_peer') tell((listener) => listener.newPeer(payload as NewPeer))
      if (event === 'peer_signal') tell((listener) => listener.peerSignal(payload as PeerSignal))
      // It names no call; a page joins one at a time.
      if (event === 'error_305' && joined !== null)
        tell((listener) => listener.joinRefused({ session_id: joined!, code: 305 }))
    },
  })

  const say = (event: string) => (payload: unknown) => {
    line.send(event, payload)
  }
  const port: SignalPort = {
    isUp: () => up,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    join(request) {
      joined = request.session_id
      line.send('JOIN_SESSION', request)
    },
    signal: say('WEBRTC_SIGNAL'),
    peerConnected: say('PEER_CONNECTED'),
    peerNotConnected: say('PEER_NOT_CONNECTED'),
    peerState: say('PEER_STATE'),
    log: say('LOG'),
  }
  return { port, line }
}
