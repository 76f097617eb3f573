import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { limits } from '@duet/protocol'
import { fetchOffer } from '@duet/testkit/searching.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const RELAY = { TURN_URLS: 'turn:192.0.2.9:3478?transport=udp', TURN_SECRET: 'a-secret-for-tests' }
const tell = story.with({ env: RELAY })

const CANDIDATE = 'candidate:1 1 udp 1 192.0.2.9 50000 typ relay'

/** Both pages have their signaling sockets, and an offer to each other with a preparation. */
async function prepared(guy: TestUser, girl: TestUser) {
  for (const one of [guy, girl]) if (!one.signaling) await one.openSignal()
  const pair_id = await fetchOffer(guy, girl)
  const peer = await guy.signalHeard('prepare_peer')
  const { prepare_id, session_guid } = peer
  return { pair_id, peer, prepare_id, session_guid }
}

function sendCandidate(from: TestUser, ids: { prepare_id: string; session_guid: string }): void {
  from.signal('WEBRTC_SIGNAL', {
    prepare_id: ids.prepare_id,
    session_guid: ids.session_guid,
    type_signal: 'ice-candidate',
    data: { candidate: CANDIDATE },
  })
}

async function acceptBoth(pair_id: string, ...both: TestUser[]) {
  for (const one of both) await one.act('SEARCH_PAIR_ACCEPT', { pair_id })
  const sessions = await Promise.all(both.map((one) => one.heard('new_session')))
  return sessions.map(({ session }) => session)
}

/** The preparation is over for both pages, and nothing is passed on any more. */
async function isOver(
  testApp: TestApp,
  ids: { prepare_id: string; session_guid: string },
  guy: TestUser,
  girl: TestUser,
): Promise<void> {
  await testApp.settle()
  await guy.signalHeard('prepare_cancelled', { prepare_id: ids.prepare_id }, { times: 1 })
  sendCandidate(guy, ids)
  await guy.signalHeard('error_305')
  await girl.signalNotHeard('peer_signal')
}

tell(
  'two users who are offered to each other prepare a connection, and neither page learns who the other is',
  async ({ boris, anna }) => {
    const { peer, ...ids } = await prepared(boris, anna)
    const hers = await anna.signalHeard('prepare_peer', { prepare_id: ids.prepare_id })
    deepEqual([peer.initiator, hers.initiator], [true, false])
    equal(hers.session_guid, ids.session_guid)
    equal(JSON.parse(hers.turn_params).iceTransportPolicy, 'relay')
    for (const one of [boris, anna])
      await one.heard('search_pair', { prepare_id: ids.prepare_id }, { times: 1 })
    sendCandidate(boris, ids)
    const signal = await anna.signalHeard('peer_signal', {}, { times: 1 })
    deepEqual(Object.keys(signal).toSorted(), ['data', 'prepare_id', 'session_guid', 'type_signal'])
    deepEqual(Object.keys(hers).toSorted(), [
      'initiator',
      'prepare_id',
      'session_guid',
      'turn_params',
    ])
    // The only user that a page is told of is its own, as the name of its credential.
    const { iceServers } = JSON.parse(hers.turn_params)
    ok(iceServers[0].username.endsWith(`:${anna.id}`))
  },
)

tell('a preparation passes on candidates of the relay only', async ({ boris, anna }) => {
  const { prepare_id, session_guid } = await prepared(boris, anna)
  for (const candidate of [
    'candidate:1 1 udp 1 203.0.113.7 50000 typ host',
    'candidate:1 1 udp 1 203.0.113.7 50000 typ srflx raddr 10.0.0.1 rport 9',
    `${CANDIDATE} raddr 203.0.113.7 rport 9`,
  ])
    boris.signal('WEBRTC_SIGNAL', {
      prepare_id,
      session_guid,
      type_signal: 'ice-candidate',
      data: { candidate },
    })
  const { data } = await anna.signalHeard('peer_signal', {}, { times: 1 })
  deepEqual(data, { candidate: `${CANDIDATE} raddr 0.0.0.0 rport 9` })
})

