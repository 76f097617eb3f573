import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { registeredCall } from '../call-registry.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'

/** Both have accepted, and neither page has joined yet. */
async function opened(testApp: TestApp, guy: TestUser, girl: TestUser) {
  const pair_id = crypto.randomUUID()
  const from = { guy_from_search: true, girl_from_search: true, free_start: true }
  await testApp.app.transact((tx) =>
    tx.publish('pair_accepted', {
      pair_id,
      kind: 'random',
      guy_id: guy.id,
      girl_id: girl.id,
      ...from,
    }),
  )
  return (await guy.heard('new_session')).session
}

story('a call that neither page joins ends as not connected', async ({ testApp, boris, anna }) => {
  const { id: session_id } = await opened(testApp, boris, anna)
  await testApp.advance('14 s')
  await boris.notHeard('close_session')
  await testApp.advance('1 s')
  await boris.heard('close_session', { session_id, reason: 'not_connected', spent: '0' })
  await anna.heard('close_session', { session_id, reason: 'not_connected' })
})

story(
  'the first page to join waits for the other, also with the current guid',
  async ({ testApp, boris, anna }) => {
    const { id: session_id, session_guid } = await opened(testApp, boris, anna)
    for (const one of [boris, anna]) await one.openSignal()
    boris.signal('JOIN_SESSION', { session_id, session_guid })
    await boris.signalNotHeard('new_peer')
    anna.signal('JOIN_SESSION', { session_id })
    await boris.signalHeard('new_peer', { session_guid }, { times: 1 })
    await anna.signalHeard('new_peer', { session_guid }, { times: 1 })
  },
)

story(
  'if one page reloaded during a restart, both start a new connection, whichever page joins first',
  async ({ testApp, boris, anna }) => {
    const { session_id, session_guid, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await testApp.crash()
    for (const one of [boris, anna]) {
      await one.comeBack()
      await one.openSignal()
    }
    boris.signal('JOIN_SESSION', { session_id })
    await boris.signalNotHeard('new_peer')
    anna.signal('JOIN_SESSION', { session_id, session_guid })
    const fresh = await boris.signalHeard('new_peer', {}, { times: 1 })
    notEqual(fresh.session_guid, session_guid)
    await anna.signalHeard('new_peer', { session_guid: fresh.session_guid }, { times: 1 })
  },
)

story(
  'signals are buffered for a page whose new signaling socket has not joined yet',
  async ({ testApp, boris, anna }) => {
    const { session_id, session_guid, connect, talk } = await inCall(testApp, {
      guy: boris,
      girl: anna,
    })
    await connect()
    await talk(2)
    // The server does not know yet that the old socket is lost: the network failed without a close frame.
    await anna.openSignal()
    await boris.heard('meter', { phase: 'paused', why: 'gone' })
    const candidate = { candidate: 'candidate:1 1 udp 1 192.0.2.1 9 typ host' }
    boris.signal('WEBRTC_SIGNAL', {
      session_id,
      session_guid,
      type_signal: 'ice-candidate',
      data: candidate,
    })
    await anna.signalNotHeard('peer_signal')
    anna.signal('JOIN_SESSION', { session_id, session_guid })
    await anna.signalHeard('new_peer', { session_guid })
    await anna.signalHeard('peer_signal', { type_signal: 'ice-candidate' }, { times: 1 })
  },
)

story(
  'a party without a main socket is not present in a call',
  async ({ testApp, boris, anna }) => {
    const { session_id, session_guid, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    anna.wire!.drop()
    await boris.heard('meter', { phase: 'paused', why: 'gone' })
    anna.signal('JOIN_SESSION', { session_id, session_guid })
    await anna.signalHeard('error_102')
    await testApp.advance('11 s')
    await boris.heard('close_session', { session_id, reason: 'partner_lost' })
  },
)

story(
  'log lines of pages are limited in number and deleted in time',
  async ({ testApp, boris, anna }) => {
    await inCall(testApp, { guy: boris, girl: anna })
    for (let line = 0; line < 61; line += 1)
      boris.signal('LOG', { level: 'info', text: `line ${line}` })
    await boris.signalHeard('error_601', {}, { times: 1 })
    const lines = async () =>
      (await testApp.app.db.selectFrom('session_logs').select('id').execute()).length
    equal(await lines(), 60)
    await testApp.app.jobs.run('retention')
    equal(await lines(), 60)
    await testApp.setting('session_log_days', '7')
    await testApp.leap('8 days')
    await testApp.app.jobs.run('retention')
    equal(await lines(), 0)
  },
)

story(
  'texts are accepted at writing speed and refused beyond it',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    for (let burst = 0; burst < 2; burst += 1) {
      await together(30, (at) =>
        boris.act('TEXT_CHAT_MESSAGE', { session_id, id: `${burst} ${at}`, text: 'hi' }),
      )
      await testApp.advance('2 s')
    }
    await together(4, (at) =>
      boris.act('TEXT_CHAT_MESSAGE', { session_id, id: `last ${at}`, text: 'hi' }),
    )
    await boris.isRefused('too_many', () =>
      boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'more', text: 'hi' }),
    )
  },
)

const CANDIDATE = 'candidate:1 1 udp 1 203.0.113.7 9 typ host'

interface Ids {
  readonly session_id: number
  readonly session_guid: string
}

const getCandidate = (port: number) => CANDIDATE.replace(' 9 ', ` ${port} `)

function sendCandidate(from: TestUser, { session_id, session_guid }: Ids, port: number): void {
  from.signal('WEBRTC_SIGNAL', {
    session_id,
    session_guid,
    type_signal: 'ice-candidate',
    data: { candidate: getCandidate(port) },
  })
}

