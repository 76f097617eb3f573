import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { CallEngine } from './engine.ts'
import { createLocalMedia } from './devices/local-media.ts'
import { FakeEngineClock, settled } from './fakes/fake-clock.ts'
import { FakeDevices } from './fakes/fake-devices.ts'
import { FakeRtc } from './fakes/fake-rtc.ts'
import { createSocketSignaling, type SignalingHandlers } from './signaling/socket-signaling.ts'

const RELAY_ONLY = JSON.stringify({
  iceServers: [{ urls: 'turn:turn.example' }],
  iceTransportPolicy: 'relay',
})

/** An engine whose ports are fakes. Events arrive through the socket only. */
function setUp({ isMetered = false } = {}) {
  const clock = new FakeEngineClock()
  const rtc = new FakeRtc()
  const sent: { event: string; payload: Record<string, unknown> }[] = []
  let handlers!: SignalingHandlers
  const { port } = createSocketSignaling((given) => {
    handlers = given
    return {
      open() {},
      close() {},
      send: (event, payload) =>
        sent.push({ event, payload: payload as Record<string, unknown> }) > 0,
    }
  })
  const devices = new FakeDevices([
    { kind: 'camera', device_id: 'webcam' },
    { kind: 'microphone', device_id: 'mic' },
  ])
  const media = createLocalMedia({ devices, clock, strength: () => 'modest' })
  let changePath = () => {}
  const network = {
    onPathChange(listener: () => void) {
      changePath = listener
      return () => {}
    },
    isMetered: () => isMetered,
  }
  const engine = new CallEngine({
    signaling: port,
    media,
    rtc,
    clock,
    network,
    page: { isPainted: () => true },
  })
  handlers.onReady()
  const meet = (
    session_guid: string,
    turn_params = RELAY_ONLY,
    session_id = 1,
    initiator = false,
  ) => handlers.onEvent('new_peer', { session_id, session_guid, initiator, turn_params })
  const signal = (session_guid: string, type_signal: string, data: unknown = null) =>
    handlers.onEvent('peer_signal', { session_id: 1, session_guid, type_signal, data })
  const sentPayloads = (event: string) =>
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
    handlers,
    engine,
    media,
    meet,
    signal,
    sentPayloads,
    newest,
    flow,
    changePath: () => changePath(),
  }
}

test('uses the ICE servers and the transport policy that the server sent, so that addresses stay hidden', () => {
  const { engine, meet, newest } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  partialDeepStrictEqual(newest().configuration, {
    iceServers: [{ urls: 'turn:turn.example' }],
    iceTransportPolicy: 'relay',
    bundlePolicy: 'max-bundle',
  })
})

test('a picture that stops is a camera that is off only while the sound goes on', async () => {
  const { clock, engine, meet, newest, flow } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  let isHeard = false
  let heard = 0
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      heard += isHeard ? 50 : 0
      newest().stats = [
        { type: 'inbound-rtp', kind: 'video', framesDecoded: 1, packetsReceived: 1 },
        { type: 'inbound-rtp', kind: 'audio', packetsReceived: heard },
      ]
      await clock.pass(1000)
    }
  }
  await pass(4)
  equal(engine.getSnapshot().picture, 'live')
  isHeard = true
  await pass(1)
  equal(engine.getSnapshot().picture, 'still')
  isHeard = false
  await pass(10)
  equal(engine.getSnapshot().picture, 'still')
})

test('opens no connection with ICE servers that cannot be parsed, and logs it', () => {
  const { engine, meet, rtc, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first', 'null')
  meet('first', '{')
  deepEqual(rtc.connections, [])
  equal(sentPayloads('LOG').length, 2)
})

test('logs a connection that the browser cannot open; the call can be ended and another started', () => {
  const { engine, meet, rtc, sentPayloads } = setUp()
  const { openConnection } = rtc
  rtc.openConnection = () => {
    throw new Error('no more connections')
  }
  engine.start({ session_id: 1 })
  meet('first')
  equal(sentPayloads('LOG').length, 1)
  engine.end()
  equal(engine.getSnapshot().phase, 'ended')
  rtc.openConnection = openConnection
  engine.start({ session_id: 2 })
  meet('second', RELAY_ONLY, 2)
  equal(rtc.connections.length, 1)
})

test('reports not connected after 15 s, and a late frame still connects the call', async () => {
  const { engine, meet, clock, sentPayloads, flow } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await clock.pass(15_000)
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'negotiating', trouble: 'not_connected' })
  deepEqual(sentPayloads('PEER_NOT_CONNECTED'), [
    { session_id: 1, session_guid: 'first', reason: 'timeout' },
  ])
  await flow()
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'connected', trouble: null })
})

