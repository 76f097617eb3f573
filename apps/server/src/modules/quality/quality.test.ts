import { deepEqual, equal, ok } from 'node:assert/strict'
import { openApi } from '@duet/protocol/reference/openapi.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import type { QualitySummary } from './rules/summary.ts'

interface CollectorAnswer {
  readonly status: number
  readonly body: {
    readonly error_code?: string
    readonly message?: string
    readonly peer_id?: string
    readonly connection_id?: string
    readonly stats_ms?: number
  }
}

/** A page that reports about a call, as the package does. */
async function createReporter(testApp: TestApp, user: TestUser, session_id: number) {
  const system = await user.get('system')
  const key = system.features.monitoring.key!
  return async function send(
    call: string,
    body: object = {},
    headers: Record<string, string> = {},
  ): Promise<CollectorAnswer> {
    const [method, path] = call.split(' ') as [string, string]
    const response = await fetch(`${testApp.origin}${system.features.monitoring.url}${path}`, {
      method,
      headers: {
        'content-type': 'text/plain',
        'public-key': key,
        'peer-token': user.user.ortc_token,
        ...headers,
      },
      body: JSON.stringify({ sessionId: session_id, peerId: user.id, timestamp: 0, ...body }),
    })
    return { status: response.status, body: (await response.json()) as CollectorAnswer['body'] }
  }
}

const SESSION = { appVersion: '2.0.1', meta: { kind: 'random' } }

/** Statistics as a browser reports them, with the loss of a bad network if `loss` says so. */
function getStats(loss = 0, rtt = 0.05) {
  return {
    audio: {
      inbound: [{ jitter: 0.004, packetLossRate: loss, bitrate: 32_000 }],
      outbound: [{ bitrate: 32_000 }],
    },
    video: {
      inbound: [
        {
          jitter: 0.01,
          packetLossRate: loss,
          bitrate: 900_000,
          framesPerSecond: 30,
          frameHeight: 720,
        },
      ],
      outbound: [{ bitrate: 800_000, framesPerSecond: 30, qualityLimitationReason: 'none' }],
    },
    connection: {
      currentRoundTripTime: rtt,
      local: { candidateType: 'host', protocol: 'udp', address: '192.0.2.7' },
      remote: { candidateType: 'srflx', protocol: 'udp', ip: '198.51.100.9' },
    },
    remote: { audio: { inbound: [] }, video: { inbound: [{ jitter: 0.01, fractionLost: 0 }] } },
  }
}

async function reportingPair(testApp: TestApp, guy: TestUser, girl: TestUser) {
  const call = await inCall(testApp, { guy, girl })
  await call.connect()
  const his = await createReporter(testApp, guy, call.session_id)
  const hers = await createReporter(testApp, girl, call.session_id)
  for (const send of [his, hers]) {
    equal((await send('POST session', SESSION)).status, 200)
    await send('POST rtc-connection', {
      eventName: 'addConnection',
      connectionId: 'c1',
      connectionState: 'connected',
    })
  }
  return { ...call, his, hers }
}

interface Shown {
  readonly guy: { summary: QualitySummary; device: { cores?: number }; opinion: number | null }
  readonly girl: { summary: QualitySummary }
  readonly timeline: { side: string; kind: string; name: string; details: { data?: unknown } }[]
}

async function endCall(testApp: TestApp, guy: TestUser, session_id: number): Promise<Shown> {
  await guy.act('BREAK_SESSION', { session_id })
  await testApp.advance('20 s')
  await testApp.app.jobs.run('quality summaries')
  return testApp.duet<Shown>('quality', session_id)
}

