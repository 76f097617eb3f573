import { deepEqual, equal, ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const MEGABYTE = 1024 * 1024

/** Every call of the collector, with a body that is right in an open record. */
const CALLS: Readonly<Record<string, object>> = {
  'POST session': { appVersion: '2.0.1' },
  'PUT session': { cores: 8 },
  'POST close-session': {},
  'POST device-event': { eventName: 'tabFocus' },
  'POST gum-event': { data: {} },
  'POST rtc-connection': { eventName: 'addConnection', connectionId: 'c1' },
  'POST rtc-connection-batch': {
    events: [{ eventName: 'onnegotiationneeded', connectionId: 'c1' }],
  },
  'POST stats': { connectionId: 'c1', data: {} },
  'POST track': { event: 'ontrack', connectionId: 'c1', trackId: 't1' },
  'PUT track': { event: 'mute', connectionId: 'c1', trackId: 't1' },
  'POST webrtc-issue': { connectionId: 'c1', issue: { type: 'network', reason: 'unknown' } },
  'POST webrtc-score': { connectionId: 'c1', score: { inbound: 4 } },
}

async function send(
  testApp: TestApp,
  { id, user }: TestUser,
  call: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<[status: number, code: string | undefined]> {
  const { key, url } = (await testApp.user('a page').get('system')).features.monitoring
  const [method, path] = call.split(' ')
  const response = await fetch(`${testApp.origin}${url}${path}`, {
    method: method!,
    headers: {
      'content-type': 'text/plain',
      'public-key': key!,
      'peer-token': user.ortc_token,
      ...headers,
    },
    body: JSON.stringify({ peerId: id, timestamp: 0, ...body }),
  })
  const { error_code } = (await response.json()) as { error_code?: string }
  return [response.status, error_code]
}

/** All that is stored of reports: a forged report changes nothing of it. */
async function stored({ app: { db } }: TestApp) {
  const [sessions, events, reports] = await Promise.all([
    db
      .selectFrom('quality_sessions')
      .selectAll()
      .orderBy('session_id')
      .orderBy('user_id')
      .execute(),
    db.selectFrom('quality_events').selectAll().orderBy('event_id').execute(),
    db.selectFrom('quality_reports').selectAll().execute(),
  ])
  return { sessions, events, reports }
}

story(
  'no call of the collector takes a report for the call of others, for another user, or for no call',
  async ({ testApp, boris, anna, carl, clara }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const others = await inCall(testApp, { guy: carl, girl: clara })
    for (const user of [boris, anna])
      for (const call of ['POST session', 'POST rtc-connection'])
        deepEqual(await send(testApp, user, call, { sessionId: session_id, ...CALLS[call] }), [
          200,
          undefined,
        ])
    const before = await stored(testApp)
    for (const [call, body] of Object.entries(CALLS)) {
      const refused = async (
        expected: string,
        user: TestUser,
        given: object,
        headers?: Record<string, string>,
      ) => {
        const [status, code] = await send(testApp, user, call, { ...body, ...given }, headers)
        equal(`${status} ${code}`, expected, `${call} ${JSON.stringify(given)}`)
        await testApp.advance('1 s')
      }
      for (const sessionId of [session_id, 999_999_999, -1, 'x', '1e3'])
        await refused('400 session_not_found', carl, { sessionId })
      await refused('400 invalid_parameters', carl, { sessionId: 1.5 })
      for (const sessionId of [others.session_id, 0])
        await refused('400 session_not_found', boris, { sessionId })
      // The token decides who the sender is, also for a body that a partner has sent before.
      await refused('400 participant_not_found', boris, { sessionId: session_id, peerId: anna.id })
      await refused('400 participant_not_found', carl, { sessionId: session_id, peerId: boris.id })
      for (const token of [boris.token!, String(boris.user.fs_token), `${boris.user.ortc_token}x`])
        await refused(
          '401 invalid_token',
          boris,
          { sessionId: session_id },
          { 'peer-token': token },
        )
      const padding = 'x'.repeat(MEGABYTE)
      await refused('413 request_too_large', boris, { sessionId: session_id, data: padding })
    }
    deepEqual(await stored(testApp), before)
  },
)

story(
  'a report that is sent again begins no second record, and is refused after the summary of the call',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const report = (call: string) =>
      send(testApp, boris, call, { sessionId: session_id, ...CALLS[call] })
    for (const call of ['POST session', 'POST rtc-connection', 'POST stats'])
      deepEqual(await report(call), [200, undefined])
    const [first] = (await stored(testApp)).sessions
    await testApp.advance('2 s')
    await together(5, () => report('POST session'))
    const { sessions } = await stored(testApp)
    equal(sessions.length, 1)
    deepEqual(
      [sessions[0]!.began_at, sessions[0]!.connections, sessions[0]!.reports],
      [first!.began_at, ['c1'], 1],
    )
    await boris.act('BREAK_SESSION', { session_id })
    await testApp.advance('20 s')
    await testApp.app.jobs.run('quality summaries')
    const before = await stored(testApp)
    for (const call of Object.keys(CALLS)) {
      const [status, code] = await report(call)
      ok(
        status === 400 && ['connection_ended', 'session_not_found'].includes(code!),
        `${call} ${code}`,
      )
      await testApp.advance('1 s')
    }
    deepEqual(await stored(testApp), before)
  },
)