const offer = (session_guid: string) => ({
  session_id: 1,
  session_guid,
  type_signal: 'offer',
  data: { type: 'offer', sdp: session_guid },
})
const candidate = (session_guid: string, line: string | null = session_guid) => ({
  session_id: 1,
  session_guid,
  type_signal: 'ice-candidate',
  data: line && { candidate: line },
})

test('keeps an offer that arrives before new_peer, and drops one of the former connection', async () => {
  const { engine, meet, handlers, newest, clock } = setUp()
  engine.start({ session_id: 1 })
  handlers.onEvent('peer_signal', offer('former'))
  handlers.onEvent('peer_signal', offer('first'))
  meet('first')
  await clock.pass(0)
  deepEqual(newest().received, [offer('first').data])
})

test('drops signals of another connection', async () => {
  const { engine, meet, handlers, newest, clock } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  handlers.onEvent('peer_signal', offer('former'))
  handlers.onEvent('peer_signal', offer('first'))
  handlers.onEvent('peer_signal', candidate('former', null))
  handlers.onEvent('peer_signal', candidate('first', null))
  await clock.pass(0)
  deepEqual(newest().received, [offer('first').data, null])
})

test('holds candidates that overtake their offer until the offer is set', async () => {
  const { engine, meet, handlers, newest, clock, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  handlers.onEvent('peer_signal', candidate('first', 'relay'))
  handlers.onEvent('peer_signal', candidate('first', null))
  await clock.pass(0)
  deepEqual(newest().received, [])
  handlers.onEvent('peer_signal', offer('first'))
  await clock.pass(0)
  deepEqual(newest().received, [offer('first').data, { candidate: 'relay' }, null])
  deepEqual(sentPayloads('LOG'), [])
})

test('a new_peer of a call that was left opens no connection', () => {
  const { engine, meet, rtc } = setUp()
  engine.start({ session_id: 1 })
  engine.end()
  meet('first')
  engine.start({ session_id: 2 })
  meet('first')
  deepEqual(rtc.connections, [])
})

test('PEER_STATE reports a camera or microphone that is off as not sending', async () => {
  const { engine, media, meet, clock, sentPayloads, flow } = setUp()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), {
    session_guid: 'first',
    audio: true,
    video: true,
    frames_decoded: 1,
  })
  await media.setCamera(false)
  media.setMicrophone(false)
  await clock.pass(2_000)
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), { audio: false, video: false })
})

test('a change of the own devices is reported at once, and a wish for less data with the next report', async () => {
  const { engine, media, meet, flow, clock, sentPayloads } = setUp()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const before = sentPayloads('PEER_STATE').length
  media.setMicrophone(false)
  await clock.pass(0)
  equal(sentPayloads('PEER_STATE').length, before + 1)
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), { audio: false, data_mode: 'full' })
  engine.data_use.want('stills')
  await clock.pass(2_000)
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), { data_mode: 'stills' })
})

test('a weak network is in the report, so that the page of the partner can say whose it is', async () => {
  const { engine, meet, newest, flow, clock, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), { weak: false })
  const slow = { nominated: true, state: 'succeeded', currentRoundTripTime: 2 }
  newest().stats.push({ type: 'candidate-pair', ...slow })
  for (let second = 0; second < 16; second += 1) await clock.pass(1_000)
  partialDeepStrictEqual(engine.getSnapshot(), { weak: true })
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), { weak: true })
})

