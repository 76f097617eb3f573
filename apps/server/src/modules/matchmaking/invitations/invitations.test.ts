import { deepEqual, equal, ok } from 'node:assert/strict'
import { after } from 'node:test'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { callFacts } from '@duet/testkit/messenger.ts'
import { openPushService } from '@duet/testkit/stand-ins/push-service.ts'
import { fetchOffer, fetchState } from '@duet/testkit/searching.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { createWebPush, newPushKeys } from '../../../integrations/push/web-push.ts'
import { ledgerCheck } from '../../ledger/index.ts'
import { getActivity } from '../../presence/index.ts'

const service = await openPushService()
after(() => service.close())
const push = createWebPush({
  keys: newPushKeys(),
  subject: 'mailto:operator@duet.example',
  hosts: [service.host],
  agent: service.agent,
})
const pushStory = story.with({ push })

async function give(testApp: TestApp, guy: TestUser, minutes = 10): Promise<void> {
  await testApp.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
}
const invite = (caller: TestUser, callee: TestUser, random_id?: string) =>
  caller.act('INVITE_TO_CHAT', { user_id: callee.id, ...(random_id && { random_id }) })

/** The guy has money, and calls the girl. */
async function ring(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<string> {
  await give(testApp, guy)
  const { pair_id } = await invite(guy, girl)
  await girl.heard('search_pair', { pair_id })
  return pair_id
}
const accept = (user: TestUser, pair_id: string) => user.act('SEARCH_PAIR_ACCEPT', { pair_id })
const reject = (user: TestUser, pair_id: string) => user.act('SEARCH_PAIR_REJECT', { pair_id })
const closed = (user: TestUser, pair_id: string, reason: string) =>
  user.heard('search_pair_closed', { pair_id, reason }, { times: 1 })
const openRows = ({ app }: TestApp) =>
  app.db.selectFrom('invitations').selectAll().where('state', '=', 'open').execute()
const canCall = async (caller: TestUser, callee: TestUser) =>
  (await caller.get('can_call', { user_id: callee.id })).name

story(
  'a call rings at both for thirty seconds, each with the role and the own price',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris)
    const answer = await invite(boris, anna)
    equal(answer.expires_in_ms, 30_000)
    const his = await boris.heard('search_pair', { kind: 'direct', role_in_call: 'caller' })
    const hers = await anna.heard('search_pair', { kind: 'direct', role_in_call: 'callee' })
    deepEqual(
      [his.pair_id, hers.pair_id, his.state, his.price, hers.price, his.free_seconds],
      [answer.pair_id, answer.pair_id, 'private', '1.5', '125', 10],
    )
    await testApp.advance('29 s')
    await anna.notHeard('search_pair_closed')
    await testApp.advance('1 s')
    for (const one of [boris, anna]) await closed(one, answer.pair_id, 'expired')
    await anna.isRefused('pair_over', () => accept(anna, answer.pair_id))
  },
)

story(
  'an accepted call is private, paid from the tenth second without quota, and its receipt says so',
  async ({ testApp, boris, anna }) => {
    const pair_id = await ring(testApp, boris, anna)
    await boris.isRefused('pair_over', () => accept(boris, pair_id))
    await together(3, () => accept(anna, pair_id))
    const { session } = await boris.heard('new_session', {}, { times: 1 })
    const hers = (await anna.heard('new_session', {}, { times: 1 })).session
    deepEqual(
      [session.state, session.quota_seconds, session.paid_after, session.price, hers.price],
      ['private', 0, 10, '1.5', '125'],
    )
    await anna.isRefused('pair_over', () => reject(anna, pair_id))
    await boris.isRefused('in_call', () => invite(boris, anna))
    deepEqual(await openRows(testApp), [])
  },
)

story(
  'a direct call of a hundred seconds costs ninety private seconds',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris)
    const call = await inCall(testApp, { guy: boris, girl: anna, kind: 'direct' })
    await call.connect()
    await call.talk(100)
    const { quota_seconds, free_seconds, paid_seconds, spent } = await boris.act('BREAK_SESSION', {
      session_id: call.session_id,
    })
    deepEqual([quota_seconds, free_seconds, paid_seconds, spent], [0, 10, 90, '2.25'])
  },
)

