import { toGender } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { story } from '@duet/testkit/test-app.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { getAvailability } from './availability.ts'
import { offers } from './enqueue.ts'
import { matchmakingState, findSearchSession } from './search-sessions.ts'
import { getActivity, isInCall } from '../presence/index.ts'
import {
  hangUp,
  fetchOffer,
  passes,
  pickUp,
  fetchState,
  withCalls,
  withoutQuota,
} from '@duet/testkit/searching.ts'

const { tell, breaks, accepted } = withCalls()

tell(
  'a search that is not allowed is refused by name, in this order',
  async ({ testApp, gina, greg, nina, boris }) => {
    await gina.act('UPDATE_PROFILE', { gender: toGender('girl') })
    await gina.isRefused('age_unconfirmed', () => gina.act('MATCH_AWAIT', {}))
    await greg.isRefused('age_unconfirmed', () => greg.act('MATCH_AWAIT', {}))
    await gina.post('age/confirm', { confirmed: true, terms: true })
    await gina.isRefused('registered_only', () => gina.act('MATCH_AWAIT', {}))
    await nina.isRefused('verification_required', () => nina.act('MATCH_AWAIT', {}))
    await testApp.duet('verify', nina.id)
    await nina.isRefused('avatar_required', () => nina.act('MATCH_AWAIT', {}))
    await withoutQuota(testApp, boris)
    deepEqual(await boris.isRefused('no_balance', () => boris.act('MATCH_AWAIT', {})), {
      missing: '0.0167',
    })
    for (const one of [gina, greg, nina, boris]) await one.notHeard('search_state')
  },
)

tell('a guy who can pay one second may search', async ({ testApp, boris }) => {
  await withoutQuota(testApp, boris)
  await testApp.duet('grant', boris.id, '0.0167', 'diamond', '--reason', 'test')
  deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
})

tell('refuses invalid or too many languages and names the field', async ({ boris }) => {
  const twelve = Array.from({ length: 12 }, () => 'en')
  for (const locales of ['en', ['xx'], [7], {}, Array.from({ length: 400 }, () => 'zz'), twelve]) {
    const answer = await boris.tryAct('MATCH_AWAIT', { locales })
    equal('error' in answer && answer.error.code, 900)
    ok(JSON.stringify(answer).includes('locales'))
  }
  deepEqual(await boris.act('MATCH_AWAIT', { locales: ['en', 'en', 'ru'] }), { state: 'waiting' })
})

tell(
  'a user who starts and leaves searches all the time is stopped',
  async ({ testApp, boris }) => {
    let refused: unknown
    for (let round = 0; round < 70 && !refused; round += 1) {
      const answer = await boris.tryAct('MATCH_AWAIT', {})
      if ('error' in answer) refused = answer.error.code
      else await boris.act('OUT_FROM_SEARCH', {})
      await testApp.advance('100 ms')
    }
    equal(refused, 601)
    deepEqual(await boris.act('OUT_FROM_SEARCH', {}), {})
  },
)

tell('starting a search twice changes nothing', async ({ boris, anna }) => {
  await boris.act('MATCH_AWAIT', {})
  deepEqual(await boris.act('MATCH_AWAIT', { locales: ['ru'] }), { state: 'waiting' })
  await boris.heard('search_state', {}, { times: 1 })
  await anna.act('MATCH_AWAIT', {})
  deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'offered' })
  await boris.heard('search_pair', {}, { times: 1 })
})

tell(
  'a search that goes on is not paused for a captcha, however often a page asks for it',
  async ({ testApp, boris, greg }) => {
    await greg.post('age/confirm', { confirmed: true, terms: true })
    await testApp.setting('searches_an_hour', '1')
    for (const user of [boris, greg]) {
      await user.act('MATCH_AWAIT', {})
      deepEqual(await user.act('MATCH_AWAIT', {}), { state: 'waiting' })
      await user.heard('search_state', { state: 'waiting' }, { times: 1 })
      await user.notHeard('search_state', { state: 'paused' })
      await user.act('OUT_FROM_SEARCH', {})
      await user.isRefused('captcha_required', () => user.act('MATCH_AWAIT', {}))
    }
  },
)