test('counts the bytes of a call over all its connections, and of the next call from zero', async () => {
  const { engine, meet, newest, flow, clock } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  newest().stats.push({ type: 'transport', bytesSent: 300, bytesReceived: 700 })
  await clock.pass(2_000)
  meet('second')
  await flow()
  newest().stats.push({ type: 'transport', bytesSent: 20, bytesReceived: 0 })
  await clock.pass(2_000)
  equal(engine.data_use.used_bytes, 1020)
  engine.end()
  engine.start({ session_id: 2 })
  equal(engine.data_use.used_bytes, 0)
})

test('sends no reports for the time without signaling', async () => {
  const { engine, meet, handlers, clock, sentPayloads, flow } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const before = sentPayloads('PEER_STATE').length
  handlers.onLost()
  await clock.pass(6_000)
  equal(sentPayloads('PEER_STATE').length, before)
  handlers.onReady()
  meet('first')
  await clock.pass(2_000)
  equal(sentPayloads('PEER_STATE').length, before + 1)
  equal(sentPayloads('PEER_CONNECTED').length, 2)
})

test('opens the next connection early with the ICE servers of an earlier call while they are fresh only', async () => {
  const { engine, meet, clock, rtc } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  engine.start({ session_id: 2, session_guid: 'second', initiator: true })
  equal(rtc.connections.length, 2)
  engine.end()
  await clock.pass(9 * 60_000)
  engine.start({ session_id: 3, session_guid: 'third', initiator: true })
  equal(rtc.connections.length, 2)
})

test('a reloaded page joins without a guid', () => {
  const { engine, meet, rtc, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  engine.end()
  engine.start({ session_id: 1 })
  deepEqual(sentPayloads('JOIN_SESSION').at(-1), { session_id: 1, session_guid: undefined })
  equal(rtc.connections.length, 1)
})

test('restarts ICE at once on a new network', async () => {
  const { engine, meet, newest, flow, changePath } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  changePath()
  equal(newest().ice_restarts, 1)
})

test('end closes the connection, stops the reports and keeps the camera', async () => {
  const { engine, media, meet, clock, newest, flow, sentPayloads } = setUp()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const before = sentPayloads('PEER_STATE').length
  engine.end()
  await clock.pass(10_000)
  equal(newest().connectionState, 'closed')
  equal(sentPayloads('PEER_STATE').length, before)
  equal(media.getSnapshot().camera, 'on')
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'ended', picture: 'none', weak: false })
})

test('the snapshot is the same object until something changes', async () => {
  const { engine, meet, clock, flow } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  await clock.pass(10_000)
  const settled = engine.getSnapshot()
  await clock.pass(5_000)
  equal(engine.getSnapshot(), settled)
})

test('a listener that throws does not keep the call from being ended', () => {
  const { engine, meet, newest } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  engine.subscribe(() => {
    throw new Error('a broken screen')
  })
  engine.end()
  equal(newest().connectionState, 'closed')
})

test('the side that answers sends its voice at once, and its camera after the page of the initiator said that it reaches it', async () => {
  const { engine, media, meet, signal, newest, flow, rtc } = setUp()
  await media.acquire()
  const { audio_track, video_track } = media.getSnapshot()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  deepEqual([newest().sent.audio, newest().sent.video], [audio_track, undefined])
  signal('other', 'reached')
  equal(newest().sent.video, undefined)
  signal('first', 'reached')
  equal(newest().sent.video, video_track)
  meet('second')
  equal(rtc.connections.length, 2)
  equal(newest().sent.video, undefined)
})

test('the initiator sends its camera at once, says once that it reaches the other page, and again after its socket was lost', async () => {
  const { engine, media, meet, signal, newest, flow, sentPayloads } = setUp()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first', RELAY_ONLY, 1, true)
  equal(newest().sent.video, media.getSnapshot().video_track)
  const reached = () =>
    sentPayloads('WEBRTC_SIGNAL').filter(({ type_signal }) => type_signal === 'reached')
  signal('first', 'reached')
  deepEqual(reached(), [])
  await flow()
  newest().become('connected')
  const said = { session_id: 1, session_guid: 'first', type_signal: 'reached', data: null }
  deepEqual(reached(), [said])
  meet('first', RELAY_ONLY, 1, true)
  deepEqual(reached(), [said, said])
})

