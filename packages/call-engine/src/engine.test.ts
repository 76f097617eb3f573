import { deepEqual, equal, partialDeepStrictEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { CallEngine } from './engine.ts'
import { createLocalMedia } from './devices/local-media.ts'
import { FakeClock } from './fakes/fake-clock.ts'
import { FakeDevices } from './fakes/fake-devices.ts'
import { FakeRtc } from './fakes/fake-rtc.ts'
import { overSocket } from './signaling/socket-signaling.ts'
import type { SignalHearing } from './signaling/socket-signaling.ts'

const RELAY_ONLY = JSON.stringify({
  iceServers: [{ urls: 'turn:turn.example' }],
  iceTransportPolicy: 'relay',
})

/** An engine in a world of fakes; the socket is the only way in. */
function world() {
  const clock = new FakeClock()
  const rtc = new FakeRtc()
  const sent: { event: string; payload: Record<string, unknown> }[] = []
  let hearing!: SignalHearing
  const { port } = overSocket((hears) => {
    hearing = hears
    return {
      send: (event, payload) =>
        sent.push({ event, payload: payload as Record<string, unknown> }) > 0,
    }
  })
  const devices = new FakeDevices([
    { kind: 'camera', device_id: 'webcam' },
    { kind: 'microphone', device_id: 'mic' },
  ])
  const media = createLocalMedia({ devices, strength: () => 'modest' })
  let changePath = () => {}
  const network = {
    onPathChange(listener: () => void) {
      changePath = listener
      return () => {}
    },
  }
  const engine = new CallEngine({ signal: port, media, rtc, clock, network })
  hearing.ready()
  const meet = (session_guid: string, turn_params = RELAY_ONLY, session_id = 1) =>
    hearing.heard('new_peer', { session_id, session_guid, initiator: false, turn_params })
  const told = (event: string) =>
    sent.filter((each) => each.event === event).map(({ payload }) => payload)
  const newest = () => rtc.connections.at(-1)!
  /** Both voices and pictures flow. */
  const flow = async () => {
    newest().become('connected')
    newest().stats = [{ type: 'inbound-rtp', kind: 'video', framesDecoded: 1, packetsReceived: 1 }]
    await clock.pass(250)
  }
  return {
    clock,
    rtc,
    sent,
    hearing,
    engine,
    media,
    meet,
    told,
    newest,
    flow,
    changePath: () => changePath(),
  }
}

test('the servers and the policy of the server are used: nobody’s address is shown against its will', () => {
  const { engine, meet, newest } = world()
  engine.start({ session_id: 1 })
  meet('first')
  partialDeepStrictEqual(newest().configuration, {
    iceServers: [{ urls: 'turn:turn.example' }],
    iceTransportPolicy: 'relay',
    bundlePolicy: 'max-bundle',
  })
})

test('servers that cannot be read open no connection, and it is said', () => {
  const { engine, meet, rtc, told } = world()
  engine.start({ session_id: 1 })
  meet('first', 'null')
  meet('first', '{')
  deepEqual(rtc.connections, [])
  equal(told('LOG').length, 2)
})

test('a browser that cannot open a connection says so, and the call can still be ended and another begun', () => {
  const { engine, meet, rtc, told } = world()
  const { openConnection } = rtc
  rtc.openConnection = () => {
    throw new Error('no more connections')
  }
  engine.start({ session_id: 1 })
  meet('first')
  equal(told('LOG').length, 1)
  engine.end()
  equal(engine.getSnapshot().phase, 'ended')
  rtc.openConnection = openConnection
  engine.start({ session_id: 2 })
  meet('second', RELAY_ONLY, 2)
  equal(rtc.connections.length, 1)
})

test('the call is not connected after 15 s, which the server is told, and a late frame still makes it one', async () => {
  const { engine, meet, clock, told, flow } = world()
  engine.start({ session_id: 1 })
  meet('first')
  await clock.pass(15_000)
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'negotiating', trouble: 'not_connected' })
  deepEqual(told('PEER_NOT_CONNECTED'), [
    { session_id: 1, session_guid: 'first', reason: 'timeout' },
  ])
  await flow()
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'connected', trouble: null })
})