story(
  'declining and withdrawing end the ring at both, and the same caller waits a minute',
  async ({ testApp, boris, anna }) => {
    const first = await ring(testApp, boris, anna)
    await reject(anna, first)
    for (const one of [boris, anna]) await closed(one, first, 'declined')
    const { retry_after } = await boris.isRefused('too_many', () => invite(boris, anna))
    equal(retry_after, 60)
    await testApp.advance('60 s')
    const second = (await invite(boris, anna)).pair_id
    await reject(boris, second)
    for (const one of [boris, anna]) await closed(one, second, 'cancelled')
    await testApp.advance('60 s')
    await reject(anna, (await invite(boris, anna)).pair_id)
    await testApp.advance('60 s')
    const hour = await boris.isRefused('too_many', () => invite(boris, anna))
    equal(hour.retry_after, 3600 - 180)
    // Another user may call her, and she may call him.
    await invite(anna, boris)
  },
)

story(
  'a missed call is an entry of the dialog, a notice, and nothing for the caller',
  async ({ testApp, boris, anna }) => {
    await ring(testApp, boris, anna)
    await testApp.advance('30 s')
    const { message, count_new_messages } = await anna.heard('messenger_message')
    deepEqual(
      [message.type, message.sender_id, callFacts(message), count_new_messages],
      ['call', boris.id, { kind: 'private', seconds: 0, missed: true }, 1],
    )
    const { items } = await anna.get('notices')
    deepEqual(
      items.map(({ kind, user }) => [kind, user?.nick]),
      [['missed_call', 'Boris']],
    )
    const his = await boris.heard('messenger_message', {}, { times: 1 })
    equal(his.count_new_messages, 0)
    ok((await boris.get('notices')).items.every(({ kind }) => kind !== 'missed_call'))
    const history = await anna.get('history_chats')
    deepEqual(
      history.items.map(({ session_id, missed, reason }) => [session_id, missed, reason]),
      [[null, true, 'expired']],
    )
  },
)

story(
  'rings that are withdrawn at once write nothing to the callee, and their number a day is limited',
  async ({ testApp, boris, anna, vera, clara }) => {
    await testApp.setting('unanswered_rings_a_day', '2')
    await give(testApp, boris)
    for (const girl of [anna, vera]) {
      await reject(boris, await ring(testApp, boris, girl))
      await testApp.settle()
      await girl.notHeard('messenger_message')
      deepEqual((await girl.get('notices')).items, [])
      deepEqual((await girl.get('history_chats')).items, [])
    }
    equal((await boris.get('history_chats')).items.length, 2)
    const { retry_after } = await boris.isRefused('too_many', () => invite(boris, clara))
    equal(retry_after, 86_400)
    await testApp.leap('1 day')
    await boris.comeBack()
    await clara.comeBack()
    await ring(testApp, boris, clara)
  },
)

story(
  'a call that was declined, or cut by a restart, is not missed',
  async ({ testApp, boris, anna }) => {
    await reject(anna, await ring(testApp, boris, anna))
    await testApp.settle()
    await testApp.advance('60 s')
    const { pair_id } = await invite(boris, anna)
    await testApp.crash()
    const row = await testApp.app.db
      .selectFrom('invitations')
      .select(['state', 'reason', 'missed'])
      .where('pair_id', '=', pair_id)
      .executeTakeFirstOrThrow()
    deepEqual(row, { state: 'closed', reason: 'cancelled', missed: false })
    deepEqual(
      await testApp.app.db.selectFrom('messages').select('id').where('type', '=', 'call').execute(),
      [],
    )
    for (const one of [boris, anna]) equal((await one.comeBack()).search?.pair, undefined)
    await invite(boris, anna)
  },
)

story(
  'a call takes its caller out of search, and the caller cannot search while it rings',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris)
    await boris.act('MATCH_AWAIT', {})
    await invite(boris, anna)
    await boris.heard('search_state', { state: 'idle' })
    deepEqual(await boris.isRefused('in_call', () => boris.act('MATCH_AWAIT', {})), { who: 'you' })
    // Her search goes on.
    equal((await anna.act('MATCH_AWAIT', {})).state, 'waiting')
  },
)