test('after 5 s without a frame of the partner, one report tells what the own side sent', async () => {
  const { engine, meet, newest, clock, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  newest().become('connected')
  newest().stats = [{ type: 'outbound-rtp', kind: 'video', framesSent: 90 }]
  await clock.pass(14_000)
  equal(sentPayloads('PEER_STATE').length, 1)
  partialDeepStrictEqual(sentPayloads('PEER_STATE')[0], { frames_sent: 90, frames_decoded: 0 })
})

test('leaving stops sending at once, then sends the last counters, then closes', async () => {
  const { engine, media, meet, signal, newest, flow, sentPayloads, clock } = setUp()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  signal('first', 'reached')
  await flow()
  equal(newest().sent.video, media.getSnapshot().video_track)
  const reports = sentPayloads('PEER_STATE').length
  newest().stats = [{ type: 'inbound-rtp', kind: 'video', framesDecoded: 44 }]
  const left = engine.leave()
  deepEqual([newest().sent.video, newest().sent.audio], [null, null])
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'ended', picture: 'none' })
  await left
  equal(newest().connectionState, 'closed')
  equal(sentPayloads('PEER_STATE').length, reports + 1)
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), {
    session_id: 1,
    session_guid: 'first',
    frames_decoded: 44,
    audio: true,
    video: true,
  })
  await clock.pass(10_000)
  equal(sentPayloads('PEER_STATE').length, reports + 1)
})

test('leaving does not wait for statistics that the browser does not give', async () => {
  const { engine, meet, newest, flow, clock } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  newest().getStats = () => new Promise(() => {})
  const left = engine.leave()
  await clock.pass(250)
  await left
  equal(newest().connectionState, 'closed')
})

test('leaving before the first frame reports nothing', async () => {
  const { engine, meet, newest, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await engine.leave()
  deepEqual(sentPayloads('PEER_STATE'), [])
  equal(newest().connectionState, 'closed')
})

test('a call that was left can be started again and gets a new connection', async () => {
  const { engine, meet, newest, flow, rtc } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  await engine.leave()
  engine.start({ session_id: 1 })
  meet('second')
  await flow()
  equal(rtc.connections.length, 2)
  equal(newest().connectionState, 'connected')
  partialDeepStrictEqual(engine.getSnapshot(), { phase: 'connected', session_guid: 'second' })
})

test('a camera that delivers nothing is logged once, is not reported as sending, and its return is logged', async () => {
  const { engine, media, meet, clock, flow, sentPayloads } = setUp()
  await media.acquire()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const track = media.getSnapshot().video_track as unknown as { frames: number }
  track.frames = 1
  await clock.pass(2_250)
  deepEqual(
    sentPayloads('LOG').map(({ text }) => text),
    ['the own camera delivers no frames'],
  )
  equal(sentPayloads('PEER_STATE').at(-1)?.video, false)
  track.frames = 2
  await clock.pass(250)
  equal(sentPayloads('LOG').length, 2)
})

test('where tracks count no frames, a working camera stays open from one connection to the next', async () => {
  const { engine, media, meet, newest, clock, sentPayloads } = setUp()
  await media.acquire()
  const track = media.getSnapshot().video_track
  for (const session_id of [1, 2, 3]) {
    engine.start({ session_id })
    meet(`guid ${session_id}`, RELAY_ONLY, session_id)
    newest().become('connected')
    // Each connection counts the frames that the connection itself took.
    for (let second = 0; second < 20; second += 1) {
      newest().stats = [
        { type: 'inbound-rtp', kind: 'video', framesDecoded: 1, packetsReceived: 1 },
        { type: 'media-source', kind: 'video', frames: 20 + second * 30 },
      ]
      await clock.pass(1_000)
      equal(media.getSnapshot().camera, 'on')
    }
    engine.end()
    await clock.pass(10_000)
  }
  equal(media.getSnapshot().video_track, track)
  ok(sentPayloads('PEER_STATE').every(({ video }) => video === true))
})

test('the last counters of a call that was left belong to it, also when another call begins before they are read', async () => {
  const { engine, meet, flow, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const left = engine.leave()
  engine.start({ session_id: 2 })
  await left
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), {
    session_id: 1,
    session_guid: 'first',
  })
})