story(
  'both pages report about their call, and the operator sees both sides and the timeline',
  async ({ testApp, boris, anna }) => {
    const { session_id, his, hers } = await reportingPair(testApp, boris, anna)
    const answers = [
      await his('PUT session', { platform: { browser: 'Chrome', major: '131' }, cores: 8 }),
      await his('POST device-event', { eventName: 'tabFocus', data: { focus: true } }),
      await his('POST gum-event', { data: { error: 'NotReadableError: Could not start' } }),
      await his('POST rtc-connection', {
        eventName: 'oniceconnectionstatechange',
        connectionId: 'c1',
        data: 'disconnected',
        delta: 500,
      }),
      await his('POST rtc-connection-batch', {
        events: [
          { eventName: 'addConnection', connectionId: 'c2', peerName: '8', connectionState: 'new' },
          { eventName: 'removeConnection', connectionId: 'c2' },
          {
            eventName: 'onconnectionstatechange',
            connectionId: 'c1',
            data: 'connected',
            timeDelta: 4,
          },
          { eventName: 'onconnectionstatechange', connectionId: 'c1', data: 'on fire' },
        ],
      }),
      await his('POST track', { event: 'ontrack', connectionId: 'c1', trackId: 't1' }),
      await his('PUT track', {
        event: 'ended',
        connectionId: 'c1',
        trackId: 't1',
        data: { check: 'readyState' },
      }),
      await his('POST stats', { connectionId: 'c1', data: getStats(), timeTaken: 3 }),
      await his('POST webrtc-issue', {
        connectionId: 'c1',
        issue: { type: 'network', reason: 'inbound-network-quality', ssrc: 7 },
      }),
      await his('POST webrtc-score', {
        connectionId: 'c1',
        score: { inbound: 4.2, outbound: 4.3 },
      }),
      await his('POST close-session'),
    ]
    deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    await hers('POST stats', { connectionId: 'c1', data: getStats(0.3) })
    const { guy, girl, timeline } = await endCall(testApp, boris, session_id)
    equal(guy.summary.reports, 1)
    ok(guy.summary.score.inbound! > 4, JSON.stringify(guy.summary))
    equal(guy.summary.score.poor_percent, 0)
    deepEqual(
      guy.summary.issues.map((one) => [one.reason, one.times]),
      [['inbound-network-quality', 1]],
    )
    deepEqual(
      guy.summary.network.map((one) => one.change),
      [
        'iceconnectionstatechange: disconnected',
        'connectionstatechange: connected',
        'host/udp - srflx/udp',
      ],
    )
    deepEqual(
      guy.summary.devices.map((one) => one.error),
      ['NotReadableError: Could not start'],
    )
    equal(girl.summary.score.poor_percent, 100)
    equal(guy.device.cores, 8)
    ok(timeline.some(({ side, kind }) => side === 'girl' && kind === 'stats'))
    ok(!JSON.stringify({ guy, timeline }).match(/192\.0\.2|198\.51/), 'no address is stored')
  },
)

story(
  'a forged or foreign session is refused: key, token, user, call',
  async ({ testApp, boris, anna, carl }) => {
    const { session_id, his } = await reportingPair(testApp, boris, anna)
    const foreign = await createReporter(testApp, carl, session_id)
    const code = async (answer: Promise<CollectorAnswer>) => {
      const { status, body } = await answer
      ok(typeof body.message === 'string')
      return `${status} ${body.error_code}`
    }
    equal(await code(his('POST session', SESSION, { 'public-key': 'x' })), '401 invalid_api_key')
    equal(await code(his('POST session', SESSION, { 'peer-token': '' })), '401 missing_token')
    equal(await code(his('POST session', SESSION, { 'peer-token': 'forged' })), '401 invalid_token')
    equal(
      await code(his('POST session', SESSION, { 'peer-token': boris.token! })),
      '401 invalid_token',
    )
    equal(await code(foreign('POST session', SESSION)), '400 session_not_found')
    equal(
      await code(foreign('POST stats', { connectionId: 'c1', data: getStats() })),
      '400 session_not_found',
    )
    equal(
      await code(his('POST stats', { peerId: anna.id, connectionId: 'c1', data: getStats() })),
      '400 participant_not_found',
    )
    equal(await code(his('POST close-session', { sessionId: 999_999 })), '400 session_not_found')
    equal(await code(his('POST close-session', { sessionId: 'x' })), '400 session_not_found')
    equal(
      await code(his('POST stats', { connectionId: 'unknown', data: getStats() })),
      '400 connection_not_found',
    )
    await endCall(testApp, boris, session_id)
    equal(
      await code(his('POST stats', { connectionId: 'c1', data: getStats() })),
      '400 connection_ended',
    )
    equal(await code(his('POST session', SESSION)), '400 session_not_found')
  },
)