story(
  'a call accepted during a search, an offer or a public call ends them in the same moment',
  async ({ testApp, boris, carl, anna, vera }) => {
    const pair_id = await ring(testApp, boris, anna)
    await anna.act('MATCH_AWAIT', {})
    await carl.act('MATCH_AWAIT', {})
    const offer = await carl.heard('search_pair', { kind: 'random' })
    await accept(anna, pair_id)
    await closed(carl, offer.pair_id, 'matched_elsewhere')
    const { session } = await anna.heard('new_session', {}, { times: 1 })
    await boris.act('BREAK_SESSION', { session_id: session.id })
    // She came from search, so the server puts her back.
    await anna.heard('search_state', { state: 'waiting' })
    await anna.act('OUT_FROM_SEARCH', {})
    await carl.act('OUT_FROM_SEARCH', {})
    const call = await inCall(testApp, { guy: carl, girl: vera })
    await call.connect()
    const { pair_id: next } = await invite(boris, vera)
    for (const one of [boris, vera]) one.forget()
    await accept(vera, next)
    const receipt = await carl.heard('close_session', { session_id: call.session_id })
    equal(receipt.reason, 'left')
    await vera.heard('close_session', { session_id: call.session_id, reason: 'left' })
    const { session: hers } = await vera.heard('new_session', {}, { times: 1 })
    const { session: his } = await boris.heard('new_session', {}, { times: 1 })
    deepEqual([his.id, his.state], [hers.id, 'private'])
    const open = await testApp.app.db
      .selectFrom('video_sessions')
      .select(['session_id', 'kind'])
      .where('status', '<>', 'closed')
      .execute()
    deepEqual(open, [{ session_id: his.id, kind: 'direct' }])
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story(
  'going private in another call ends the ring as busy, and a private call is not disturbed',
  async ({ testApp, boris, carl, anna }) => {
    await give(testApp, carl)
    const call = await inCall(testApp, { guy: carl, girl: anna })
    await call.connect()
    const pair_id = await ring(testApp, boris, anna)
    await carl.act('SESSION_UP', { session_id: call.session_id })
    await anna.act('SESSION_UP_REACTION', { session_id: call.session_id, accept: true })
    for (const one of [boris, anna]) await closed(one, pair_id, 'busy')
    deepEqual(await boris.isRefused('in_call', () => invite(boris, anna)), { who: 'other' })
    equal(await canCall(boris, anna), 'in_call')
  },
)

story(
  'one user rings at a time, and a call from a call is refused',
  async ({ testApp, boris, carl, anna, vera }) => {
    await give(testApp, carl)
    await ring(testApp, boris, anna)
    deepEqual(await carl.isRefused('in_call', () => invite(carl, anna)), { who: 'other' })
    deepEqual(await boris.isRefused('in_call', () => invite(boris, vera)), { who: 'you' })
    await inCall(testApp, { guy: carl, girl: vera })
    deepEqual(await carl.isRefused('in_call', () => invite(carl, vera)), { who: 'you' })
  },
)

story(
  'of many callers at once one rings, and the others are told that she is busy',
  async ({ testApp, boris, carl, david, anna }) => {
    const guys = [boris, carl, david]
    for (const guy of guys) await give(testApp, guy)
    const answers = await Promise.all(
      guys.map((guy) => guy.tryAct('INVITE_TO_CHAT', { user_id: anna.id })),
    )
    equal(answers.filter((answer) => 'data' in answer).length, 1)
    deepEqual(
      answers.flatMap((answer) => ('error' in answer ? [answer.error.name] : [])),
      ['in_call', 'in_call'],
    )
    equal((await openRows(testApp)).length, 1)
    await anna.heard('search_pair', {}, { times: 1 })
  },
)

story(
  'a repeated call rings once: by the same user while it rings, by its key without a limit',
  async ({ testApp, boris, anna, vera }) => {
    await give(testApp, boris)
    const answers = await together(4, () => invite(boris, anna, 'key-1'))
    equal(new Set(answers.map(({ pair_id }) => pair_id)).size, 1)
    const { pair_id } = answers[0]!
    equal((await invite(boris, anna)).pair_id, pair_id)
    await boris.isRefused('invalid', () => invite(boris, vera, 'key-1'))
    await anna.heard('search_pair', {}, { times: 1 })
    await reject(anna, pair_id)
    await testApp.advance('61 s')
    await boris.isRefused('pair_over', () => invite(boris, anna, 'key-1'))
    await anna.heard('search_pair', {}, { times: 1 })
  },
)

story('two who call each other at once meet in one call', async ({ testApp, boris, anna }) => {
  await give(testApp, boris)
  await Promise.all([
    boris.tryAct('INVITE_TO_CHAT', { user_id: anna.id }),
    anna.tryAct('INVITE_TO_CHAT', { user_id: boris.id }),
  ])
  await testApp.settle()
  const rings = await testApp.app.db.selectFrom('invitations').select('state').execute()
  equal(rings.length, 1)
  if (rings[0]!.state === 'open') {
    const [ringing] = await openRows(testApp)
    await (ringing!.caller === 'guy' ? invite(anna, boris) : invite(boris, anna))
  }
  for (const one of [boris, anna]) await one.heard('new_session', {}, { times: 1 })
})

story(
  'an acceptance and a withdrawal at once give both the same end',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris)
    for (let time = 0; time < 3; time += 1) {
      for (const one of [boris, anna]) one.forget()
      const { pair_id } = await invite(boris, anna)
      const order = [
        () => anna.tryAct('SEARCH_PAIR_ACCEPT', { pair_id }),
        () => boris.tryAct('SEARCH_PAIR_REJECT', { pair_id }),
      ]
      const answers = await Promise.all((time % 2 ? order.toReversed() : order).map((act) => act()))
      equal(answers.filter((answer) => 'data' in answer).length, 1)
      await testApp.settle()
      const calls = [boris, anna].map((one) => one.all('new_session').length)
      const ends = [boris, anna].map((one) => one.all('search_pair_closed').length)
      deepEqual(calls, [calls[0], calls[0]])
      deepEqual(ends, [1 - calls[0]!, 1 - calls[0]!])
      const session = boris.all('new_session')[0]?.payload as
        | { session: { id: number } }
        | undefined
      if (session) await boris.act('BREAK_SESSION', { session_id: session.session.id })
      await testApp.advance('60 s')
    }
  },
)