/** Signals of the guy arrive while the girl's JOIN_SESSION waits for the row of the call. */
async function whileJoining(
  testApp: TestApp,
  { guy, girl, ids, ports }: { guy: TestUser; girl: TestUser; ids: Ids; ports: number[] },
): Promise<void> {
  const client = await testApp.database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from video_sessions for update')
  const { session_id, session_guid } = ids
  girl.signal('JOIN_SESSION', { session_id, session_guid })
  const { signals } = registeredCall(testApp.app, session_id)!
  while (!signals.joined.girl) await new Promise((resolve) => setImmediate(resolve))
  for (const port of ports) sendCandidate(guy, ids, port)
  // Events of one socket keep their order: after this refusal all signals before it were handled.
  guy.signal('PEER_CONNECTED', { session_id: 999_999, session_guid })
  await guy.signalHeard('error_305')
  await client.query('commit')
  client.release()
  await testApp.settle()
}

function heardInOrder(one: TestUser): string[] {
  return one
    .signaling!.heard.filter(({ event }) => event !== 'auth_success')
    .map(({ event, payload }) =>
      event === 'peer_signal' ? (payload.data as { candidate: string }).candidate : event,
    )
}

story(
  'no signal overtakes new_peer and the buffered signals of a page that joins',
  async ({ testApp, boris, anna }) => {
    const { id: session_id, session_guid } = await opened(testApp, boris, anna)
    const ids = { session_id, session_guid }
    for (const one of [boris, anna]) await one.openSignal()
    boris.signal('JOIN_SESSION', ids)
    sendCandidate(boris, ids, 1)
    await testApp.settle()
    await whileJoining(testApp, { guy: boris, girl: anna, ids, ports: [2, 3] })
    deepEqual(heardInOrder(anna), ['new_peer', getCandidate(1), getCandidate(2), getCandidate(3)])
  },
)

story(
  'a page that joins again gets later signals behind the buffered ones',
  async ({ testApp, boris, anna }) => {
    const ids = await inCall(testApp, { guy: boris, girl: anna })
    await ids.connect()
    await anna.openSignal()
    await testApp.settle()
    sendCandidate(boris, ids, 1)
    await testApp.settle()
    await whileJoining(testApp, { guy: boris, girl: anna, ids, ports: [2] })
    deepEqual(heardInOrder(anna), ['new_peer', getCandidate(1), getCandidate(2)])
  },
)

story(
  'a call gets six fresh guids a minute, then a page without its guid is refused until there is one',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    anna.forget()
    for (let joins = 0; joins < 20; joins += 1) boris.signal('JOIN_SESSION', { session_id })
    for (let joins = 0; joins < 20; joins += 1) anna.signal('JOIN_SESSION', { session_id })
    await testApp.settle()
    const guids = new Set(
      anna
        .signaling!.heard.filter(({ event }) => event === 'new_peer')
        .map(({ payload }) => payload.session_guid),
    )
    equal(guids.size, 6)
    const { additional, action, ...error } = await boris.signalHeard('error_601')
    deepEqual([action, error.session_id], ['JOIN_SESSION', session_id])
    ok((additional.retry_after as number) <= 10)
    await testApp.advance('10 s')
    boris.forget()
    boris.signal('JOIN_SESSION', { session_id })
    const { session_guid } = await boris.signalHeard('new_peer')
    equal(guids.has(session_guid), false)
  },
)

story(
  'a refusal on the signaling socket names the call of the refused event',
  async ({ testApp, boris, anna }) => {
    const { session_id, session_guid } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id })
    anna.signal('PEER_CONNECTED', { session_id, session_guid })
    deepEqual(
      { ...(await anna.signalHeard('error_305')), message: '', additional: {} },
      {
        code: 305,
        name: 'not_found',
        message: '',
        additional: {},
        action: 'PEER_CONNECTED',
        session_id,
      },
    )
    anna.signal('LOG', { level: 'info', text: 'é'.repeat(1025) })
    equal((await anna.signalHeard('error_900')).session_id, undefined)
    await testApp.settle()
  },
)

const withRelay = story.with({
  env: { TURN_URLS: 'turn:192.0.2.9:3478?transport=udp', TURN_SECRET: 'turn-secret-for-tests' },
})

withRelay(
  'a credential of the relay is made for the user, whatever the connection',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    boris.signal('JOIN_SESSION', { session_id })
    await testApp.settle()
    const names = boris
      .signaling!.heard.filter(({ event }) => event === 'new_peer')
      .map(({ payload }) => {
        const { iceServers } = JSON.parse(payload.turn_params as string) as {
          iceServers: { username: string }[]
        }
        return iceServers[0]!.username.split(':')[1]
      })
    deepEqual(names, [String(boris.id), String(boris.id)])
  },
)

withRelay(
  'with a relay only candidates with its address reach the other page',
  async ({ testApp, boris, anna }) => {
    const { session_id, session_guid } = await inCall(testApp, { guy: boris, girl: anna })
    for (const candidate of [
      CANDIDATE,
      'candidate:1 1 udp 1 192.168.1.10 445 typ relay',
      'candidate:1 1 udp 1 192.0.2.9 50000 typ relay raddr 203.0.113.7 rport 9',
    ])
      boris.signal('WEBRTC_SIGNAL', {
        session_id,
        session_guid,
        type_signal: 'ice-candidate',
        data: { candidate },
      })
    const { data } = await anna.signalHeard('peer_signal', {}, { times: 1 })
    deepEqual(data, {
      candidate: 'candidate:1 1 udp 1 192.0.2.9 50000 typ relay raddr 0.0.0.0 rport 9',
    })
  },
)