test('PEER_STATE counts from the start of each connection', async () => {
  const { engine, meet, newest, flow, sentPayloads } = setUp()
  engine.start({ session_id: 1 })
  meet('first')
  newest().stats = [{ type: 'inbound-rtp', kind: 'video', framesDecoded: 900 }]
  await flow()
  meet('second')
  await flow()
  partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1), {
    session_guid: 'second',
    frames_decoded: 1,
  })
})

test('the element gets a new stream for each partner, and none once it is detached', async () => {
  const { engine, meet, flow } = setUp()
  const element = { srcObject: null as unknown, play: async () => {} }
  const detach = engine.attachRemote(element as unknown as HTMLVideoElement)
  engine.start({ session_id: 1 })
  meet('first')
  await flow()
  const first = element.srcObject
  engine.end()
  ok(element.srcObject !== first)
  equal(element.srcObject, engine.remote_stream)
  const other = { srcObject: null as unknown, play: async () => {} }
  engine.attachRemote(other as unknown as HTMLVideoElement)
  equal(element.srcObject, null)
  detach()
  equal(other.srcObject, engine.remote_stream)
})

const PREPARED = { prepare_id: 'next', session_guid: 'prepared' }

/** A standby connection whose test pictures were sent, received and ended on both sides. */
async function prepare(set: ReturnType<typeof setUp>, initiator = false) {
  const { handlers, newest, clock } = set
  handlers.onEvent('prepare_peer', { ...PREPARED, initiator, turn_params: RELAY_ONLY })
  const connection = newest()
  connection.become('connected')
  connection.frame_ms = 100
  connection.stats = [
    { type: 'inbound-rtp', kind: 'video', framesDecoded: 12, packetsReceived: 12 },
  ]
  await settled()
  await clock.pass(2_000)
  return connection
}

test('a prepared connection sends test pictures only, says so when both have ended, and then sends nothing', async () => {
  const set = setUp()
  const { handlers, media, rtc, newest, clock, sentPayloads } = set
  await media.acquire()
  handlers.onEvent('prepare_peer', { ...PREPARED, initiator: false, turn_params: RELAY_ONLY })
  equal(newest().configuration.iceTransportPolicy, 'relay')
  newest().become('connected')
  await clock.pass(400)
  partialDeepStrictEqual(newest().sent, { video: { is_test: true } })
  equal(rtc.test_pictures, 1)
  await clock.pass(5_000)
  deepEqual(newest().sent, { video: null })
  equal(rtc.test_pictures, 0)
  deepEqual(sentPayloads('PREPARED'), [])
  newest().frame_ms = 6_000
  await clock.pass(1_000)
  deepEqual(sentPayloads('PREPARED'), [{ prepare_id: 'next' }])
  equal(rtc.test_pictures, 0)
})

test('the signals of a preparation name no call', async () => {
  const set = setUp()
  const { handlers, newest, sentPayloads } = set
  handlers.onEvent('prepare_peer', { ...PREPARED, initiator: true, turn_params: RELAY_ONLY })
  await newest().onnegotiationneeded?.()
  partialDeepStrictEqual(sentPayloads('WEBRTC_SIGNAL'), [{ ...PREPARED, type_signal: 'offer' }])
  ok(!('session_id' in sentPayloads('WEBRTC_SIGNAL')[0]!))
  const signal = { ...PREPARED, type_signal: 'offer', data: { type: 'answer', sdp: 'v=0' } }
  handlers.onEvent('peer_signal', { ...signal, prepare_id: 'another' })
  handlers.onEvent('peer_signal', signal)
  await settled()
  equal(newest().received.length, 1)
})