story('what is no report is refused and stored nowhere', async ({ testApp, boris, anna }) => {
  const { session_id, his } = await reportingPair(testApp, boris, anna)
  const before = await countEvents(testApp)
  const huge = await his('POST stats', { connectionId: 'c1', data: 'x'.repeat(1024 * 1024) })
  deepEqual([huge.status, huge.body.error_code], [413, 'request_too_large'])
  const long = await his('POST device-event', { eventName: 'custom', data: 'x'.repeat(3000) })
  equal(long.status, 413)
  for (const body of [
    { eventName: 'oniceconnectionstatechange', connectionId: 'c1', data: 'burning' },
    { eventName: 'x'.repeat(200), connectionId: 'c1' },
  ])
    equal((await his('POST rtc-connection', body)).body.error_code, 'invalid_parameters')
  const { key } = (await boris.get('system')).features.monitoring
  const known = { 'public-key': key!, 'peer-token': boris.user.ortc_token }
  // A body is read only after its sender is known.
  for (const [headers, expected] of [
    [known, '400 invalid_parameters'],
    [{}, '401 invalid_api_key'],
  ] as const) {
    const malformed = await fetch(`${testApp.origin}/quality/v1/stats`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body: '{"sessionId":',
    })
    const { error_code } = (await malformed.json()) as CollectorAnswer['body']
    equal(`${malformed.status} ${error_code}`, expected)
  }
  const batch = await his('POST rtc-connection-batch', {
    events: ['c1', 'unknown', 'c1'].map((connectionId) => ({
      eventName: 'onconnectionstatechange',
      connectionId,
      data: 'connected',
    })),
  })
  equal(batch.body.error_code, 'connection_not_found')
  equal(await countEvents(testApp), before)
  equal((await testApp.duet<Shown>('quality', session_id)).timeline.length, before)
})

async function countEvents(testApp: TestApp): Promise<number> {
  return (await testApp.app.db.selectFrom('quality_events').select('event_id').execute()).length
}

story(
  'a page reports twenty times a second, and sixty at once',
  async ({ testApp, boris, anna }) => {
    const { his, hers } = await reportingPair(testApp, boris, anna)
    await testApp.advance('5 s')
    const answers = await together(70, () => his('POST device-event', { eventName: 'tabFocus' }))
    const refused = answers.filter(({ status }) => status === 429)
    equal(refused.length, 10)
    equal(refused[0]!.body.error_code, 'too_many_requests')
    equal((await hers('POST device-event', { eventName: 'tabFocus' })).status, 200)
    await testApp.advance('1 s')
    equal((await his('POST device-event', { eventName: 'tabFocus' })).status, 200)
  },
)

story(
  'the reports of a network take nothing from its other requests',
  async ({ testApp, boris, anna }) => {
    const { his } = await reportingPair(testApp, boris, anna)
    const answers = await together(400, () => his('POST close-session', { sessionId: 'x' }))
    ok(answers.some(({ status }) => status === 429))
    equal((await boris.get('system')).features.monitoring.on, true)
  },
)

story(
  'the record of a side has a bound, and hostile texts are harmless in it',
  async ({ testApp, boris, anna }) => {
    const { session_id, his } = await reportingPair(testApp, boris, anna)
    const hostile = { data: { a: 'one\r\ntwo \u001b[31m \u202e', b: '2001:db8::7 and \ud800' } }
    equal((await his('POST device-event', { eventName: 'custom', ...hostile })).status, 200)
    const { timeline } = await testApp.duet<Shown>('quality', session_id)
    const { data } = timeline.find(({ name }) => name === 'custom')!.details
    deepEqual(data, { a: 'one  two  [31m  ', b: '(address) and \ufffd' })
    await testApp.app.db
      .updateTable('quality_sessions')
      .set({ bytes: 5 * 1024 * 1024 - 10 })
      .execute()
    const full = await his('POST stats', { connectionId: 'c1', data: getStats() })
    deepEqual([full.status, full.body.error_code], [413, 'quota_exceeded'])
  },
)

story(
  'a listed user reports every second, and the reports are kept as they came, without addresses',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('quality_watch_ids', String(boris.id))
    const { session_id, his, hers } = await reportingPair(testApp, boris, anna)
    equal((await his('POST session', SESSION)).body.stats_ms, 1000)
    equal((await hers('POST session', SESSION)).body.stats_ms, undefined)
    for (const send of [his, hers])
      await send('POST stats', { connectionId: 'c1', data: getStats() })
    const reports = await testApp.app.db.selectFrom('quality_reports').selectAll().execute()
    deepEqual(
      reports.map(({ user_id }) => user_id),
      [boris.id],
    )
    const { connection } = reports[0]!.report as ReturnType<typeof getStats>
    deepEqual(connection.local, { candidateType: 'host', protocol: 'udp' })
    const { timeline } = await testApp.duet<Shown>('quality', session_id)
    ok(timeline.some(({ name }) => name === 'rejoined'))
  },
)

