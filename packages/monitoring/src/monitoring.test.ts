import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { FakeCollector, FakePeerConnection, fakeTrack } from './fakes/fake-browser.ts'
import recorded from './fakes/chromium-call.json' with { type: 'json' }
import { createIssueJudge } from './issue-judge.ts'
import { Monitoring } from './monitoring.ts'
import type { MonitoringOptions } from './validation.ts'

const OPTIONS: MonitoringOptions = { publicKey: 'key-1', userId: 7, getStatsInterval: 7000 }

function create(options: Partial<MonitoringOptions> = {}, environment: object = {}) {
  const collector = new FakeCollector()
  const monitoring = new Monitoring({ ...OPTIONS, ...options }, {
    ...collector.environment,
    ...environment,
  } as never)
  return { monitoring, collector }
}

async function withConnection(options: Partial<MonitoringOptions> = {}) {
  const { monitoring, collector } = create(options)
  await monitoring.initialize({ sessionId: 12 })
  const pc = new FakePeerConnection()
  await monitoring.addConnection({ pc: pc.asBrowser(), peerId: '8', connectionId: 'c1' })
  return { monitoring, collector, pc }
}

const pc = () => new FakePeerConnection().asBrowser()
const CREATED: readonly [string, object, object, string][] = [
  ['no key', { publicKey: '' }, {}, 'publicKey is required'],
  ['no user', { userId: '' }, {}, 'userId is required'],
  ['a version of another type', { appVersion: 2 }, {}, 'appVersion must be a string'],
  ['a long version', { appVersion: 'x'.repeat(17) }, {}, 'appVersion must have a max length of 16'],
  ['meta of another type', { meta: 'x' }, {}, 'The meta attribute should be of type object'],
  [
    'much meta',
    { meta: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } },
    {},
    'Argument meta should only have a maximum of 5 attributes',
  ],
  ['an interval', { getStatsInterval: 1.5 }, {}, 'getStatsInterval should be an integer, got: 1.5'],
  ['no browser', {}, { isBrowser: false }, 'The SDK is meant to be used in a browser.'],
  [
    'no calls',
    {},
    { RTCPeerConnection: undefined },
    "This device doesn't seem to support RTCPeerConnection or getUserMedia",
  ],
  [
    'no cameras',
    {},
    { hasGetUserMedia: false },
    "This device doesn't seem to support RTCPeerConnection or getUserMedia",
  ],
  ['no fetch', {}, { fetch: undefined }, "This device doesn't seem to support the fetch API."],
]

for (const [name, options, environment, message] of CREATED)
  test(`the constructor refuses with its sentence: ${name}`, () => {
    throws(() => create(options, environment), { message })
  })

test('the constructor refuses with its sentence what is no object', () => {
  for (const options of [undefined, null, 'key', []])
    throws(() => new Monitoring(options as never, new FakeCollector().environment), {
      message: 'Invalid argument. Expected object, got something else.',
    })
})

const ADDED: readonly [string, unknown, string][] = [
  ['no object', undefined, 'Argument for addConnection() should be an object.'],
  ['no pc', { peerId: '8' }, "Missing argument 'pc' or is not of instance RTCPeerConnection"],
  [
    'another pc',
    { pc: {}, peerId: '8' },
    "Missing argument 'pc' or is not of instance RTCPeerConnection",
  ],
  ['no peer', { pc: pc() }, 'Missing argument peerId'],
  [
    'an id of another type',
    { pc: pc(), peerId: '8', connectionId: 3 },
    'connectionId must be a string.',
  ],
  ['a name of another type', { pc: pc(), peerId: '8', peerName: 3 }, 'peerName should be a string'],
]

for (const [name, options, message] of ADDED)
  test(`addConnection refuses with its sentence: ${name}`, async () => {
    await rejects(create().monitoring.addConnection(options as never), { message })
  })