for (const initiator of [true, false])
  test(`a call begins with its prepared connection at once, PEER_CONNECTED waits for new_peer (${initiator ? 'initiator' : 'other side'})`, async () => {
    const set = setUp()
    const { engine, media, meet, rtc, clock, sentPayloads } = set
    await media.acquire()
    const connection = await prepare(set, initiator)
    equal(connection.sent.video, null)
    engine.start({ session_id: 1, initiator, ...PREPARED })
    deepEqual(sentPayloads('JOIN_SESSION'), [{ session_id: 1, session_guid: 'prepared' }])
    const { audio_track, video_track } = media.getSnapshot()
    deepEqual([connection.sent.audio, connection.sent.video], [audio_track, video_track])
    await clock.pass(1_000)
    equal(engine.getSnapshot().phase, 'joining')
    connection.stats = [
      { type: 'inbound-rtp', kind: 'video', framesDecoded: 15, packetsReceived: 20 },
    ]
    connection.frame_ms = 5_000
    await clock.pass(250)
    deepEqual([engine.getSnapshot().phase, sentPayloads('PEER_CONNECTED')], ['connected', []])
    meet('prepared')
    deepEqual(sentPayloads('PEER_CONNECTED'), [{ session_id: 1, session_guid: 'prepared' }])
    equal(rtc.connections.length, 1)
    await settled()
    await clock.pass(2_000)
    partialDeepStrictEqual(sentPayloads('PEER_STATE').at(-1)!, { frames_decoded: 3 })
  })

test('`reached` lets no camera flow before the call', async () => {
  const set = setUp()
  const { handlers, media } = set
  await media.acquire()
  const connection = await prepare(set)
  handlers.onEvent('peer_signal', { ...PREPARED, type_signal: 'reached', data: null })
  equal(connection.sent.video, null)
})

test('a page without the prepared connection of its call joins without a guid and waits for a new one', async () => {
  const set = setUp()
  const { engine, handlers, meet, newest, rtc, sentPayloads } = set
  const connection = await prepare(set)
  handlers.onEvent('prepare_cancelled', { prepare_id: 'another' })
  equal(connection.connectionState, 'connected')
  handlers.onEvent('prepare_cancelled', { prepare_id: 'next' })
  equal(connection.connectionState, 'closed')
  engine.start({ session_id: 1, initiator: false, ...PREPARED })
  equal(sentPayloads('JOIN_SESSION').at(-1)?.session_guid, undefined)
  meet('fresh')
  equal(rtc.connections.length, 2)
  equal(newest().connectionState, 'new')
})

for (const [what, fail] of [
  ['fails', async ({ newest }) => newest().become('failed')],
  ['shows nothing for 5 s', async ({ clock }) => clock.pass(5_000)],
] satisfies [string, (set: ReturnType<typeof setUp>) => Promise<void>][])
  test(`if a prepared connection ${what} before the first picture, the page joins again for a new one`, async () => {
    const set = setUp()
    const { engine, meet, sentPayloads, rtc } = set
    const connection = await prepare(set)
    engine.start({ session_id: 1, initiator: false, ...PREPARED })
    meet('prepared')
    await fail(set)
    equal(connection.connectionState, 'closed')
    equal(sentPayloads('JOIN_SESSION').length, 2)
    equal(sentPayloads('JOIN_SESSION').at(-1)?.session_guid, undefined)
    meet('fresh')
    equal(rtc.connections.length, 2)
    deepEqual(sentPayloads('PEER_NOT_CONNECTED'), [])
  })

test('nothing is prepared on a metered line, and a preparation ends after 30 s, with the next one, with the socket, and with the page', async () => {
  const metered = setUp({ isMetered: true })
  metered.handlers.onEvent('prepare_peer', {
    ...PREPARED,
    initiator: true,
    turn_params: RELAY_ONLY,
  })
  equal(metered.rtc.connections.length, 0)
  const set = setUp()
  const first = await prepare(set)
  await set.clock.pass(30_000)
  equal(first.connectionState, 'closed')
  const second = await prepare(set)
  const third = await prepare(set)
  deepEqual([second.connectionState, third.connectionState], ['closed', 'connected'])
  set.handlers.onLost()
  equal(third.connectionState, 'closed')
  set.handlers.onReady()
  const fourth = await prepare(set)
  set.engine.release()
  equal(fourth.connectionState, 'closed')
})
