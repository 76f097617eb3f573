import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { overSocket } from './socket-signaling.ts'
import type { SignalHearing } from './socket-signaling.ts'

function socket() {
  const sent: [string, unknown][] = []
  let hearing: SignalHearing | undefined
  const { port } = overSocket((hears) => {
    hearing = hears
    return { send: (event, payload) => sent.push([event, payload]) > 0 }
  })
  const heard: unknown[] = []
  port.listen({
    newPeer: (peer) => heard.push(peer),
    peerSignal: (signal) => heard.push(signal),
    joinRefused: (refusal) => heard.push(refusal),
    lost: () => heard.push('lost'),
    back: () => heard.push('back'),
  })
  return { port, sent, heard, hearing: hearing! }
}

test('the line is up once it is authenticated, and each change is told once', () => {
  const { port, heard, hearing } = socket()
  equal(port.isUp(), false)
  hearing.ready()
  equal(port.isUp(), true)
  hearing.lost()
  hearing.lost()
  hearing.ready()
  deepEqual(heard, ['back', 'lost', 'back'])
})

test('what a call says goes out under the names of the wire', () => {
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

test('a refused join names the call that was joined; other errors are not the call’s', () => {
  const { port, heard, hearing } = socket()
  hearing.heard('error_305', {})
  port.join({ session_id: 7 })
  hearing.heard('error_999', {})
  hearing.heard('error_305', {})
  deepEqual(heard, [{ session_id: 7, code: 305 }])
})