test('addConnection refuses the first Edge, and what is watched already', async () => {
  const edge = create({}, { RTCIceGatherer: class {} })
  await rejects(edge.monitoring.addConnection({ pc: pc(), peerId: '8' }), {
    message: "Can't monitor peers in Edge at this time.",
  })
  const { monitoring, pc: known } = await withConnection()
  await rejects(monitoring.addConnection({ pc: known.asBrowser(), peerId: '8' }), {
    message: 'We are already monitoring peer with id 8.',
  })
  await rejects(monitoring.addConnection({ pc: pc(), peerId: '8', connectionId: 'c1' }), {
    message: 'We are already monitoring connection with id c1.',
  })
})

const CALLED: readonly [string, (monitoring: Monitoring) => unknown, string][] = [
  [
    'removeConnection without arguments',
    (one) => one.removeConnection({}),
    'Missing arguments. You need to either send pc or a connectionId.',
  ],
  [
    'removeConnection with an id of another type',
    (one) => one.removeConnection({ connectionId: 3 as never }),
    'connectionId must be a string.',
  ],
  [
    'removeConnection with another pc',
    (one) => one.removeConnection({ pc: {} as never }),
    'pc must be an instance of RTCPeerConnection.',
  ],
  [
    'removeConnection of an unknown one',
    (one) => one.removeConnection({ connectionId: 'c9' }),
    'Could not find the desired connection.',
  ],
  [
    'removePeer with another type',
    (one) => one.removePeer(3 as never),
    'Argument for removePeer() should be a string.',
  ],
  ['removePeer of an unknown one', (one) => one.removePeer('9'), 'Could not find peer with id 9'],
  [
    'addEvent without an object',
    (one) => one.addEvent('x' as never),
    'Parameter for addEvent() should be an object.',
  ],
  [
    'addEvent with a long name',
    (one) => one.addEvent({ eventName: 'x'.repeat(120) }),
    'eventName should be shorter than 120.',
  ],
  [
    'addEvent with a long body',
    (one) => one.addEvent({ text: 'x'.repeat(3000) }),
    'Custom event body size limit reached.',
  ],
  [
    'addEvent with a circle',
    (one) => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      one.addEvent(circle)
    },
    'Custom event is not serializable.',
  ],
]

for (const [name, call, message] of CALLED)
  test(`refuses with its sentence: ${name}`, () => {
    throws(() => call(create().monitoring), { message })
  })

test('a session begins with the version, then the device is sent; every body names session and peer', async () => {
  const { collector } = await withConnection({ appVersion: '2.0.1', meta: { kind: 'direct' } })
  const [first, ...rest] = collector.sent
  deepEqual(first!.body, {
    sessionId: '12',
    peerId: '7',
    timestamp: 0,
    delta: 0,
    appVersion: '2.0.1',
    meta: { kind: 'direct' },
  })
  equal(first!.headers['Public-Key'], 'key-1')
  equal(first!.headers['Content-Type'], 'text/plain')
  ok(rest.some(({ name }) => name === 'PUT session'))
  ok(collector.sent.every(({ body }) => body.sessionId === '12' && body.peerId === '7'))
})

test('events before the session are held, and sent after it with their age', async () => {
  const { monitoring, collector } = create()
  monitoring.addEvent({ eventName: 'early' })
  await collector.advance(3000)
  deepEqual(collector.sent, [])
  await monitoring.initialize({ sessionId: 12 })
  await collector.settle()
  const event = collector.find('POST device-event')!
  deepEqual(event.body.data, { eventName: 'early' })
  equal(event.body.delta, 3000)
})

test('events before the connection is confirmed are held, and sent under the id of the collector', async () => {
  const { monitoring, collector } = create()
  await monitoring.initialize({ sessionId: 12 })
  const connection = new FakePeerConnection()
  const answer = collector.holdNext('POST rtc-connection')
  const added = monitoring.addConnection({ pc: connection.asBrowser(), peerId: '8' })
  await collector.settle()
  connection.become('connected')
  await collector.advance(2500)
  equal(collector.list('POST rtc-connection').length, 1)
  answer({ peer_id: '7', connection_id: 'theirs' })
  deepEqual(await added, { connectionId: 'theirs' })
  await collector.settle()
  const state = collector.list('POST rtc-connection')[1]!.body
  deepEqual(
    [state.eventName, state.data, state.connectionId],
    ['onconnectionstatechange', 'connected', 'theirs'],
  )
  equal(state.delta, 2500)
})

