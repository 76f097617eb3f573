import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createChangeTracker } from '../../packages/client/src/change-tracker.ts'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openTestApp, story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { ledgerCheck } from '@duet/server/modules/ledger/index.ts'

/** How many histories, and how long each may be: every step goes over the wire. */
const HISTORIES = 12
const STEPS_MAX = 25

const names = ['boris', 'anna', 'vera'] as const
type Name = (typeof names)[number]

type Step =
  | { readonly kind: 'act'; readonly who: Name; readonly action: string; readonly whom: Name }
  | { readonly kind: 'grant'; readonly who: Name; readonly minutes: number }
  | { readonly kind: 'drop' | 'return'; readonly who: Name }
  | { readonly kind: 'settle' }

const who = fc.constantFrom(...names)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      who,
      action: fc.constantFrom(
        'ADD_FAVOURITE',
        'ADD_FAVOURITE',
        'REMOVE_FAVOURITE',
        'BLOCK_USER',
        'UNBLOCK_USER',
      ),
      whom: who,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      who,
      minutes: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('drop' as const, 'return' as const), who }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'settle' } as const) },
)

/**
 * The state that a page shows: the user's favourites, and the users who have this user as a
 * favourite.
 */
interface Shown {
  readonly favourites: Map<number, number>
  balance: string
}

async function fetched(of: TestUser): Promise<Shown> {
  const favourites = (await of.get('favourites_pagination', { 'per-page': 50 })).items
  return {
    favourites: new Map(favourites.map(({ id, favourite_id }) => [id, favourite_id])),
    balance: (await of.post('balance')).balance,
  }
}

/** A page as the client keeps it: state fetched once, then nothing but changes. */
class Page {
  readonly user: TestUser
  resets = 0
  #shown: Shown = { favourites: new Map(), balance: '0' }
  #read = 0
  readonly #tracker = createChangeTracker({
    fetchSince: (since) => this.user.act('GET_CHANGES', { since }),
    apply: (event, payload) => this.#apply(event, payload as Record<string, unknown>),
    reset: () => (this.resets += 1),
  })

  constructor(user: TestUser) {
    this.user = user
  }

  get shown(): Shown {
    return this.#shown
  }

  async begin(): Promise<void> {
    const { change_id } = await this.user.comeBack()
    this.#tracker.begin(change_id)
    this.#shown = await fetched(this.user)
  }

  /** Applies the events since the last call, in the order in which they arrived. */
  hear(): void {
    const all = this.user.all()
    for (const { event, payload } of all.slice(this.#read)) {
      const { change_id } = payload
      if (typeof change_id === 'number' && event !== 'auth_success')
        this.#tracker.receive(change_id, event, payload)
    }
    this.#read = all.length
  }

  async resume(): Promise<void> {
    this.#read = 0
    const { change_id } = await this.user.comeBack()
    await this.#tracker.resume(change_id)
  }

  async catchUp(): Promise<void> {
    await this.#tracker.catchUp()
  }

  #apply(event: string, payload: Record<string, unknown>): void {
    if (event === 'add_favourite_success')
      this.#shown.favourites.set(payload.user_id as number, payload.favourite_id as number)
    if (event === 'remove_favourite_success')
      this.#shown.favourites.delete(payload.user_id as number)
    if (event === 'new_balance_info') this.#shown.balance = String(payload.balance)
  }
}

async function play(
  testApp: TestApp,
  pages: ReadonlyMap<Name, Page>,
  history: readonly Step[],
): Promise<void> {
  const running: Promise<unknown>[] = []
  for (const one of history) {
    if (one.kind === 'settle') {
      await testApp.settle()
      for (const page of pages.values()) if (page.user.wire!.socket.connected) page.hear()
      continue
    }
    const page = pages.get(one.who)!
    const { user } = page
    const isHere = user.wire!.socket.connected
    if (one.kind === 'act') {
      // The steps run without waiting for each other, so that they meet in the database.
      if (isHere)
        running.push(
          user.tryAct(one.action, { user_id: pages.get(one.whom)!.user.id }).catch(() => {}),
        )
    } else if (one.kind === 'grant') {
      const asset = one.who === 'boris' ? 'diamond' : 'coin'
      running.push(testApp.duet('grant', user.id, one.minutes, asset, '--reason', 'law'))
    } else if (one.kind === 'drop' && isHere) {
      page.hear()
      await user.drop()
    } else if (one.kind === 'return' && !isHere) await page.resume()
  }
  await Promise.all(running)
}

function comparable({ favourites, balance }: Shown) {
  return { favourites: [...favourites].toSorted(([a], [b]) => a - b), balance }
}

test('a fetched state plus its changes equals the state fetched again, also when connections lose events', async () => {
  const testApp = await openTestApp()
  try {
    const pages = new Map<Name, Page>()
    for (const name of names) pages.set(name, new Page(await addPerson(testApp, name)))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS_MAX }), async (history) => {
        await testApp.advance('1 min')
        for (const page of pages.values()) await page.begin()
        await play(testApp, pages, history)
        await testApp.settle()
        for (const page of pages.values()) {
          if (page.user.wire!.socket.connected) page.hear()
          else await page.resume()
          await page.catchUp()
          deepEqual(comparable(page.shown), comparable(await fetched(page.user)))
          equal(page.resets, 0)
        }
        await holdsInRows(testApp)
      }),
      { numRuns: HISTORIES, seed: testSeed() },
    )
    equal((await ledgerCheck(testApp.app.db)).ok, true)
  } finally {
    await testApp.close()
  }
})

/** Checks that numbers have no gaps, counts equal the rows, and no favourite is blocked. */
async function holdsInRows(testApp: TestApp): Promise<void> {
  const { db } = testApp.app
  const heads = await db.selectFrom('change_heads').select(['user_id', 'head']).execute()
  for (const { user_id, head } of heads) {
    const rows = await db
      .selectFrom('changes')
      .select('change_id')
      .where('user_id', '=', user_id)
      .orderBy('change_id')
      .execute()
    deepEqual(
      rows.map(({ change_id }) => change_id),
      Array.from({ length: head }, (_, index) => index + 1),
    )
  }
  const kept = await db.selectFrom('favourites').select(['owner_id', 'user_id']).execute()
  const blocks = await db.selectFrom('blocks').select(['owner_id', 'blocked_id']).execute()
  const counts = await db.selectFrom('users').select(['id', 'favourites_count']).execute()
  for (const { id, favourites_count } of counts)
    equal(favourites_count, kept.filter(({ owner_id }) => owner_id === id).length)
  for (const { owner_id, blocked_id } of blocks) {
    const between = kept.filter(
      (one) =>
        (one.owner_id === owner_id && one.user_id === blocked_id) ||
        (one.owner_id === blocked_id && one.user_id === owner_id),
    )
    deepEqual(between, [])
  }
}

story(
  'the count of favourites equals the rows after twenty parallel presses',
  async ({ testApp, boris, anna, vera }) => {
    const whom = [anna, vera]
    await together(20, (index) =>
      boris.tryAct(index % 4 < 2 ? 'ADD_FAVOURITE' : 'REMOVE_FAVOURITE', {
        user_id: whom[index % 2]!.id,
      }),
    )
    await holdsInRows(testApp)
  },
)
