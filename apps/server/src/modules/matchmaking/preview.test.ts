import { toGender } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, fail, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestUser } from '@duet/testkit/test-user.ts'
import type { App } from '../../core/app.ts'
import { sweepPreviews } from './preview.ts'
import { EMPTY_IDS, NO_RECENT } from './queue/pairing-rules.ts'
import { matchmakingState } from './search-sessions.ts'
import { fetchState, withCalls } from '@duet/testkit/searching.ts'

const { tell } = withCalls()

async function confirmed(visitor: TestUser): Promise<void> {
  await visitor.post('age/confirm', { confirmed: true, terms: true })
}

tell(
  'a visitor sees a blurred card of a girl who really searches, and she gets no event',
  async ({ greg, anna, boris }) => {
    await confirmed(greg)
    await anna.act('MATCH_AWAIT', {})
    anna.forget()
    deepEqual(await greg.act('MATCH_AWAIT', {}), { state: 'offered' })
    const shown = await greg.heard('search_pair', { kind: 'preview' })
    if (shown.kind !== 'preview') fail('no preview')
    deepEqual(Object.keys(shown.user_interlocutor).toSorted(), ['avatar_blurred', 'locale', 'role'])
    equal(shown.user_interlocutor.role, 'girl')
    equal(
      new URL(
        shown.user_interlocutor.avatar_blurred ?? '',
        'http://duet.example',
      ).pathname.endsWith('/blur'),
      true,
    )
    deepEqual(
      [shown.price, shown.free_seconds, shown.expires_in_ms, shown.state],
      ['1', 10, 10_000, 'public'],
    )
    await anna.notHeard('search_pair')
    await anna.notHeard('search_state')
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'offered' })
    await anna.heard('search_pair', { kind: 'random' })
  },
)

tell(
  'the picture of a preview opens blurred only, also for a visitor who has confirmed the age',
  async ({ testApp, greg, anna }) => {
    await confirmed(greg)
    await anna.act('MATCH_AWAIT', {})
    await greg.act('MATCH_AWAIT', {})
    const shown = await greg.heard('search_pair', { kind: 'preview' })
    if (shown.kind !== 'preview') fail('no preview')
    const url = shown.user_interlocutor.avatar_blurred!
    const [, blurredId] = /^\/media\/([0-9a-f-]{36})\/blur$/.exec(url)!
    const picture = await testApp.app.db
      .selectFrom('users')
      .select('avatar_id')
      .where('id', '=', anna.id)
      .executeTakeFirstOrThrow()
    notEqual(blurredId, picture.avatar_id)
    equal((await fetch(`${testApp.origin}${url}`)).status, 200)
    equal((await fetch(`${testApp.origin}/media/${picture.avatar_id}/blur`)).status, 404)
    deepEqual((await greg.post('media/urls', { ids: [blurredId] })).urls, [])
  },
)

tell('a sweep reads the cards of all visitors together', async ({ testApp, greg, gina, anna }) => {
  const third = await testApp.guest()
  const readsOfSweep = async (...visitors: TestUser[]) => {
    for (const visitor of visitors) {
      await confirmed(visitor)
      deepEqual(await visitor.act('MATCH_AWAIT', {}), { state: 'waiting' })
    }
    await anna.act('MATCH_AWAIT', {})
    await testApp.settle()
    let reads = 0
    const count = () => void (reads += 1)
    testApp.database.pool.on('acquire', count)
    await sweepPreviews(testApp.app)
    testApp.database.pool.off('acquire', count)
    for (const visitor of visitors) deepEqual(await fetchState(visitor), { state: 'offered' })
    for (const one of [anna, ...visitors]) await one.act('OUT_FROM_SEARCH', {})
    return reads
  }
  const one = await readsOfSweep(greg)
  ok(one > 0)
  equal(await readsOfSweep(greg, gina, third), one)
})

/** Girls of the queue alone, better placed than all others, who hide from the countries of all visitors. */
async function enqueueHiding(app: App, count: number): Promise<void> {
  for (let user_id = 1_000_001; user_id <= 1_000_000 + count; user_id++)
    await matchmakingState(app).queue.enqueue(
      {
        user_id,
        side: 'girl',
        rank: 0,
        premium: false,
        locales: [],
        waiting_since_ms: app.clock.now().epochMilliseconds,
        excluded: EMPTY_IDS,
        recent: NO_RECENT,
        hides_countries: new Set(['FR']),
      },
      app.clock.now().epochMilliseconds,
    )
}

tell(
  'a visitor sees the girl who is allowed behind many who hide from the country',
  async ({ testApp, greg, anna }) => {
    await enqueueHiding(testApp.app, 100)
    await anna.act('MATCH_AWAIT', {})
    await confirmed(greg)
    await greg.act('MATCH_AWAIT', {})
    await testApp.advance('1 s')
    await greg.heard('search_pair', { kind: 'preview' })
    deepEqual(await fetchState(greg), { state: 'offered' })
  },
)

