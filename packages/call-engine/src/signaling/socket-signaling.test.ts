import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createSocketSignaling, type SignalingHandlers } from './socket-signaling.ts'

function socket() {
  const sent: [string, unknown][] = []
  const calls: string[] = []
  let handlers: SignalingHandlers | undefined
  const signaling = createSocketSignaling((given) => {
    handlers = given
    return {
      open: () => void calls.push('open'),
      close: () => void calls.push('close'),
      send: (event, payload) => sent.push([event, payload]) > 0,
    }
  })
  const received: unknown[] = []
  signaling.port.listen({
    onNewPeer: (peer) => received.push(peer),
    onPeerSignal: (signal) => received.push(signal),
    onJoinRefused: (refusal) => received.push(refusal),
    onJoinDelayed: (delay) => received.push(delay),
    onLost: () => received.push('lost'),
    onReady: () => received.push('ready'),
  })
  return { ...signaling, sent, calls, received, handlers: handlers! }
}

test('the port is ready once the socket is authenticated, and reports each change once', () => {
  const { port, received, handlers } = socket()
  equal(port.isReady(), false)
  handlers.onReady()
  equal(port.isReady(), true)
  handlers.onLost()
  handlers.onLost()
  handlers.onReady()
  deepEqual(received, ['ready', 'lost', 'ready'])
})

test('closing the socket is reported as lost, so that the next opening joins again', () => {
  const { open, close, calls, received, handlers } = socket()
  open()
  handlers.onReady()
  close()
  deepEqual(calls, ['open', 'close'])
  deepEqual(received, ['ready', 'lost'])
})

test('messages of a call are sent under the names of the wire', () => {
  const { port, sent } = socket()
  const running = { session_id: 1, session_guid: 'guid' }
  port.join({ session_id: 1 })
  port.signal({ ...running, type_signal: 'ice-candidate', data: null })
  port.peerConnected(running)
  port.peerNotConnected({ ...running, reason: 'timeout' })
  port.peerState({
    ...running,
    frames_decoded: 1,
    frames_sent: 1,
    reports_received: 1,
    audio: true,
    video: true,
  })
  port.log({ level: 'warn', text: 'odd' })
  deepEqual(
    sent.map(([event]) => event),
    ['JOIN_SESSION', 'WEBRTC_SIGNAL', 'PEER_CONNECTED', 'PEER_NOT_CONNECTED', 'PEER_STATE', 'LOG'],
  )
})

const NOT_FOUND = { name: 'not_found', action: 'JOIN_SESSION' }

test('a join that failed in the server is repeated after two seconds', () => {
  const { port, received, handlers } = socket()
  port.join({ session_id: 7 })
  handlers.onEvent('error_999', { name: 'internal', action: 'JOIN_SESSION' })
  handlers.onEvent('error_102', { name: 'session_invalid', action: 'JOIN_SESSION' })
  deepEqual(received, [{ session_id: 7, in_ms: 2_000 }])
})

test('a refused join names the call that was joined', () => {
  const { port, received, handlers } = socket()
  handlers.onEvent('error_305', NOT_FOUND)
  port.join({ session_id: 7 })
  handlers.onEvent('error_305', NOT_FOUND)
  handlers.onEvent('error_305', { ...NOT_FOUND, session_id: 7 })
  const refused = { session_id: 7, refusal: 'not_found' }
  deepEqual(received, [refused, refused])
})

test('a late refusal of a message of the former call does not end the present call', () => {
  const { port, received, handlers } = socket()
  port.join({ session_id: 6 })
  port.join({ session_id: 7 })
  for (const action of ['PEER_STATE', 'WEBRTC_SIGNAL', 'PEER_CONNECTED'])
    handlers.onEvent('error_305', { name: 'not_found', action })
  handlers.onEvent('error_305', { ...NOT_FOUND, session_id: 6 })
  deepEqual(received, [])
})

test('a join that came too often is delayed by the time that the server names', () => {
  const { port, received, handlers } = socket()
  port.join({ session_id: 7 })
  const tooMany = { name: 'too_many', additional: { retry_after: 12 } }
  handlers.onEvent('error_601', { ...tooMany, action: 'JOIN_SESSION', session_id: 7 })
  handlers.onEvent('error_601', { ...tooMany, action: 'PEER_STATE', session_id: 7 })
  deepEqual(received, [{ session_id: 7, in_ms: 12_000 }])
})
