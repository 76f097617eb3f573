import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  hangUp,
  fetchOffer,
  passes,
  pickUp,
  fetchState,
  withCalls,
  withoutQuota,
} from '@duet/testkit/searching.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const { tell, accepted } = withCalls()

tell(
  'an offer shows each of two searching users the other, with the viewer’s own price',
  async ({ boris, anna }) => {
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await anna.heard('search_state', { state: 'waiting' })
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'offered' })
    const his = await boris.heard('search_pair', { kind: 'random', state: 'public' })
    const hers = await anna.heard('search_pair', { kind: 'random', missed_offers: 0 })
    equal(his.pair_id, hers.pair_id)
    equal((his.user_interlocutor as { id?: number }).id, anna.id)
    equal((hers.user_interlocutor as { id?: number }).id, boris.id)
    deepEqual([his.price, hers.price, his.free_seconds, his.expires_in_ms], ['1', '50', 10, 10_000])
    await anna.heard('search_state', { state: 'offered' })
    await boris.heard('search_state', { state: 'offered' })
  },
)

tell(
  'when both accept, one call opens and both searches end',
  async ({ testApp, boris, anna, carl }) => {
    accepted.length = 0
    const pair_id = await fetchOffer(boris, anna)
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    deepEqual(accepted, [])
    await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
    const sides = {
      kind: 'random',
      guy_id: boris.id,
      girl_id: anna.id,
      guy_from_search: true,
      girl_from_search: true,
    }
    deepEqual(accepted, [{ pair_id, ...sides, free_start: true }])
    for (const one of [boris, anna]) {
      await one.heard('search_state', { state: 'idle', reason: 'in_call' }, { times: 1 })
      deepEqual(await one.isRefused('in_call', () => one.act('MATCH_AWAIT', {})), { who: 'you' })
      await one.act('SEARCH_PAIR_ACCEPT', { pair_id })
      await one.isRefused('pair_over', () => one.act('SEARCH_PAIR_REJECT', { pair_id }))
    }
    equal(accepted.length, 1)
    deepEqual(await carl.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await testApp.advance('3 s')
    await anna.heard('search_pair', {}, { times: 1 })
  },
)

tell(
  'two users who accept automatically get a call without an offer while it costs nothing',
  async ({ boris, anna }) => {
    accepted.length = 0
    for (const one of [boris, anna]) await one.act('UPDATE_PROFILE', { auto_accept: true })
    await anna.act('MATCH_AWAIT', {})
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'idle', reason: 'in_call' })
    equal(accepted.length, 1)
    await boris.notHeard('search_pair')
    await anna.notHeard('search_pair')
  },
)

tell(
  'an offer without free seconds is shown to a guy who accepts automatically',
  async ({ testApp, boris, anna }) => {
    accepted.length = 0
    await testApp.setting('pair_free_start', '0')
    for (const one of [boris, anna]) await one.act('UPDATE_PROFILE', { auto_accept: true })
    await anna.act('MATCH_AWAIT', {})
    await boris.act('MATCH_AWAIT', {})
    const { pair_id } = await boris.heard('search_pair', { free_seconds: 0 })
    equal(accepted.length, 0)
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    equal(accepted[0]?.free_start, false)
  },
)

tell(
  'a user who declines leaves the search, the other keeps waiting with the time already waited',
  async ({ testApp, boris, anna, carl }) => {
    await anna.act('MATCH_AWAIT', {})
    await testApp.advance('7 s')
    const pair_id = await fetchOffer(boris, anna)
    await testApp.advance('2 s')
    await boris.act('SEARCH_PAIR_REJECT', { pair_id })
    for (const one of [boris, anna])
      await one.heard('search_pair_closed', { pair_id, reason: 'declined' }, { times: 1 })
    await boris.heard('search_state', { state: 'idle' })
    equal((await fetchState(anna)).state, 'waiting')
    await carl.act('MATCH_AWAIT', {})
    const row = await testApp.app.db
      .selectFrom('pairs')
      .selectAll()
      .where('guy_id', '=', carl.id)
      .executeTakeFirstOrThrow()
    equal(testApp.clock.now().since(row.girl_waiting_since).total('seconds'), 9)
    await boris.isRefused('pair_over', () => boris.act('SEARCH_PAIR_REJECT', { pair_id }))
    await anna.isRefused('pair_over', () => anna.act('SEARCH_PAIR_ACCEPT', { pair_id }))
  },
)