tell(
  'visitors whose turn did not come in a sweep are first in the next',
  async ({ testApp, greg, gina }) => {
    await enqueueHiding(testApp.app, 30)
    for (const visitor of [greg, gina]) {
      await confirmed(visitor)
      deepEqual(await visitor.act('MATCH_AWAIT', {}), { state: 'waiting' })
    }
    const { queue } = matchmakingState(testApp.app)
    const find = queue.findPartner.bind(queue)
    const sought: number[] = []
    queue.findPartner = (seeker, ...rest) => {
      sought.push(seeker.user_id)
      return find(seeker, ...rest)
    }
    for (let sweep = 0; sweep < 4; sweep++) await sweepPreviews(testApp.app, 10)
    deepEqual(sought, [greg.id, gina.id, greg.id, gina.id])
  },
)

tell(
  'accepting needs an account, for a preview and for any other pair id',
  async ({ greg, anna }) => {
    await confirmed(greg)
    await anna.act('MATCH_AWAIT', {})
    await greg.act('MATCH_AWAIT', {})
    const { pair_id } = await greg.heard('search_pair')
    await greg.isRefused('registered_only', () => greg.act('SEARCH_PAIR_ACCEPT', { pair_id }))
    await greg.isRefused('registered_only', () =>
      greg.act('SEARCH_PAIR_ACCEPT', { pair_id: randomUUID() }),
    )
    deepEqual(await fetchState(greg), { state: 'offered' })
    await anna.notHeard('search_pair_closed')
  },
)

tell(
  'a waiting visitor sees a girl as soon as one searches, and another one after each preview',
  async ({ testApp, greg, anna, vera }) => {
    await confirmed(greg)
    deepEqual(await greg.act('MATCH_AWAIT', {}), { state: 'waiting' })
    deepEqual(await greg.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await anna.act('MATCH_AWAIT', {})
    await vera.act('MATCH_AWAIT', {})
    await testApp.advance('1 s')
    const { pair_id } = await greg.heard('search_pair', {}, { times: 1 })
    await testApp.advance('10 s')
    await greg.heard('search_pair_closed', { pair_id, reason: 'expired' }, { times: 1 })
    await testApp.advance('1 s')
    await greg.heard('search_pair', {}, { times: 2 })
  },
)

tell('a visitor who declines leaves the search', async ({ testApp, greg, anna }) => {
  await confirmed(greg)
  await anna.act('MATCH_AWAIT', {})
  await greg.act('MATCH_AWAIT', {})
  const { pair_id } = await greg.heard('search_pair')
  await greg.isRefused('pair_over', () => greg.act('SEARCH_PAIR_REJECT', { pair_id: randomUUID() }))
  await greg.act('SEARCH_PAIR_REJECT', { pair_id })
  await greg.heard('search_pair_closed', { pair_id, reason: 'declined' })
  deepEqual(await fetchState(greg), { state: 'idle' })
  await greg.isRefused('pair_over', () => greg.act('SEARCH_PAIR_REJECT', { pair_id }))
  await testApp.advance('15 s')
  await greg.heard('search_pair', {}, { times: 1 })
  await anna.notHeard('search_pair_closed')
})

tell('a visitor who leaves the search gets no more previews', async ({ testApp, greg, anna }) => {
  await confirmed(greg)
  await anna.act('MATCH_AWAIT', {})
  await greg.act('MATCH_AWAIT', {})
  await greg.act('OUT_FROM_SEARCH', {})
  await greg.heard('search_pair_closed', { reason: 'cancelled' })
  deepEqual(await fetchState(greg), { state: 'idle' })
  await testApp.advance('15 s')
  await greg.heard('search_pair', {}, { times: 1 })
})

tell(
  'a visitor’s page that reconnects in time gets its preview, later none',
  async ({ testApp, greg, anna }) => {
    await confirmed(greg)
    await anna.act('MATCH_AWAIT', {})
    await greg.act('MATCH_AWAIT', {})
    const { pair_id } = await greg.heard('search_pair')
    await greg.drop()
    await testApp.advance('3 s')
    const { search } = await greg.comeBack()
    deepEqual(
      [search?.state, search?.pair?.pair_id, search?.pair?.expires_in_ms],
      ['offered', pair_id, 7000],
    )
    await greg.drop()
    await testApp.advance('6 s')
    deepEqual((await greg.comeBack()).search, { state: 'idle' })
  },
)

tell(
  'a visitor who registers leaves the preview and can search as a member',
  async ({ greg, anna }) => {
    await confirmed(greg)
    await anna.act('MATCH_AWAIT', {})
    await greg.act('MATCH_AWAIT', {})
    await greg.act('UPDATE_PROFILE', {
      nick: 'Greg',
      email: 'greg@duet.example',
      password: 'greg-secret-1',
      repeat_password: 'greg-secret-1',
      birthday: '1990-05-05',
      gender: toGender('guy'),
    })
    await greg.heard('free_quota', { seconds: 60 })
    deepEqual(await fetchState(greg), { state: 'idle' })
    deepEqual(await greg.act('MATCH_AWAIT', {}), { state: 'offered' })
    await anna.heard('search_pair', { kind: 'random' })
  },
)