tell(
  'guests of one network share a limit of searches, which a new id does not renew',
  async ({ testApp, boris }) => {
    await testApp.setting('searches_an_hour', '1')
    const search = async () => {
      const guest = await testApp.guest()
      await guest.post('age/confirm', { confirmed: true, terms: true })
      return { guest, search: () => guest.act('MATCH_AWAIT', {}) }
    }
    for (let number = 0; number < 10; number += 1) await (await search()).search()
    const last = await search()
    await last.guest.isRefused('captcha_required', last.search)
    // A member at the same address has the own limit.
    await boris.act('MATCH_AWAIT', {})
  },
)

tell(
  'while waiting, offered or in a call, starting a search asks neither for money nor for verification',
  async ({ testApp, boris, anna, carl, vera }) => {
    await boris.act('MATCH_AWAIT', {})
    await withoutQuota(testApp, boris)
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await boris.act('OUT_FROM_SEARCH', {})
    await fetchOffer(carl, anna)
    await withoutQuota(testApp, carl)
    await testApp.duet('verify', anna.id, '--decline', 'test')
    for (const one of [carl, anna])
      deepEqual(await one.act('MATCH_AWAIT', {}), { state: 'offered' })
    await pickUp(testApp, boris, vera)
    await testApp.duet('verify', vera.id, '--decline', 'test')
    breaks.length = 0
    for (const one of [boris, vera])
      deepEqual(await one.isRefused('in_call', () => one.act('MATCH_AWAIT', {})), { who: 'you' })
    deepEqual(breaks, [{ user_id: vera.id, on: false }])
  },
)

tell('no offer follows from a search that was left', async ({ testApp, boris, anna }) => {
  await boris.act('MATCH_AWAIT', {})
  deepEqual(await boris.act('OUT_FROM_SEARCH', {}), {})
  deepEqual(await boris.act('OUT_FROM_SEARCH', {}), {})
  deepEqual(await fetchState(boris), { state: 'idle' })
  await anna.act('MATCH_AWAIT', {})
  await testApp.advance('15 s')
  await boris.notHeard('search_pair')
  await anna.notHeard('search_pair')
})

tell(
  'leaving the search while an offer is created also leaves the offer',
  async ({ boris, anna }) => {
    for (let round = 0; round < 10; round += 1) {
      await anna.act('MATCH_AWAIT', {})
      boris.forget()
      await Promise.all([boris.act('MATCH_AWAIT', {}), anna.act('OUT_FROM_SEARCH', {})])
      deepEqual(await fetchState(anna), { state: 'idle' })
      deepEqual(await fetchState(boris), { state: 'waiting' })
      equal(boris.all('search_pair').length, boris.all('search_pair_closed').length)
      await boris.act('OUT_FROM_SEARCH', {})
      await anna.testApp.app.db.deleteFrom('meetings').execute()
    }
  },
)

tell(
  'a search that ends while the data of its offer is read gets no offer',
  async ({ testApp, boris, anna }) => {
    await anna.act('MATCH_AWAIT', {})
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    await client.query('begin; lock table free_starts in access exclusive mode')
    const searching = boris.act('MATCH_AWAIT', {})
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    deepEqual(await anna.act('OUT_FROM_SEARCH', {}), {})
    await client.query('commit')
    client.release()
    deepEqual(await searching, { state: 'waiting' })
    await testApp.settle()
    deepEqual([boris.all('search_pair'), anna.all('search_pair')], [[], []])
    equal((await testApp.database.pool.query('select 1 from pairs')).rowCount, 0)
  },
)

tell(
  'no call follows from a search after leaving it is acknowledged, also while the other side accepts',
  async ({ testApp, boris, anna }) => {
    for (let round = 0; round < 10; round += 1) {
      const pair_id = await fetchOffer(boris, anna)
      await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
      const accepting = boris.tryAct('SEARCH_PAIR_ACCEPT', { pair_id })
      const leaving = anna.act('OUT_FROM_SEARCH', {}).then(() => anna.all('search_state').length)
      const [known] = await Promise.all([leaving, accepting])
      await testApp.settle()
      const later = anna.all('search_state').slice(known)
      deepEqual(later, [], 'a state of the search came after the acknowledgement')
      if (isInCall(testApp.app, anna.id)) await hangUp(testApp, boris, anna)
      else await boris.act('OUT_FROM_SEARCH', {})
      await testApp.app.db.deleteFrom('meetings').execute()
    }
  },
)