tell(
  'two users meet again after one declined when both have waited twenty seconds, and not before',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await testApp.advance('9 s')
    await boris.act('SEARCH_PAIR_REJECT', { pair_id })
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await testApp.advance('20 s')
    await boris.heard('search_pair', {}, { times: 1 })
    await testApp.advance('1 s')
    await boris.heard('search_pair', {}, { times: 2 })
  },
)

tell(
  'a call that did not connect counts as a meeting, and other partners come first',
  async ({ testApp, boris, anna, vera }) => {
    await hangUp(testApp, boris, anna, { reason: 'not_connected', connected: false })
    await anna.act('MATCH_AWAIT', {})
    await boris.act('MATCH_AWAIT', {})
    await testApp.advance('15 s')
    await boris.notHeard('search_pair')
    await vera.act('MATCH_AWAIT', {})
    await vera.heard('search_pair')
    await testApp.advance('6 s')
    await anna.notHeard('search_pair')
  },
)

const demo = story.with({ env: { DEMO: 'on', NODE_ENV: 'development' } })
demo(
  'in the demo installation two users alone meet again at once, after a call and after a declined offer',
  async ({ testApp, boris, anna }) => {
    const first = await fetchOffer(boris, anna)
    for (const one of [boris, anna]) await one.act('SEARCH_PAIR_ACCEPT', { pair_id: first })
    const { session } = await boris.heard('new_session')
    await boris.act('BREAK_SESSION', { session_id: session.id, next: true })
    await testApp.advance('4 s')
    await boris.heard('search_pair', {}, { times: 2 })
    const { pair_id } = anna.all('search_pair').at(-1)!.payload as { pair_id: string }
    await boris.heard('search_pair', { pair_id }, { times: 1 })
    await anna.act('SEARCH_PAIR_REJECT', { pair_id })
    await anna.act('MATCH_AWAIT', {})
    await testApp.advance('4 s')
    await boris.heard('search_pair', {}, { times: 3 })
  },
)

tell(
  'no answer counts as a rejection: the guy leaves the search, the girl keeps waiting',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await testApp.advance('9900 ms')
    await boris.notHeard('search_pair_closed')
    await testApp.advance('100 ms')
    for (const one of [boris, anna])
      await one.heard('search_pair_closed', { pair_id, reason: 'expired' }, { times: 1 })
    equal((await fetchState(boris)).state, 'idle')
    equal((await fetchState(anna)).state, 'waiting')
    await boris.isRefused('pair_over', () => boris.act('SEARCH_PAIR_ACCEPT', { pair_id }))
  },
)

tell(
  'a user who accepted keeps waiting when the other does not answer',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await testApp.advance('10 s')
    equal((await fetchState(boris)).state, 'waiting')
  },
)

tell(
  'a girl who misses three offers leaves the search until she starts it again',
  async ({ testApp, boris, carl, david, anna }) => {
    await anna.act('MATCH_AWAIT', {})
    await passes(testApp, [boris, carl, david], anna)
    deepEqual(
      anna
        .all('search_pair')
        .map(({ payload }) => [payload.missed_offers, payload.missed_offers_max]),
      [
        [0, 3],
        [1, 3],
        [2, 3],
      ],
    )
    deepEqual(await fetchState(anna), { state: 'paused', reason: 'missed_offers' })
    deepEqual((await anna.comeBack()).search, { state: 'paused', reason: 'missed_offers' })
    equal((await testApp.app.db.selectFrom('absences').selectAll().execute()).length, 1)
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
  },
)

tell(
  'an answer of the girl resets her missed offers',
  async ({ testApp, boris, carl, david, anna }) => {
    await anna.act('MATCH_AWAIT', {})
    await passes(testApp, [boris, carl], anna)
    await david.act('MATCH_AWAIT', {})
    const { pair_id } = await anna.heard('search_pair', { missed_offers: 2 })
    await anna.act('SEARCH_PAIR_REJECT', { pair_id })
    deepEqual(await fetchState(anna), { state: 'idle' })
    equal(
      (await testApp.app.db.selectFrom('search_rests').selectAll().executeTakeFirst())
        ?.missed_offers,
      0,
    )
  },
)

tell(
  'three absences in an hour pause a girl for half an hour, and her page learns of the end, also after a restart',
  async ({ testApp, boris, carl, david, anna }) => {
    await testApp.setting('missed_offers', '1')
    await anna.act('MATCH_AWAIT', {})
    for (const guy of [boris, carl, david]) {
      await passes(testApp, [guy], anna)
      if (guy !== david) deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    }
    const paused = { state: 'paused', reason: 'absence', until: (await fetchState(anna)).until }
    ok(paused.until)
    deepEqual(await fetchState(anna), paused)
    deepEqual(await anna.act('MATCH_AWAIT', {}), paused)
    await testApp.crash()
    deepEqual((await anna.comeBack()).search, paused)
    anna.forget()
    await testApp.leap('29 min')
    await anna.notHeard('search_state')
    await testApp.advance('61 s')
    await anna.heard('search_state', { state: 'idle' }, { times: 1 })
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
  },
)