test('a connection that is added before the session is announced in it, with its events behind it', async () => {
  const { monitoring, collector } = create()
  const connection = new FakePeerConnection()
  const added = monitoring.addConnection({
    pc: connection.asBrowser(),
    peerId: '8',
    connectionId: 'own',
  })
  connection.become('connected')
  await collector.advance(3000)
  deepEqual(collector.sent, [])
  await monitoring.initialize({ sessionId: 12 })
  deepEqual(await added, { connectionId: 'own' })
  await collector.settle()
  deepEqual(
    collector.list('POST rtc-connection').map(({ body }) => body.eventName),
    ['addConnection', 'onconnectionstatechange'],
  )
})

test('a recorded call of Chromium is reported with its statistics, its score and no issue', async () => {
  const { monitoring, collector } = create({}, { createJudge: createIssueJudge })
  await monitoring.initialize({ sessionId: 12 })
  const connection = new FakePeerConnection()
  await monitoring.addConnection({ pc: connection.asBrowser(), peerId: '8' })
  connection.become('connected')
  for (const entries of recorded.reports) {
    connection.stats = new Map(entries.map((entry) => [entry.id, entry]))
    await collector.advance(7000)
  }
  equal(collector.list('POST stats').length, recorded.reports.length)
  const scores = collector.list('POST webrtc-score').map(({ body }) => body)
  ok(scores.length > 0, JSON.stringify(collector.sent.map(({ name }) => name)))
  deepEqual(collector.list('POST webrtc-issue'), [])
})

test('an event between two sessions belongs to none', async () => {
  const { monitoring, collector } = await withConnection()
  await monitoring.close()
  monitoring.addEvent({ eventName: 'late' })
  await monitoring.initialize({ sessionId: 13 })
  monitoring.addEvent({ eventName: 'on time' })
  await collector.settle()
  deepEqual(
    collector.list('POST device-event').map(({ body }) => body.data),
    [{ eventName: 'on time' }],
  )
})

test('without a session, or after its end, nothing is sent', async () => {
  const { monitoring, collector, pc: connection } = await withConnection()
  await monitoring.close()
  const before = collector.sent.length
  equal(collector.sent.at(-1)!.name, 'POST close-session')
  monitoring.addEvent({ eventName: 'late' })
  monitoring.mute()
  connection.become('failed')
  await collector.advance(60_000)
  equal(collector.sent.length, before)
})

test('a refused session stops everything, and throws nothing', async () => {
  const { monitoring, collector } = create()
  collector.refuseNext('POST session', 401, 'invalid_api_key')
  await monitoring.initialize({ sessionId: 12 })
  await monitoring.addConnection({ pc: pc(), peerId: '8' })
  await collector.advance(20_000)
  deepEqual(
    collector.sent.map(({ name }) => name),
    ['POST session'],
  )
})

test('if adding a connection fails, it is removed and the error is thrown', async () => {
  const { monitoring, collector } = create()
  await monitoring.initialize({ sessionId: 12 })
  collector.refuseNext('POST rtc-connection', 500, 'unknown_error')
  const connection = pc()
  await rejects(monitoring.addConnection({ pc: connection, peerId: '8' }), /500 unknown_error/)
  throws(() => monitoring.removeConnection({ pc: connection }), {
    message: 'Could not find the desired connection.',
  })
})

test('a connection is closed when its own state or that of ICE is closed: reported within a second, then removed', async () => {
  for (const field of ['connectionState', 'iceConnectionState'] as const) {
    const { monitoring, collector, pc: connection } = await withConnection()
    connection[field] = 'closed'
    await collector.advance(1000)
    const last = collector.list('POST rtc-connection').at(-1)!.body
    deepEqual([last.eventName, last.data], ['onconnectionstatechange', 'closed'])
    throws(() => monitoring.removePeer('8'), { message: 'Could not find peer with id 8' })
    await collector.advance(30_000)
    equal(collector.find('POST stats'), undefined)
  }
})