tell(
  'the call of a prepared pair begins with the prepared connection',
  async ({ boris, anna, testApp }) => {
    const { pair_id, prepare_id, session_guid } = await prepared(boris, anna)
    for (const one of [boris, anna]) one.signal('PREPARED', { prepare_id })
    await testApp.settle()
    const [his, hers] = await acceptBoth(pair_id, boris, anna)
    for (const session of [his!, hers!])
      deepEqual([session.prepare_id, session.session_guid], [prepare_id, session_guid])
    for (const one of [boris, anna])
      one.signal('JOIN_SESSION', { session_id: his!.id, session_guid })
    for (const one of [boris, anna])
      await one.signalHeard('new_peer', { session_id: his!.id, session_guid }, { times: 1 })
    await boris.signalNotHeard('prepare_cancelled')
    // From here on only signals of the call are passed on.
    sendCandidate(boris, { prepare_id, session_guid })
    await boris.signalHeard('error_305')
  },
)

for (const [who, first] of [
  ['first', 0],
  ['last', 1],
] as const)
  tell(
    `both start a new connection if the page that joins ${who} has lost the prepared one`,
    async ({ boris, anna, testApp }) => {
      const { pair_id, prepare_id, session_guid } = await prepared(boris, anna)
      for (const one of [boris, anna]) one.signal('PREPARED', { prepare_id })
      await testApp.settle()
      const [{ id: session_id } = { id: 0 }] = await acceptBoth(pair_id, boris, anna)
      for (const [index, one] of [boris, anna].entries()) {
        one.signal('JOIN_SESSION', { session_id, ...(index !== first && { session_guid }) })
        await testApp.settle()
      }
      const peer = await boris.signalHeard('new_peer', {}, { times: 1 })
      notEqual(peer.session_guid, session_guid)
      await anna.signalHeard('new_peer', { session_guid: peer.session_guid }, { times: 1 })
    },
  )

tell(
  'a pair of which one page is not ready connects as without a preparation',
  async ({ boris, anna, testApp }) => {
    const { pair_id, prepare_id, session_guid } = await prepared(boris, anna)
    boris.signal('PREPARED', { prepare_id })
    await testApp.settle()
    const [his] = await acceptBoth(pair_id, boris, anna)
    equal(his!.prepare_id, undefined)
    notEqual(his!.session_guid, session_guid)
    await anna.signalHeard('prepare_cancelled', { prepare_id }, { times: 1 })
  },
)

const ENDINGS: Record<
  string,
  (parts: {
    testApp: TestApp
    boris: TestUser
    anna: TestUser
    pair_id: string
  }) => Promise<unknown>
> = {
  'a decline': ({ anna, pair_id }) => anna.act('SEARCH_PAIR_REJECT', { pair_id }),
  'the end of the offer': ({ testApp }) => testApp.advance('10 s'),
  'leaving the search': ({ anna }) => anna.act('OUT_FROM_SEARCH', {}),
  'a block': ({ anna, boris }) => anna.act('BLOCK_USER', { user_id: boris.id }),
  'a ban': ({ testApp, anna }) =>
    testApp.duet('ban', anna.id, '--reason', 'foreign_account', '--comment', 'Not herself'),
  'a log-out': ({ anna }) => anna.act('LOGOUT', {}),
  'another tab': ({ anna }) => anna.inAnotherTab(),
}
for (const [name, end] of Object.entries(ENDINGS))
  tell(
    `${name} ends the preparation, and late signals are refused`,
    async ({ testApp, boris, anna }) => {
      const { pair_id, ...ids } = await prepared(boris, anna)
      await end({ testApp, boris, anna, pair_id })
      await isOver(testApp, ids, boris, anna)
    },
  )