tell(
  'a user who gets another call leaves the offer, and the other keeps waiting',
  async ({ testApp, boris, carl, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await pickUp(testApp, carl, anna)
    for (const one of [boris, anna]) {
      await one.heard('search_pair_closed', { pair_id, reason: 'matched_elsewhere' }, { times: 1 })
    }
    deepEqual(await fetchState(anna), { state: 'idle', reason: 'in_call' })
    deepEqual(await fetchState(boris), { state: 'waiting' })
    await anna.isRefused('pair_over', () => anna.act('SEARCH_PAIR_ACCEPT', { pair_id }))
  },
)

const refusing = withCalls({ refuses: true })
refusing.tell(
  'a call that cannot open rolls back the answer, ends the offer as busy and leaves neither side in it',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await boris.isRefused('pair_over', () => boris.act('SEARCH_PAIR_ACCEPT', { pair_id }))
    for (const one of [boris, anna])
      await one.heard('search_pair_closed', { pair_id, reason: 'busy' }, { times: 1 })
    equal(
      (await testApp.app.db.selectFrom('pairs').select('state').executeTakeFirst())?.state,
      'closed',
    )
    deepEqual(await fetchState(boris), { state: 'waiting' })
    deepEqual(await fetchState(anna), { state: 'idle' })
  },
)

tell(
  'a guy whose minutes ran out during the offer cannot accept, and the girl keeps waiting',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await withoutQuota(testApp, boris)
    deepEqual(
      await boris.isRefused('no_balance', () => boris.act('SEARCH_PAIR_ACCEPT', { pair_id })),
      {
        missing: '0.0167',
      },
    )
    deepEqual(await fetchState(boris), { state: 'idle', reason: 'no_balance' })
    equal((await fetchState(anna)).state, 'waiting')
    await anna.heard('search_pair_closed', { pair_id, reason: 'cancelled' })
  },
)

for (const [lost, refusal, lose] of [
  ['verification', 'verification_required', ['verify', '--decline']],
  ['picture', 'avatar_required', ['media', 'reject']],
] as const) {
  tell(
    `a girl whose ${lost} was withdrawn during the offer cannot accept, and the guy keeps waiting`,
    async ({ testApp, boris, anna }) => {
      accepted.length = 0
      const pair_id = await fetchOffer(boris, anna)
      await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
      await withdraw(testApp, anna, lose)
      await anna.isRefused(refusal, () => anna.act('SEARCH_PAIR_ACCEPT', { pair_id }))
      deepEqual(await fetchState(anna), { state: 'idle' })
      deepEqual(await fetchState(boris), { state: 'waiting' })
      deepEqual(accepted, [])
    },
  )
  tell(
    `no call opens with a girl whose ${lost} was withdrawn after she accepted`,
    async ({ testApp, boris, anna }) => {
      accepted.length = 0
      const pair_id = await fetchOffer(boris, anna)
      await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
      await withdraw(testApp, anna, lose)
      await boris.isRefused('pair_over', () => boris.act('SEARCH_PAIR_ACCEPT', { pair_id }))
      deepEqual(await fetchState(anna), { state: 'idle' })
      deepEqual(await fetchState(boris), { state: 'waiting' })
      deepEqual(accepted, [])
    },
  )
}

async function withdraw(
  testApp: TestApp,
  girl: TestUser,
  [command, word]: readonly [string, string],
): Promise<void> {
  const [picture] = await testApp.app.db
    .selectFrom('media')
    .select('id')
    .where('owner_id', '=', girl.id)
    .execute()
  await testApp.duet(
    ...(command === 'media' ? [command, word, picture!.id] : [command, girl.id, word, 'test']),
  )
}

tell(
  'no call opens with a guy whose minutes ran out after he accepted',
  async ({ testApp, boris, anna }) => {
    accepted.length = 0
    const pair_id = await fetchOffer(boris, anna)
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await withoutQuota(testApp, boris)
    await anna.isRefused('pair_over', () => anna.act('SEARCH_PAIR_ACCEPT', { pair_id }))
    deepEqual(await fetchState(boris), { state: 'idle', reason: 'no_balance' })
    deepEqual(await fetchState(anna), { state: 'waiting' })
    deepEqual(accepted, [])
  },
)

