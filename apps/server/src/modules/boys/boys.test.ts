import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { createArrivals } from './arrivals.ts'
import { chooseSections, readSections } from './rules.ts'

async function nicks(girl: TestUser, query: Record<string, string | number> = {}) {
  return (await girl.get('boys', query)).items.map(({ nick }) => nick)
}

async function talk(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<void> {
  const call = await inCall(testApp, { guy, girl })
  await call.connect()
  await guy.act('BREAK_SESSION', { session_id: call.session_id })
  for (const one of [guy, girl]) one.forget()
}

async function leave(testApp: TestApp, user: TestUser): Promise<void> {
  await user.drop()
  await testApp.advance('6 s')
}

story(
  'a girl finds the guys who are online and those she talked with, premium first',
  async ({ testApp, boris, carl, david, anna }) => {
    await talk(testApp, david, anna)
    await leave(testApp, david)
    await testApp.duet('premium', carl.id, '--days', 30)
    await testApp.settle()
    deepEqual(await nicks(anna), ['Carl', 'Boris', 'David'])
    deepEqual(await nicks(anna, { filter: 'online' }), ['Carl', 'Boris'])
    deepEqual(await nicks(anna, { filter: 'premium' }), ['Carl'])
    deepEqual(await nicks(anna, { filter: 'talked' }), ['David'])
    const { items } = await anna.get('boys')
    deepEqual(
      items.map(({ is_premium, status, last_talk, can_write, can_invite }) => [
        is_premium,
        status,
        last_talk !== undefined,
        can_write.allowed,
        can_invite.allowed,
      ]),
      [
        [true, 'online', false, true, false],
        [false, 'online', false, true, false],
        [false, 'offline', true, true, false],
      ],
    )
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    equal((await anna.get('boys', { filter: 'online' })).items[1]?.can_invite.allowed, true)
    await testApp.leap('31 days')
    await david.comeBack()
    await leave(testApp, david)
    equal((await nicks(anna, { filter: 'talked' })).length, 0)
  },
)

story(
  'a guy is no longer in the list of a girl once one of the two blocks, he leaves, is banned or is deleted',
  async ({ testApp, boris, carl, david, anna, vera }) => {
    for (const guy of [boris, carl, david]) await talk(testApp, guy, anna)
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await carl.act('BLOCK_USER', { user_id: anna.id })
    for (const filter of ['online', 'talked']) deepEqual(await nicks(anna, { filter }), ['David'])
    deepEqual(await nicks(vera), ['Boris', 'Carl', 'David'])
    await testApp.duet('ban', david.id, '--reason', 'other', '--comment', 'test')
    await testApp.settle()
    deepEqual(await nicks(anna), [])
    await leave(testApp, carl)
    deepEqual(await nicks(vera), ['Boris'])
    await boris.post('delete_account', { password: 'boris-secret-1', confirm: true })
    await testApp.settle()
    deepEqual(await nicks(vera), [])
  },
)

story(
  'a girl who hides from a country does not find guys who may not see her',
  async ({ testApp, boris, carl, anna }) => {
    const inCountry = (id: number, country: string) =>
      testApp.app.transact((tx) =>
        tx.updateTable('users').set({ country }).where('id', '=', id).execute(),
      )
    await inCountry(boris.id, 'DE')
    await inCountry(carl.id, 'FR')
    await anna.post('profile', { hide_countries: ['DE'] })
    deepEqual(await nicks(anna), ['Carl'])
  },
)

story(
  'guests, girls and guys who have left before they registered are in no list',
  async ({ testApp, gina, boris, anna, vera }) => {
    await leave(testApp, boris)
    deepEqual(await nicks(anna), [])
    await boris.comeBack()
    deepEqual(await nicks(anna), ['Boris'])
    await boris.isRefused('role_forbidden', () => boris.get('boys'))
    await gina.isRefused('registered_only', () => gina.get('boys'))
    await vera.isRefused('invalid', () => vera.get('boys', { filter: 'all' }))
    deepEqual(await vera.get('boys', { page: 50 }), {
      items: [],
      page: 50,
      per_page: 20,
      total: null,
      next: false,
    })
  },
)

story('pages of the list follow each other without a gap', async ({ testApp, anna }) => {
  for (let number = 0; number < 5; number += 1)
    await addPerson(testApp, 'boris', `guy-${number}@duet.example`)
  const pages = [1, 2, 3].map((page) => anna.get('boys', { page, 'per-page': 2 }))
  const answers = await Promise.all(pages)
  deepEqual(
    answers.map(({ items, next }) => [items.length, next]),
    [
      [2, true],
      [2, true],
      [1, false],
    ],
  )
  const ids = answers.flatMap(({ items }) => items.map(({ id }) => id))
  deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  )
})