tell(
  'no call opens for a user who left the search while the acceptance of the other side waited',
  async ({ testApp, boris, anna }) => {
    accepted.length = 0
    const pair_id = await fetchOffer(boris, anna)
    await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    await client.query('begin')
    await client.query('select 1 from pairs where pair_id = $1 for update', [pair_id])
    const accepting = boris.tryAct('SEARCH_PAIR_ACCEPT', { pair_id })
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    const leaving = anna.act('OUT_FROM_SEARCH', {})
    while (findSearchSession(testApp.app, anna.id))
      await new Promise((resolve) => setImmediate(resolve))
    await client.query('commit')
    client.release()
    await leaving
    const answer = await accepting
    equal('error' in answer && answer.error.code, 309)
    deepEqual(accepted, [])
    for (const one of [boris, anna]) equal(isInCall(testApp.app, one.id), false)
    deepEqual(await fetchState(boris), { state: 'waiting' })
  },
)

tell(
  'a call that is published again after it is over does not end the search that followed',
  async ({ testApp, boris, anna }) => {
    await boris.act('MATCH_AWAIT', {})
    const late = { session_id: 1, guy_id: boris.id, girl_id: anna.id, state: 'public' } as const
    await testApp.app.transact((tx) => tx.publish('call_opened', { ...late, recovered: true }))
    await testApp.settle()
    ok(findSearchSession(testApp.app, boris.id))
    deepEqual(await fetchState(boris), { state: 'waiting' })
  },
)

tell(
  'leaving the search ends the open offer, and the other keeps waiting',
  async ({ boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await anna.act('OUT_FROM_SEARCH', {})
    for (const one of [boris, anna])
      await one.heard('search_pair_closed', { pair_id, reason: 'cancelled' }, { times: 1 })
    deepEqual(await fetchState(boris), { state: 'waiting' })
    deepEqual(await fetchState(anna), { state: 'idle' })
  },
)

tell(
  'two users without a shared language meet only after a wait',
  async ({ testApp, boris, anna }) => {
    await anna.act('MATCH_AWAIT', { locales: ['fr'] })
    await boris.act('MATCH_AWAIT', { locales: ['de'] })
    await boris.notHeard('search_pair')
    await testApp.advance('4 s')
    await boris.heard('search_pair', {}, { times: 1 })
  },
)

tell(
  'without a wish the user’s own language is preferred in the first three seconds',
  async ({ testApp, boris, carl, anna }) => {
    for (const [one, locale] of [
      [boris, 'de'],
      [carl, 'fr'],
      [anna, 'fr'],
    ] as const)
      await one.act('CHANGE_LOCALE', { locale })
    await boris.act('MATCH_AWAIT', {})
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    deepEqual(await carl.act('MATCH_AWAIT', {}), { state: 'offered' })
    await anna.heard('search_pair', {}, { times: 1 })
    for (const one of [anna, carl]) await one.act('OUT_FROM_SEARCH', {})
    await boris.notHeard('search_pair')
    await testApp.advance('3 s')
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'offered' })
    await boris.heard('search_pair')
  },
)

tell(
  'the same tab that reconnects in time resumes its search with the open offer',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await boris.drop()
    await testApp.advance('4 s')
    const { search } = await boris.comeBack()
    equal(search?.state, 'offered')
    equal(search?.pair?.pair_id, pair_id)
    equal(search?.pair?.expires_in_ms, 6000)
    await testApp.advance('5 s')
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await boris.heard('search_state', { reason: 'in_call' })
  },
)

tell(
  'a search without its page gets no offer and ends when the page does not reconnect',
  async ({ testApp, boris, anna }) => {
    await boris.act('MATCH_AWAIT', {})
    await boris.drop()
    await anna.act('MATCH_AWAIT', {})
    await anna.notHeard('search_pair')
    await boris.comeBack()
    await anna.heard('search_pair', {}, { times: 1 })
    await boris.drop()
    await testApp.advance('4900 ms')
    await anna.notHeard('search_pair_closed')
    await testApp.advance('100 ms')
    await anna.heard('search_pair_closed', { reason: 'offline' }, { times: 1 })
    deepEqual(await fetchState(anna), { state: 'waiting' })
    deepEqual((await boris.comeBack()).search, { state: 'idle' })
  },
)