tell(
  'a preparation lasts 30 seconds at most, however long the offer lasts',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('settings', 'set', 'offer_seconds', 60)
    const ids = await prepared(boris, anna)
    await testApp.advance(`${limits.prepare_seconds - 1} s`)
    await boris.signalNotHeard('prepare_cancelled')
    await testApp.advance('1 s')
    await isOver(testApp, ids, boris, anna)
  },
)

tell(
  'a user outside of a preparation can neither use it nor find out that it exists',
  async ({ testApp, boris, anna, carl }) => {
    const ids = await prepared(boris, anna)
    await carl.openSignal()
    sendCandidate(carl, ids)
    const { message } = await carl.signalHeard('error_305', {}, { times: 1 })
    carl.signal('PREPARED', { prepare_id: ids.prepare_id })
    carl.signal('PREPARED', { prepare_id: crypto.randomUUID() })
    await carl.signalHeard('error_305', { message }, { times: 3 })
    sendCandidate(boris, { ...ids, session_guid: crypto.randomUUID() })
    await testApp.settle()
    await anna.signalNotHeard('peer_signal')
  },
)

tell('a restart of the server ends every preparation', async ({ testApp, boris, anna }) => {
  const ids = await prepared(boris, anna)
  await testApp.crash()
  await boris.comeBack()
  await boris.openSignal()
  boris.signal('PREPARED', { prepare_id: ids.prepare_id })
  await boris.signalHeard('error_305')
})

tell('a preparation costs nothing and is no meeting', async ({ testApp, boris, anna }) => {
  const count = async () => [
    (await testApp.app.db.selectFrom('meetings').selectAll().execute()).length,
    (await testApp.app.db.selectFrom('video_sessions').selectAll().execute()).length,
    await testApp.app.db.selectFrom('free_quotas').selectAll().execute(),
  ]
  const before = await count()
  const { prepare_id } = await prepared(boris, anna)
  for (const one of [boris, anna]) one.signal('PREPARED', { prepare_id })
  await anna.act('OUT_FROM_SEARCH', {})
  await testApp.settle()
  deepEqual(await count(), before)
})

story(
  'without a relay nothing is prepared, unless the operator allows direct preparations',
  async ({ testApp, boris, anna }) => {
    for (const one of [boris, anna]) await one.openSignal()
    const pair_id = await fetchOffer(boris, anna)
    ok(!('prepare_id' in (await boris.heard('search_pair'))))
    await boris.signalNotHeard('prepare_peer')
    await anna.act('SEARCH_PAIR_REJECT', { pair_id })
    await testApp.duet('settings', 'set', 'prepare_direct', 'on')
    await testApp.duet('settings', 'set', 'rematch_minutes', 0)
    await boris.act('OUT_FROM_SEARCH', {})
    await prepared(boris, anna)
  },
)

tell(
  'a page that opens its signaling socket during the offer is prepared then, and again when it comes back',
  async ({ boris, anna }) => {
    await boris.openSignal()
    await fetchOffer(boris, anna)
    await boris.signalNotHeard('prepare_peer')
    await anna.openSignal()
    const first = await boris.signalHeard('prepare_peer', {}, { times: 1 })
    await anna.signalHeard('prepare_peer', { prepare_id: first.prepare_id }, { times: 1 })
    await anna.openSignal()
    await boris.signalHeard('prepare_cancelled', { prepare_id: first.prepare_id }, { times: 1 })
    await boris.signalHeard('prepare_peer', {}, { times: 2 })
    await anna.signalHeard('prepare_peer', {}, { times: 1 })
  },
)

tell(
  'above the limit of preparations a pair connects as before',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('settings', 'set', 'preparations_max', 0)
    for (const one of [boris, anna]) await one.openSignal()
    const pair_id = await fetchOffer(boris, anna)
    await boris.signalNotHeard('prepare_peer')
    const [his] = await acceptBoth(pair_id, boris, anna)
    equal(his!.prepare_id, undefined)
  },
)