story(
  'an acceptance of a ring and of an offer at once open one call',
  async ({ testApp, boris, carl, anna }) => {
    const pair_id = await ring(testApp, boris, anna)
    await anna.act('MATCH_AWAIT', {})
    await carl.act('MATCH_AWAIT', {})
    const offer = await carl.heard('search_pair', { kind: 'random' })
    await anna.act('SEARCH_PAIR_ACCEPT', { pair_id: offer.pair_id })
    await Promise.all([
      carl.tryAct('SEARCH_PAIR_ACCEPT', { pair_id: offer.pair_id }),
      anna.tryAct('SEARCH_PAIR_ACCEPT', { pair_id }),
    ])
    await testApp.settle()
    const open = await testApp.app.db
      .selectFrom('video_sessions')
      .select('kind')
      .where('status', '<>', 'closed')
      .execute()
    equal(open.length, 1)
  },
)

story(
  'a block ends the ring, and no call is possible afterwards: the blocked user is told as of a user who does not exist',
  async ({ testApp, boris, anna }) => {
    const pair_id = await ring(testApp, boris, anna)
    await anna.act('BLOCK_USER', { user_id: boris.id })
    for (const one of [boris, anna]) await closed(one, pair_id, 'blocked')
    await anna.isRefused('pair_over', () => accept(anna, pair_id))
    for (const [one, other, name] of [
      [boris, anna, 'not_found'],
      [anna, boris, 'blocked'],
    ] as const) {
      await one.isRefused(name, () => invite(one, other))
      equal(await canCall(one, other), name)
    }
    await anna.notHeard('messenger_message')
  },
)

story(
  'a girl is called only as she wishes, and the reasons are the same before and at the press',
  async ({ testApp, boris, gina, anna, nina, carl }) => {
    const refused = async (name: Parameters<TestUser['isRefused']>[0], girl = anna) => {
      equal(await canCall(boris, girl), name)
      return boris.isRefused(name, () => invite(boris, girl))
    }
    deepEqual(await refused('no_balance'), { missing: '1.5' })
    await give(testApp, boris)
    equal(await canCall(boris, anna), undefined)
    await anna.act('UPDATE_PROFILE', { available: false })
    await refused('user_offline')
    await anna.act('UPDATE_PROFILE', { available: true, premium_calls_only: true })
    await refused('premium_only')
    const now = testApp.clock.now().toZonedDateTimeISO('Asia/Tokyo')
    const clock = (hours: number) => now.add({ hours }).toPlainTime().toString().slice(0, 5)
    const quiet_hours = { from: clock(-1), to: clock(1), zone: 'Asia/Tokyo' }
    await anna.act('UPDATE_PROFILE', { premium_calls_only: false, quiet_hours })
    await refused('user_offline')
    await anna.act('UPDATE_PROFILE', { quiet_hours: null, hide_countries: ['PT'] })
    await refused('not_found')
    await anna.act('UPDATE_PROFILE', { hide_countries: [] })
    anna.wire!.close()
    await testApp.advance('6 s')
    await refused('user_offline')
    await refused('not_found', nina)
    await refused('not_found', carl)
    await refused('not_found', boris)
    await refused('not_found', gina)
    await gina.isRefused('registered_only', () => invite(gina, anna))
  },
)