test('an offer that overtakes new_peer is not lost, and one of the former connection stays away', async () => {
  const { engine, meet, hearing, newest, clock } = world()
  const answer = (session_guid: string) =>
    hearing.heard('peer_signal', {
      session_id: 1,
      session_guid,
      type_signal: 'ice-candidate',
      data: { candidate: session_guid },
    })
  engine.start({ session_id: 1 })
  answer('former')
  answer('first')
  meet('first')
  await clock.pass(0)
  deepEqual(newest().received, [{ candidate: 'first' }])
})

test('signals of another connection are dropped', async () => {
  const { engine, meet, hearing, newest, clock } = world()
  engine.start({ session_id: 1 })
  meet('first')
  const candidate = (session_guid: string) => ({
    session_id: 1,
    session_guid,
    type_signal: 'ice-candidate',
    data: null,
  })
  hearing.heard('peer_signal', candidate('former'))
  hearing.heard('peer_signal', candidate('first'))
  await clock.pass(0)
  deepEqual(newest().received, [null])
})

test('a new_peer of a call that was left opens nothing', () => {
  const { engine, meet, rtc } = world()
  engine.start({ session_id: 1 })
  engine.end()
  meet('first')
  engine.start({ session_id: 2 })
  meet('first')
  deepEqual(rtc.connections, [])
})

test('what is sent is told truly: a camera that is off or held back is not sending', async () => {
  const { engine, media, meet, clock, told, flow } = world()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  partialDeepStrictEqual(told('PEER_STATE').at(-1), {
    session_guid: 'first',
    audio: true,
    video: true,
    frames_decoded: 1,
  })
  await media.setCamera(false)
  media.setMicrophone(false)
  await clock.pass(2_000)
  partialDeepStrictEqual(told('PEER_STATE').at(-1), { audio: false, video: false })
})

test('no report is made up for the time without signalling', async () => {
  const { engine, meet, hearing, clock, told, flow } = world()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const before = told('PEER_STATE').length
  hearing.lost()
  await clock.pass(6_000)
  equal(told('PEER_STATE').length, before)
  hearing.ready()
  meet('first')
  await clock.pass(2_000)
  equal(told('PEER_STATE').length, before + 1)
  equal(told('PEER_CONNECTED').length, 2)
})

test('servers of an earlier call begin the next one early while they are fresh, and are not used when they are old', async () => {
  const { engine, meet, clock, rtc } = world()
  engine.start({ session_id: 1 })
  meet('first')
  engine.start({ session_id: 2, session_guid: 'second', initiator: true })
  equal(rtc.connections.length, 2)
  engine.end()
  await clock.pass(9 * 60_000)
  engine.start({ session_id: 3, session_guid: 'third', initiator: true })
  equal(rtc.connections.length, 2)
})

test('a reloaded page waits for the guid that the server draws', () => {
  const { engine, meet, rtc, told } = world()
  engine.start({ session_id: 1 })
  meet('first')
  engine.end()
  engine.start({ session_id: 1 })
  deepEqual(told('JOIN_SESSION').at(-1), { session_id: 1, session_guid: undefined })
  equal(rtc.connections.length, 1)
})

test('a new network is acted on at once', async () => {
  const { engine, meet, newest, flow, changePath } = world()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  changePath()
  equal(newest().ice_restarts, 1)
})

test('the end closes the connection, stops the reports and keeps the camera', async () => {
  const { engine, media, meet, clock, newest, flow, told } = world()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const before = told('PEER_STATE').length
  engine.end()
  await clock.pass(10_000)
  equal(newest().connectionState, 'closed')
  equal(told('PEER_STATE').length, before)
  equal(media.getSnapshot().camera, 'on')
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'ended', picture: 'none', weak: false })
})

test('the snapshot is the same object until something changes', async () => {
  const { engine, meet, clock, flow } = world()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  await clock.pass(5_000)
  const settled = engine.getSnapshot()
  await clock.pass(5_000)
  equal(engine.getSnapshot(), settled)
})