tell('another tab ends the search of the former tab', async ({ testApp, boris, anna }) => {
  const pair_id = await fetchOffer(boris, anna)
  const other = await boris.inAnotherTab()
  await anna.heard('search_pair_closed', { pair_id, reason: 'cancelled' })
  deepEqual(await fetchState(anna), { state: 'waiting' })
  await other.act('MATCH_AWAIT', {})
  await other.heard('search_pair')
  await testApp.settle()
})

tell(
  'a tab that connects while the former is disconnected does not resume its search',
  async ({ boris, anna }) => {
    await boris.act('MATCH_AWAIT', {})
    await boris.drop()
    const other = await boris.inAnotherTab()
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await other.notHeard('search_pair')
  },
)

tell('logging out ends the search', async ({ boris, anna }) => {
  const pair_id = await fetchOffer(boris, anna)
  await boris.act('LOGOUT', {})
  await anna.heard('search_pair_closed', { pair_id, reason: 'cancelled' })
  deepEqual(await fetchState(anna), { state: 'waiting' })
})

tell('another identity on the same page ends the search', async ({ boris, anna, carl }) => {
  const pair_id = await fetchOffer(boris, anna)
  await boris.auth({ token: carl.token! })
  await anna.heard('search_pair_closed', { pair_id, reason: 'cancelled' })
})

tell('a ban ends the search', async ({ testApp, boris, anna }) => {
  const pair_id = await fetchOffer(boris, anna)
  await testApp.app.transact((tx) => tx.publish('banned', { user_id: boris.id }))
  await anna.heard('search_pair_closed', { pair_id, reason: 'cancelled' })
})

tell(
  'a block ends the offer of the two, who keep waiting and do not meet again',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await anna.act('BLOCK_USER', { user_id: boris.id })
    for (const one of [boris, anna])
      await one.heard('search_pair_closed', { pair_id, reason: 'blocked' }, { times: 1 })
    for (const one of [boris, anna]) deepEqual(await fetchState(one), { state: 'waiting' })
    await testApp.advance('1 min')
    await boris.heard('search_pair', {}, { times: 1 })
  },
)

tell('a profile change of a waiting user is used at once', async ({ boris, anna, carl }) => {
  await anna.act('UPDATE_PROFILE', { premium_calls_only: true })
  await anna.act('MATCH_AWAIT', {})
  deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
  await boris.testApp.duet('premium', carl.id, '--days', '30')
  await boris.testApp.duet('premium', boris.id, '--days', '30')
  await boris.heard('search_pair')
})

tell(
  'the end of premium is told to the user and used in the search at once, also after a restart',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('premium', boris.id, '--days', '1')
    await testApp.crash()
    for (const one of [boris, anna]) await one.comeBack()
    await testApp.leap('1439 min')
    for (const one of [boris, anna]) await one.comeBack()
    await anna.act('UPDATE_PROFILE', { premium_calls_only: true })
    await anna.act('MATCH_AWAIT', {})
    await anna.act('OUT_FROM_SEARCH', {})
    await boris.act('MATCH_AWAIT', {})
    boris.forget()
    await testApp.advance('50 s')
    await boris.notHeard('user_info')
    await testApp.advance('11 s')
    const { user } = await boris.heard('user_info', {}, { times: 1 })
    equal(user.is_premium, false)
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await boris.notHeard('search_pair')
  },
)

tell(
  'a restart cancels open offers, which do not count as missed, and ends all searches',
  async ({ testApp, boris, anna }) => {
    await fetchOffer(boris, anna)
    await testApp.crash()
    const row = await testApp.app.db.selectFrom('pairs').selectAll().executeTakeFirstOrThrow()
    deepEqual([row.state, row.reason], ['closed', 'cancelled'])
    for (const one of [boris, anna]) deepEqual((await one.comeBack()).search, { state: 'idle' })
    const pair_id = await fetchOffer(boris, anna)
    await anna.heard('search_pair', { pair_id, missed_offers: 0 })
  },
)