story(
  'a guy who is hidden from a girl leaves no gap in her pages',
  async ({ boris, carl, david, anna }) => {
    deepEqual(await nicks(anna), ['Boris', 'Carl', 'David'])
    const page = async (number: number) => {
      const { items, next } = await anna.get('boys', { page: number, 'per-page': 1 })
      return [items.map(({ nick }) => nick), next]
    }
    await carl.act('BLOCK_USER', { user_id: anna.id })
    deepEqual(
      [await page(1), await page(2), await page(3)],
      [
        [['Boris'], true],
        [['David'], false],
        [[], false],
      ],
    )
    await david.act('BLOCK_USER', { user_id: anna.id })
    deepEqual(await page(1), [[boris.user.nick], false])
  },
)

test('sections are in order, and no guy is in two of them', () => {
  const section = (ids: number[]) => ({
    size: ids.length,
    slice: (from: number, to: number) => ids.slice(from, to),
  })
  const facts = {
    premium: section([1, 2]),
    others: section([5, 6, 7]),
    talks: [
      { user_id: 9, is_premium: false, is_online: false },
      { user_id: 2, is_premium: true, is_online: true },
      { user_id: 3, is_premium: true, is_online: false },
      { user_id: 6, is_premium: false, is_online: true },
    ],
  }
  const all = (filter?: 'online' | 'premium' | 'talked') =>
    readSections(chooseSections(facts, filter), { offset: 0, limit: 100 })
  deepEqual(all(), [1, 2, 3, 5, 6, 7, 9])
  deepEqual(all('online'), [1, 2, 5, 6, 7])
  deepEqual(all('premium'), [1, 2, 3])
  deepEqual(all('talked'), [2, 3, 9, 6])
  for (let offset = 0; offset <= 8; offset += 1)
    for (let limit = 1; limit <= 8; limit += 1)
      deepEqual(
        readSections(chooseSections(facts, undefined), { offset, limit }),
        all().slice(offset, offset + limit),
      )
})

test('arrivals keep their order through any arrivals and departures', () => {
  const arrivals = createArrivals()
  let expected: number[] = []
  let seed = 1
  for (let step = 0; step < 2000; step += 1) {
    seed = (seed * 48_271) % 2_147_483_647
    const id = seed % 40
    if (seed % 3 === 0) {
      arrivals.remove(id)
      expected = expected.filter((other) => other !== id)
    } else {
      arrivals.add(id)
      if (!expected.includes(id)) expected.push(id)
    }
    equal(arrivals.size, expected.length)
  }
  deepEqual(arrivals.slice(0, 40), expected)
})

story(
  'a guy keeps his place among her talks by his Premium, also while he is away',
  async ({ testApp, boris, carl, anna }) => {
    for (const guy of [boris, carl]) {
      await talk(testApp, guy, anna)
      await talk(testApp, guy, anna)
      await leave(testApp, guy)
    }
    deepEqual(await nicks(anna), ['Carl', 'Boris'])
    await testApp.duet('premium', boris.id, '--days', 5)
    await testApp.settle()
    deepEqual(await nicks(anna), ['Boris', 'Carl'])
    deepEqual(await nicks(anna, { filter: 'premium' }), ['Boris'])
    await testApp.leap('6 days')
    await testApp.settle()
    deepEqual(await nicks(anna), ['Carl', 'Boris'])
    equal((await testApp.app.db.selectFrom('talks').selectAll().execute()).length, 2)
  },
)