tell('refuses answers to the offer of other users', async ({ boris, anna, carl, vera }) => {
  const pair_id = await fetchOffer(boris, anna)
  for (const one of [carl, vera]) {
    await one.isRefused('pair_over', () => one.act('SEARCH_PAIR_ACCEPT', { pair_id }))
    await one.isRefused('pair_over', () => one.act('SEARCH_PAIR_REJECT', { pair_id }))
    await one.isRefused('pair_over', () => one.act('SEARCH_PAIR_ACCEPT', { pair_id: randomUUID() }))
  }
  await boris.notHeard('search_pair_closed')
})

tell('refuses an invalid pair id and names the field', async ({ boris }) => {
  for (const action of ['SEARCH_PAIR_ACCEPT', 'SEARCH_PAIR_REJECT']) {
    for (const data of [
      {},
      { pair_id: 7 },
      { pair_id: 'x' },
      { pair_id: 'a'.repeat(5000) },
      { pair_id: null },
    ]) {
      const answer = await boris.tryAct(action, data)
      deepEqual('error' in answer && answer.error.code, 900)
      ok(JSON.stringify(answer).includes('pair_id'))
    }
  }
})

refusing.tell(
  'does not match two users again whose call was refused',
  async ({ testApp, boris, anna }) => {
    for (const one of [boris, anna]) await one.act('UPDATE_PROFILE', { auto_accept: true })
    await anna.act('MATCH_AWAIT', {})
    await boris.act('MATCH_AWAIT', {})
    for (const one of [boris, anna]) deepEqual(await fetchState(one), { state: 'waiting' })
    await testApp.advance('5 s')
    deepEqual(await testApp.app.db.selectFrom('pairs').select('pair_id').execute(), [])
    await boris.notHeard('search_pair')
  },
)

tell(
  'a guy who cannot pay any more leaves the search when a girl comes, and she keeps waiting',
  async ({ testApp, boris, anna }) => {
    await boris.act('MATCH_AWAIT', {})
    await withoutQuota(testApp, boris)
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    deepEqual(await fetchState(boris), { state: 'idle', reason: 'no_balance' })
    await anna.notHeard('search_pair')
  },
)

story(
  'a girl whose partner left the call searches again, and others see it',
  async ({ boris, anna, carl }) => {
    const pair_id = await fetchOffer(boris, anna)
    for (const one of [boris, anna]) await one.act('SEARCH_PAIR_ACCEPT', { pair_id })
    const { session } = await boris.heard('new_session')
    await boris.act('BREAK_SESSION', { session_id: session.id })
    await anna.heard('close_session')
    deepEqual(await fetchState(anna), { state: 'waiting' })
    deepEqual((await carl.act('SUBSCRIBE', { user_ids: [anna.id] })).statuses, [
      { user_id: anna.id, status: 'online', sub_status: 'searching' },
    ])
    deepEqual(await fetchState(boris), { state: 'idle' })
  },
)

story('both sides of an accepted offer get the same call', async ({ boris, anna }) => {
  const pair_id = await fetchOffer(boris, anna)
  await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
  await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
  const his = await boris.heard('new_session')
  const hers = await anna.heard('new_session')
  equal(his.session.id, hers.session.id)
})

story("the operator's shell tells why two users met", async ({ testApp, boris, anna }) => {
  const pair_id = await fetchOffer(boris, anna)
  const [offer] = (await testApp.duet('matches', anna.id)) as Record<string, unknown>[]
  partialDeepStrictEqual(offer, {
    pair_id,
    guy_id: boris.id,
    girl_id: anna.id,
    why: { allowed: true, language: 'shared', guy: { rank: 1, waited_seconds: 0 } },
  })
})

story(
  'a girl who waits learns how many guys her own limit keeps away',
  async ({ testApp, boris, anna }) => {
    await anna.act('UPDATE_PROFILE', { premium_calls_only: true })
    for (const one of [boris, anna]) await one.act('MATCH_AWAIT', {})
    const advice = (one: TestUser) => one.get('search/advice')
    deepEqual(await advice(anna), { advice: [] })
    await testApp.advance('10 s')
    deepEqual(await advice(anna), { advice: [{ kind: 'premium_only', count: 1 }] })
    deepEqual(await advice(boris), { advice: [{ kind: 'premium', count: 1 }] })
    await boris.act('OUT_FROM_SEARCH', {})
    deepEqual(await advice(boris), { advice: [] })
    deepEqual(await advice(anna), { advice: [] })
  },
)