tell(
  'two users whose offer was created in a commit with a lost answer are offered again without blame',
  async ({ testApp, boris, anna }) => {
    loseAnswerOfCommit(testApp, /insert into "pairs"/)
    await boris.act('MATCH_AWAIT', {})
    await anna.act('MATCH_AWAIT', {})
    await testApp.advance('8 s')
    for (const one of [boris, anna]) equal((await fetchState(one)).state, 'offered')
    const row = await getAvailability(testApp.app.db, anna.id)
    equal(row?.missed_offers ?? 0, 0)
  },
)

tell(
  'two users whose offer was lost and recovered keep waiting and are offered again',
  async ({ testApp, boris, anna }) => {
    const pair_id = await fetchOffer(boris, anna)
    await testApp.database.pool.query('update pairs set fence = fence + 1')
    await boris.tryAct('SEARCH_PAIR_ACCEPT', { pair_id }).catch(() => {})
    await testApp.advance('22 s')
    equal((await fetchState(boris)).state, 'offered')
    const rows = await testApp.app.db
      .selectFrom('pairs')
      .select(['state', 'reason'])
      .orderBy('opened_at')
      .execute()
    deepEqual(rows[0], { state: 'closed', reason: 'cancelled' })
    equal(rows[1]?.state, 'open')
  },
)

tell('other users see that a user searches', async ({ testApp, boris, anna }) => {
  await boris.act('SUBSCRIBE', { user_ids: [anna.id] })
  await anna.act('MATCH_AWAIT', {})
  await testApp.advance('300 ms')
  await boris.heard('update_status_user', {
    user_id: anna.id,
    status: 'online',
    sub_status: 'searching',
  })
  await anna.act('OUT_FROM_SEARCH', {})
  await testApp.advance('300 ms')
  await boris.heard('update_status_user', {
    user_id: anna.id,
    status: 'online',
    sub_status: 'free',
  })
})

tell(
  'a user who searches again after a call starts a new wait with the former languages',
  async ({ testApp, boris, anna }) => {
    await anna.act('MATCH_AWAIT', { locales: ['fr', 'en'] })
    await boris.act('MATCH_AWAIT', {})
    const { pair_id } = await boris.heard('search_pair')
    for (const one of [boris, anna]) await one.act('SEARCH_PAIR_ACCEPT', { pair_id })
    deepEqual(await fetchState(anna), { state: 'idle', reason: 'in_call' })
    await hangUp(testApp, boris, anna, { requeue: ['girl'] })
    deepEqual(await fetchState(anna), { state: 'waiting' })
    deepEqual(await fetchState(boris), { state: 'idle' })
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await boris.heard('search_pair', {}, { times: 1 })
  },
)

tell(
  'a user without a page, with a break, or without a second to pay does not search again',
  async ({ testApp, boris, anna }) => {
    await hangUp(testApp, boris, anna, { requeue: ['girl'], begin_break: true })
    deepEqual(await fetchState(anna), { state: 'break' })
    await withoutQuota(testApp, boris)
    await hangUp(testApp, boris, anna, { requeue: ['guy'] })
    deepEqual(await fetchState(boris), { state: 'idle', reason: 'no_balance' })
    await anna.act('MATCH_AWAIT', {})
    await anna.act('OUT_FROM_SEARCH', {})
    await anna.drop()
    await hangUp(testApp, boris, anna, { requeue: ['girl'] })
    await testApp.settle()
    deepEqual((await anna.comeBack()).search, { state: 'idle' })
  },
)

tell(
  'a break survives a restart and ends with the next search',
  async ({ testApp, anna, boris }) => {
    await boris.act('SUBSCRIBE', { user_ids: [anna.id] })
    await hangUp(testApp, boris, anna, { begin_break: true })
    await testApp.advance('300 ms')
    await boris.heard('update_status_user', { user_id: anna.id, sub_status: 'break' })
    await testApp.crash()
    deepEqual((await anna.comeBack()).search, { state: 'break' })
    await boris.comeBack()
    const [seen] = (await boris.act('SUBSCRIBE', { user_ids: [anna.id] })).statuses
    equal(seen?.sub_status, 'break')
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await anna.act('OUT_FROM_SEARCH', {})
    deepEqual(await fetchState(anna), { state: 'idle' })
  },
)

