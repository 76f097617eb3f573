import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { inCall } from '@duet/testkit/in-call.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { relayOnly } from './relay-only.ts'

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
    await testApp.advance('20 s')
    await testApp.setting('session_log_days', '0')
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

test('with a relay, no forwarded signal contains an address of either page', () => {
  const of = { session_id: 1, session_guid: crypto.randomUUID() }
  const relay = 'candidate:1 1 udp 1 192.0.2.9 3478 typ relay'
  const trickled = (candidate: string) =>
    relayOnly({ ...of, type_signal: 'ice-candidate', data: { candidate, sdpMid: '0' } }, true)?.data
  deepEqual(trickled(`${relay} raddr 203.0.113.7 rport 40000 generation 0`), {
    candidate: `${relay} raddr 0.0.0.0 rport 9 generation 0`,
    sdpMid: '0',
  })
  equal(trickled('candidate:2 1 udp 1 203.0.113.7 40000 typ host'), undefined)
  equal(
    trickled('candidate:3 1 udp 1 203.0.113.7 40000 typ srflx raddr 10.0.0.2 rport 40000'),
    undefined,
  )
  const sdp = [
    'v=0',
    'c=IN IP6 2001:db8::7',
    'a=rtcp:40000 IN IP4 203.0.113.7',
    'a=candidate:2 1 udp 1 203.0.113.7 40000 typ host',
    `a=${relay} raddr 203.0.113.7 rport 40000`,
  ].join('\r\n')
  const passed = relayOnly({ ...of, type_signal: 'offer', data: { type: 'offer', sdp } }, true)
  deepEqual(passed?.data, {
    type: 'offer',
    sdp: `v=0\r\nc=IN IP4 0.0.0.0\r\na=rtcp:40000 IN IP4 0.0.0.0\r\na=${relay} raddr 0.0.0.0 rport 9`,
  })
})