story(
  'a girl calls a guy who can pay, and he lacks nothing but minutes while it rings',
  async ({ testApp, boris, anna, nina }) => {
    await anna.isRefused('user_offline', () => invite(anna, boris))
    await nina.isRefused('verification_required', () => invite(nina, boris))
    await give(testApp, boris, 2)
    const { pair_id } = await invite(anna, boris)
    const his = await boris.heard('search_pair', { role_in_call: 'callee' })
    equal(his.price, '1.5')
    await testApp.setting('price_private', '3')
    deepEqual(await boris.isRefused('no_balance', () => accept(boris, pair_id)), { missing: '1' })
    await give(testApp, boris, 1)
    await accept(boris, pair_id)
    await anna.heard('new_session')
  },
)

story(
  'a caller whose money is gone at the acceptance does not get the call',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 2)
    const { pair_id } = await invite(boris, anna)
    await testApp.setting('price_private', '3')
    await anna.isRefused('pair_over', () => accept(anna, pair_id))
    for (const one of [boris, anna]) await closed(one, pair_id, 'unable')
    await testApp.settle()
    // She has answered: she missed nothing.
    await anna.notHeard('messenger_message')
    deepEqual((await anna.get('notices')).items, [])
    const { items } = await anna.get('history_chats')
    deepEqual(
      items.map(({ session_id, missed, reason }) => [session_id, missed, reason]),
      [[null, false, 'unable']],
    )
    // Nothing of this ring lets the caller wait.
    await give(testApp, boris, 2)
    await invite(boris, anna)
  },
)

story(
  'a call that is refused leaves the search of its caller as it was, with its offer and its wait',
  async ({ testApp, boris, carl, anna, vera }) => {
    await ring(testApp, carl, anna)
    await give(testApp, boris)
    await boris.act('MATCH_AWAIT', {})
    await testApp.advance('5 s')
    boris.forget()
    deepEqual(await boris.isRefused('in_call', () => invite(boris, anna)), { who: 'other' })
    await testApp.settle()
    await boris.notHeard('search_state')
    await vera.act('MATCH_AWAIT', {})
    const { pair_id } = await boris.heard('search_pair', { kind: 'random' })
    deepEqual(await boris.isRefused('in_call', () => invite(boris, anna)), { who: 'other' })
    await testApp.settle()
    for (const one of [boris, vera]) await one.notHeard('search_pair_closed')
    for (const one of [boris, vera]) await accept(one, pair_id)
    await boris.heard('new_session')
    const { guy_waiting_since, opened_at } = await testApp.app.db
      .selectFrom('pairs')
      .select(['guy_waiting_since', 'opened_at'])
      .where('pair_id', '=', pair_id)
      .executeTakeFirstOrThrow()
    ok(opened_at.epochMilliseconds - guy_waiting_since.epochMilliseconds >= 5000)
  },
)

story(
  'a caller whose offer becomes a call in the same moment is in the call and rings nowhere',
  async ({ testApp, boris, anna, vera }) => {
    await give(testApp, boris)
    await testApp.setting('rematch_minutes', '0')
    await testApp.setting('ring_again', '0')
    await testApp.setting('rings_an_hour', '100')
    for (let time = 0; time < 4; time += 1) {
      const offered = await fetchOffer(boris, vera)
      await accept(boris, offered)
      const order = [
        () => vera.tryAct('SEARCH_PAIR_ACCEPT', { pair_id: offered }),
        () => boris.tryAct('INVITE_TO_CHAT', { user_id: anna.id }),
      ]
      await Promise.all((time % 2 ? order.toReversed() : order).map((act) => act()))
      await testApp.settle()
      const [ringing] = await openRows(testApp)
      const called = boris.all('new_session')[0]?.payload as { session: { id: number } } | undefined
      equal([ringing, called].filter(Boolean).length, 1)
      if (ringing) await boris.act('SEARCH_PAIR_REJECT', { pair_id: ringing.pair_id })
      if (called) await boris.act('BREAK_SESSION', { session_id: called.session.id })
      for (const one of [boris, vera]) await one.act('OUT_FROM_SEARCH', {})
    }
  },
)