tell(
  'a girl who leaves the search during her break or after missed offers is idle, also after a reload',
  async ({ testApp, boris, carl, anna }) => {
    await boris.act('SUBSCRIBE', { user_ids: [anna.id] })
    await hangUp(testApp, boris, anna, { begin_break: true })
    deepEqual(await fetchState(anna), { state: 'break' })
    await testApp.advance('300 ms')
    await anna.act('OUT_FROM_SEARCH', {})
    deepEqual(await fetchState(anna), { state: 'idle' })
    await testApp.advance('300 ms')
    const [seen] = (await boris.act('SUBSCRIBE', { user_ids: [anna.id] })).statuses
    equal(seen?.sub_status, 'free')
    deepEqual((await anna.comeBack()).search, { state: 'idle' })

    await testApp.setting('missed_offers', '1')
    await anna.act('MATCH_AWAIT', {})
    await passes(testApp, [carl], anna)
    deepEqual(await fetchState(anna), { state: 'paused', reason: 'missed_offers' })
    await anna.act('OUT_FROM_SEARCH', {})
    deepEqual(await fetchState(anna), { state: 'idle' })
  },
)

tell(
  'the break of a girl who is away is in its row only, until she connects',
  async ({ testApp, boris, anna }) => {
    await pickUp(testApp, boris, anna)
    await anna.drop()
    await testApp.advance('6 s')
    await hangUp(testApp, boris, anna, { begin_break: true })
    await testApp.settle()
    equal(getActivity(testApp.app, anna.id), 'free')
    deepEqual((await anna.comeBack()).search, { state: 'break' })
    await testApp.settle()
    equal(getActivity(testApp.app, anna.id), 'break')
  },
)

tell(
  'a girl in a call requests a break by leaving the search, and cancels it by searching',
  async ({ testApp, boris, anna }) => {
    await pickUp(testApp, boris, anna)
    breaks.length = 0
    await anna.act('OUT_FROM_SEARCH', {})
    await boris.act('OUT_FROM_SEARCH', {})
    await anna.isRefused('in_call', () => anna.act('MATCH_AWAIT', {}))
    deepEqual(breaks, [
      { user_id: anna.id, on: true },
      { user_id: anna.id, on: false },
    ])
  },
)

withCalls({ takes_breaks: false }).tell(
  'the break of a girl whose call ended while she asked for it begins at once',
  async ({ testApp, boris, anna }) => {
    await pickUp(testApp, boris, anna)
    await anna.act('OUT_FROM_SEARCH', {})
    await hangUp(testApp, boris, anna, { requeue: ['girl'] })
    await testApp.settle()
    deepEqual(await fetchState(anna), { state: 'break' })
  },
)

story('a visitor without a search gets the idle state when they connect', async ({ testApp }) => {
  const visitor = testApp.user('a visitor')
  deepEqual((await visitor.auth()).search, { state: 'idle' })
})

const CREATIONS_MAX = 10

tell(
  'two users whose offer is refused without a visible conflict are tried again by the next sweep',
  async ({ testApp, anna, boris }) => {
    // A meeting does not keep them apart after any wait.
    await testApp.setting('rematch_anyone', '1')
    await testApp.setting('rematch_last_only', '1')
    const process = offers(testApp.app)
    const create = process.create.bind(process)
    let creations = 0
    process.create = (id, prepare) =>
      ++creations > CREATIONS_MAX ? create(id, prepare) : Promise.resolve(false)
    const { queue } = matchmakingState(testApp.app)
    const enqueueNow = queue.enqueue.bind(queue)
    // Both have waited for long.
    queue.enqueue = (searcher, nowMs) =>
      enqueueNow({ ...searcher, waiting_since_ms: nowMs - 3_600_000 }, nowMs)
    await anna.act('MATCH_AWAIT', {})
    await boris.act('MATCH_AWAIT', {})
    await testApp.settle()
    equal(creations, 1)
    await testApp.advance('1 s')
    equal(creations, 2)
  },
)