story(
  'a user is asked about a bad call, once a day, and one opinion is stored',
  async ({ testApp, boris, anna, clara, carl }) => {
    const first = await reportingPair(testApp, boris, anna)
    for (const loss of [0.4, 0.5])
      await first.his('POST stats', { connectionId: 'c1', data: getStats(loss) })
    await first.hers('POST stats', { connectionId: 'c1', data: getStats() })
    await endCall(testApp, boris, first.session_id)
    const ask = async (user: TestUser, session_id: number) =>
      (await user.post('quality/question', { session_id })).ask
    equal(await ask(anna, first.session_id), false)
    equal(await ask(boris, first.session_id), true)
    equal(await ask(boris, first.session_id), true)
    await carl.isRefused('not_found', () =>
      carl.post('quality/question', { session_id: first.session_id }),
    )
    equal((await first.his('POST webrtc-score', { score: { opinion: 2 } })).status, 200)
    await first.his('POST webrtc-score', { score: { opinion: 5 } })
    equal((await testApp.duet<Shown>('quality', first.session_id)).guy.opinion, 2)
    equal(await ask(boris, first.session_id), false)

    boris.forget()
    const second = await reportingPair(testApp, boris, clara)
    for (const loss of [0.4, 0.5])
      await second.his('POST stats', { connectionId: 'c1', data: getStats(loss) })
    equal(await ask(boris, second.session_id), false)
    await endCall(testApp, boris, second.session_id)
    await testApp.leap('25 h')
    await boris.comeBack()
    equal(await ask(boris, second.session_id), true)
  },
)

story(
  'failures of cameras are recorded, a bounded number of each user, also of guests without a row',
  async ({ testApp, boris, gina }) => {
    for (const user of [boris, gina])
      await user.post('log/camera', {
        device: { labels: ['Logitech\u001b[2J'], kinds: ['videoinput'], error: 'NotFoundError' },
      })
    for (let repeats = 0; repeats < 60; repeats += 1) {
      await testApp.advance('1 s')
      await boris.post('log/camera', { device: { error: 'NotFoundError' } })
    }
    const rows = await testApp.app.db.selectFrom('camera_failures').selectAll().execute()
    equal(rows.filter(({ user_id }) => user_id === boris.id).length, 50)
    deepEqual(rows.find(({ user_id }) => user_id === gina.id)!.labels, ['Logitech [2J'])
    equal(
      await testApp.app.db
        .selectFrom('users')
        .select('id')
        .where('id', '=', gina.id)
        .executeTakeFirst(),
      undefined,
    )
  },
)

story('a failure of a camera with too many bytes is refused', async ({ testApp, boris }) => {
  const labels = Array.from({ length: 50 }, () => '鏡'.repeat(120))
  await boris.isRefused('too_large', () => boris.post('log/camera', { device: { labels } }))
  deepEqual(await testApp.app.db.selectFrom('camera_failures').selectAll().execute(), [])
})

story('months of reports are dropped in time', async ({ testApp, boris, anna }) => {
  const { session_id, his } = await reportingPair(testApp, boris, anna)
  await his('POST stats', { connectionId: 'c1', data: getStats() })
  await endCall(testApp, boris, session_id)
  await testApp.app.jobs.run('month partitions')
  await testApp.leap('100 days')
  await testApp.app.jobs.run('retention')
  equal(await countEvents(testApp), 0)
  equal((await testApp.app.db.selectFrom('quality_sessions').select('user_id').execute()).length, 0)
})

story(
  'a report is taken with the headers that the OpenAPI document names',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const { monitoring } = (await boris.get('system')).features
    const path = `${monitoring.url}session`
    const document = openApi() as OpenApiDocument
    const given: Record<string, string> = { project: monitoring.key!, peer: boris.user.ortc_token }
    const headers = document.paths[path]!.post!.security.flatMap((demanded) =>
      Object.keys(demanded).map((name): [string, string] => {
        const scheme = document.components.securitySchemes[name]!
        equal(scheme.in, 'header')
        return [scheme.name, given[name]!]
      }),
    )
    equal(headers.length, 2)
    const send = (sent: [string, string][]) =>
      fetch(`${testApp.origin}${path}`, {
        method: 'POST',
        headers: [['content-type', 'text/plain'], ...sent],
        body: JSON.stringify({ ...SESSION, sessionId: session_id, peerId: boris.id }),
      })
    equal((await send(headers)).status, 200)
    for (const missing of headers)
      equal((await send(headers.filter((header) => header !== missing))).status, 401)
  },
)

interface OpenApiDocument {
  readonly paths: Record<string, { post?: { security: Record<string, string[]>[] } }>
  readonly components: { readonly securitySchemes: Record<string, { in: string; name: string }> }
}