test('a track that ended without an event is found within a second, once', async () => {
  const { collector, pc: connection } = await withConnection()
  const track = fakeTrack('t1')
  connection.dispatch('track', { track })
  await collector.settle()
  equal(collector.find('POST track')!.body.event, 'ontrack')
  track.readyState = 'ended'
  await collector.advance(5000)
  deepEqual(
    collector.list('PUT track').map(({ body }) => [body.event, body.trackId, body.data]),
    [['ended', 't1', { check: 'readyState' }]],
  )
})

test('statistics are sent each seven seconds, or as often as the collector asks; the default is one second', async () => {
  const product = await withConnection()
  await product.collector.advance(21_000)
  equal(product.collector.list('POST stats').length, 3)
  const plain = await withConnection({ getStatsInterval: undefined })
  await plain.collector.advance(5000)
  equal(plain.collector.list('POST stats').length, 5)
  const watched = create()
  watched.collector.answerNext('POST session', { stats_ms: 1000 })
  await watched.monitoring.initialize({ sessionId: 12 })
  await watched.monitoring.addConnection({ pc: pc(), peerId: '8' })
  await watched.collector.advance(4000)
  equal(watched.collector.list('POST stats').length, 4)
})

test('what the judge finds is sent: each issue, and a score that changed', async () => {
  const { collector } = await withConnection()
  collector.verdict = {
    issues: [{ type: 'network', reason: 'inbound-network-quality' }],
    score: { inbound: 4.2, outbound: 4 },
  }
  await collector.advance(14_000)
  equal(collector.list('POST webrtc-issue').length, 2)
  equal(collector.list('POST webrtc-score').length, 1)
  collector.verdict = { issues: [], score: { inbound: 2, outbound: 4 } }
  await collector.advance(7000)
  deepEqual(collector.list('POST webrtc-score').at(-1)!.body.score, { inbound: 2, outbound: 4 })
})

test('batches are off; switched on, events are sent together half a second after the last', async () => {
  const off = await withConnection()
  off.pc.become('connected')
  await off.collector.settle()
  equal(off.collector.list('POST rtc-connection').length, 2)
  const on = await withConnection({ batchConnectionEvents: true })
  on.pc.become('connected')
  await on.collector.advance(400)
  on.pc.become('disconnected')
  await on.collector.advance(499)
  equal(on.collector.find('POST rtc-connection-batch'), undefined)
  await on.collector.advance(1)
  const { events } = on.collector.find('POST rtc-connection-batch')!.body as {
    events: { data: string; timeDelta: number; connectionId: string }[]
  }
  deepEqual(
    events.map(({ data, timeDelta, connectionId }) => [data, timeDelta, connectionId]),
    [
      ['connected', 900, 'c1'],
      ['disconnected', 500, 'c1'],
    ],
  )
  on.pc.become('connected')
  await on.collector.advance(500)
  equal(on.collector.list('POST rtc-connection').at(-1)!.body.timeDelta, 500)
})

test('statistics are repeated after 1, 2, 4 … seconds while the collector fails, other events are not', async () => {
  const { monitoring, collector } = await withConnection({ getStatsInterval: 100_000 })
  collector.down = 503
  monitoring.addEvent({ eventName: 'lost' })
  await collector.advance(100_000)
  const tries = () => collector.list('POST stats').length
  equal(tries(), 1)
  for (const [seconds, expected] of [
    [1, 2],
    [2, 3],
    [4, 4],
  ] as const) {
    await collector.advance(seconds * 1000)
    equal(tries(), expected)
  }
  equal(collector.list('POST device-event').length, 1)
  collector.down = undefined
  await collector.advance(8000)
  equal(collector.list('POST stats').at(-1)!.body.delta, 15_000)
})

test('muting the microphone is an event of its own', async () => {
  const { monitoring, collector } = await withConnection()
  monitoring.mute()
  monitoring.unmute()
  await collector.settle()
  deepEqual(
    collector
      .list('POST device-event')
      .map(({ body }) => (body.data as { eventName: string }).eventName),
    ['mute', 'unmute'],
  )
})