story(
  'a break that she asked for in a public call begins after the call that she accepted meanwhile, and holds',
  async ({ testApp, boris, carl, anna }) => {
    const call = await inCall(testApp, { guy: carl, girl: anna })
    await call.connect()
    await anna.act('OUT_FROM_SEARCH', {})
    await accept(anna, await ring(testApp, boris, anna))
    const { session } = await boris.heard('new_session')
    equal(getActivity(testApp.app, anna.id), 'private')
    await boris.act('BREAK_SESSION', { session_id: session.id })
    await anna.heard('search_state', { state: 'break' })
    await testApp.settle()
    equal(getActivity(testApp.app, anna.id), 'break')
    equal((await fetchState(anna)).state, 'break')
  },
)

story(
  'a caller who closes the page ends the ring after the grace time, and one who reloads keeps it',
  async ({ testApp, boris, anna }) => {
    const pair_id = await ring(testApp, boris, anna)
    boris.wire!.close()
    await testApp.advance('3 s')
    const { search } = await boris.auth()
    deepEqual([search?.pair?.pair_id, search?.pair?.expires_in_ms], [pair_id, 27_000])
    await testApp.advance('10 s')
    await anna.notHeard('search_pair_closed')
    boris.wire!.close()
    await testApp.advance('6 s')
    await closed(anna, pair_id, 'offline')
  },
)

story(
  'a ring follows its callee to another device, and the device before stops ringing',
  async ({ testApp, boris, anna }) => {
    const pair_id = await ring(testApp, boris, anna)
    const phone = testApp.user('anna on a phone', anna.token!)
    const { search } = await phone.auth()
    deepEqual([search?.pair?.pair_id, search?.pair?.kind], [pair_id, 'direct'])
    await accept(phone, pair_id)
    await phone.heard('new_session', {}, { times: 1 })
    await anna.notHeard('new_session')
    await boris.heard('new_session', {}, { times: 1 })
  },
)

pushStory(
  'a phone in the pocket rings, and the call is still there when it opens in time',
  async ({ testApp, boris, anna, vera }) => {
    const browser = service.browser()
    await anna.act('UPDATE_PUSH', { subscription: browser.subscription })
    await give(testApp, boris)
    for (const girl of [anna, vera]) girl.wire!.close()
    await testApp.advance('60 s')
    await boris.isRefused('user_offline', () => invite(boris, vera))
    const { pair_id } = await invite(boris, anna)
    await testApp.settle()
    const [message] = service.taken.filter(({ path }) => path === browser.path)
    deepEqual(
      [message!.payload.body, message!.payload.url, message!.ttl],
      ['Boris is calling you', '/', 30],
    )
    await testApp.advance('20 s')
    const { search } = await anna.auth()
    deepEqual([search?.pair?.pair_id, search?.pair?.expires_in_ms], [pair_id, 10_000])
    await accept(anna, pair_id)
    await boris.heard('new_session')
  },
)

pushStory(
  'a phone that stays in the pocket learns of the missed call, and rings no more a quarter of an hour later',
  async ({ testApp, boris, anna }) => {
    const browser = service.browser()
    await anna.act('UPDATE_PUSH', { subscription: browser.subscription })
    await give(testApp, boris)
    anna.wire!.close()
    await testApp.advance('60 s')
    await invite(boris, anna)
    await testApp.advance('30 s')
    await testApp.settle()
    const taken = service.taken.filter(({ path }) => path === browser.path)
    deepEqual(
      taken.map(({ payload: { ring, body } }) => (ring === 'missed' ? ring : body)).toSorted(),
      ['Boris is calling you', 'You missed a call from Boris', 'missed'],
    )
    await testApp.advance('15 min')
    await boris.isRefused('user_offline', () => invite(boris, anna))
  },
)

pushStory(
  'a call that is answered on one device is over on the others',
  async ({ testApp, boris, anna }) => {
    const browser = service.browser()
    await anna.act('UPDATE_PUSH', { subscription: browser.subscription })
    await accept(anna, await ring(testApp, boris, anna))
    await testApp.settle()
    deepEqual(
      service.taken
        .filter(({ path }) => path === browser.path)
        .map(({ payload }) => [payload.body, payload.ring]),
      [
        ['Boris is calling you', 'ringing'],
        ['Boris called you', 'over'],
      ],
    )
  },
)

story(
  'a log-out and a ban of one of the two end the ring',
  async ({ testApp, boris, carl, anna, vera }) => {
    const pair_id = await ring(testApp, boris, anna)
    await anna.act('LOGOUT', {})
    await closed(boris, pair_id, 'offline')
    const next = await ring(testApp, carl, vera)
    await testApp.app.transact((tx) => tx.publish('banned', { user_id: carl.id }))
    await closed(vera, next, 'offline')
  },
)
