import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { withoutQuota } from '@duet/testkit/searching.ts'
import { openTestApp, story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { ledgerCheck } from '@duet/server/modules/ledger/index.ts'
import { type CallStep, playCall } from './convergence-calls.ts'
import { ClientPage } from './convergence-page.ts'
import { deleteAccount, newGirl, newGuest, registerGuest } from './convergence-people.ts'

/** How many histories, and how long each may be: every step goes over the wire. */
const HISTORIES = 12
const STEPS_MAX = 25

/** Nina is a guest who may register, on the socket that she has. Clara is a girl whose account may be deleted. */
const names = ['boris', 'carl', 'anna', 'vera', 'nina'] as const
type Name = (typeof names)[number]
const targetNames = [...names, 'clara'] as const

type Step =
  | {
      readonly kind: 'act'
      readonly who: Name
      readonly action: string
      readonly target: Name | 'clara'
    }
  | { readonly kind: 'grant'; readonly who: Name; readonly minutes: number }
  | { readonly kind: 'drop' | 'return'; readonly who: Name }
  | ({ readonly kind: 'call'; readonly girl: 'anna' | 'vera' | 'clara' } & CallStep)
  | { readonly kind: 'settle' }
  | { readonly kind: 'register' }
  | { readonly kind: 'delete' }

/** Carl is granted only what a call needs, so that he can run out of it. */
const granted = names.filter((name) => name !== 'carl')

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      who: fc.constantFrom(...names),
      action: fc.constantFrom(
        'ADD_FAVOURITE',
        'ADD_FAVOURITE',
        'REMOVE_FAVOURITE',
        'BLOCK_USER',
        'UNBLOCK_USER',
        'LIKE',
        'UNLIKE',
        'START_DIALOG',
        'DELETE_DIALOG',
      ),
      target: fc.constantFrom(...targetNames),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      who: fc.constantFrom(...granted),
      minutes: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('drop' as const, 'return' as const),
      who: fc.constantFrom(...names),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      girl: fc.constantFrom('anna' as const, 'vera' as const, 'clara' as const),
      ends: fc.constantFrom('guy', 'girl', 'away', 'block', 'no_balance', 'deleted'),
      seconds: fc.integer({ min: 1, max: 5 }),
      is_granted_during_call: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>({ kind: 'settle' }, { kind: 'register' }, { kind: 'delete' }),
  },
)

const call = (ends: CallStep['ends'], girl: 'anna' | 'clara' = 'anna'): Step => ({
  kind: 'call',
  girl,
  ends,
  seconds: 3,
  is_granted_during_call: ends === 'guy',
})
const act = (who: Name, action: string, target: Name | 'clara'): Step => ({
  kind: 'act',
  who,
  action,
  target,
})
const favourite = (actor: Name, target: Name | 'clara'): Step => act(actor, 'ADD_FAVOURITE', target)
const settled: Step = { kind: 'settle' }

/** Histories that chance brings too rarely to rely on: every end of a call, a registration, a deleted account. */
const EXAMPLES: [Step[]][] = [
  [[call('guy'), call('girl'), call('away'), call('no_balance')]],
  [
    [
      favourite('carl', 'anna'),
      call('block'),
      favourite('vera', 'clara'),
      call('deleted', 'clara'),
    ],
  ],
  // She has deleted the dialog when the like in it is taken back.
  [
    [
      act('boris', 'UNBLOCK_USER', 'anna'),
      act('anna', 'UNBLOCK_USER', 'boris'),
      settled,
      act('boris', 'LIKE', 'anna'),
      settled,
      act('anna', 'DELETE_DIALOG', 'boris'),
      settled,
      act('boris', 'UNLIKE', 'anna'),
    ],
  ],
  // He has deleted the dialog when the other account is erased.
  [
    [
      act('boris', 'LIKE', 'clara'),
      settled,
      act('boris', 'DELETE_DIALOG', 'clara'),
      settled,
      { kind: 'delete' },
    ],
  ],
  // He reads the refill that names her after she is deleted.
  [[call('no_balance', 'clara'), favourite('boris', 'clara'), { kind: 'delete' }]],
  [
    [
      { kind: 'register' },
      favourite('nina', 'vera'),
      { kind: 'grant', who: 'nina', minutes: 2 },
      { kind: 'drop', who: 'nina' },
      favourite('boris', 'nina'),
    ],
  ],
]

/** The people of one history. */
interface Play {
  readonly testApp: TestApp
  readonly pages: ReadonlyMap<Name, ClientPage>
  readonly clara: Awaited<ReturnType<typeof newGirl>>
  readonly deleted: Set<number>
}

function getId({ pages, clara }: Play, name: Name | 'clara'): number {
  return name === 'clara' ? clara.id : pages.get(name)!.user.id
}

async function removeClara({ testApp, clara, deleted }: Play): Promise<void> {
  await deleteAccount(testApp, clara.id)
  deleted.add(clara.id)
}

async function play(game: Play, history: readonly Step[]): Promise<void> {
  const { testApp, pages } = game
  const running: Promise<unknown>[] = []
  for (const one of history) {
    if (one.kind === 'settle') {
      await Promise.all(running)
      await testApp.settle()
      for (const page of pages.values()) page.hear()
    } else if (one.kind === 'delete') {
      running.push(removeClara(game))
    } else if (one.kind === 'register') {
      await registerGuest(pages.get('nina')!)
    } else if (one.kind === 'call') {
      // Requests that still run could end the call before it has begun.
      await Promise.all(running)
      await playOneCall(game, one)
    } else await actAs(game, one, running)
  }
  await Promise.all(running)
}

async function playOneCall(game: Play, one: Extract<Step, { kind: 'call' }>): Promise<void> {
  const { testApp, pages, clara, deleted } = game
  const carl = pages.get('carl')!
  const page = one.girl === 'clara' ? undefined : pages.get(one.girl)!
  const girl = page?.user ?? clara
  if (deleted.has(girl.id)) return
  for (const each of [carl, page]) {
    if (each && !each.isConnected) await each.resume()
    each?.forget()
  }
  if (!page) girl.forget()
  const ends = one.ends === 'deleted' && page ? 'girl' : one.ends
  await playCall(testApp, carl.user, girl, { ...one, ends }, () => removeClara(game))
}

function getRequest(page: ClientPage, action: string, user_id: number): [string, object] {
  if (action === 'LIKE' || action === 'UNLIKE')
    return ['LIKING_REACTION', { user_id, like: action === 'LIKE' }]
  if (action === 'START_DIALOG') return ['MESSENGER_START_DIALOG', { interlocutor_id: user_id }]
  // A dialog that does not exist is refused.
  if (action === 'DELETE_DIALOG') return [action, { dialogId: page.findDialog(user_id) ?? 1 }]
  return [action, { user_id }]
}

/** The steps run without waiting for each other, so that they meet in the database. */
async function actAs(
  game: Play,
  one: Extract<Step, { who: Name }>,
  running: Promise<unknown>[],
): Promise<void> {
  const { testApp, pages } = game
  const page = pages.get(one.who)!
  const { user } = page
  if (one.kind === 'act') {
    const [action, sent] = getRequest(page, one.action, getId(game, one.target))
    if (page.isConnected && page.is_member) running.push(user.tryAct(action, sent).catch(() => {}))
  } else if (one.kind === 'grant') {
    const asset = one.who === 'boris' ? 'diamond' : 'coin'
    if (page.is_member)
      running.push(testApp.duet('grant', user.id, one.minutes, asset, '--reason', 'law'))
  } else if (one.kind === 'drop' && page.isConnected) {
    page.hear()
    await user.drop()
  } else if (one.kind === 'return' && !page.isConnected) await page.resume()
}

test('a fetched state plus its changes equals the state fetched again, also when connections lose events', async () => {
  const testApp = await openTestApp()
  try {
    // Each history registers a user.
    for (const limit of ['device_registrations_a_day', 'network_registrations_a_day'])
      await testApp.setting(limit, '1000')
    for (const limit of ['email_tries_a_day', 'network_email_tries_a_day'])
      await testApp.setting(limit, '1000')
    await testApp.setting('likes_a_day', '1000')
    const deleted = new Set<number>()
    const members = new Map<Name, ClientPage>()
    for (const name of names.filter((each) => each !== 'nina'))
      members.set(name, new ClientPage(testApp, await addPerson(testApp, name), deleted))
    await withoutQuota(testApp, members.get('carl')!.user)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS_MAX }), async (history) => {
        await testApp.advance('1 min')
        const nina = new ClientPage(testApp, await newGuest(testApp), deleted)
        const pages = new Map(members).set('nina', nina)
        const clara = await newGirl(testApp)
        for (const page of pages.values()) await page.begin()
        await play({ testApp, pages, clara, deleted }, history)
        await testApp.settle()
        for (const page of pages.values()) await page.converges()
        await nina.user.close()
        await clara.close()
        await holdsInRows(testApp)
      }),
      { numRuns: HISTORIES, seed: testSeed(), examples: EXAMPLES },
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
    const girls = [anna, vera]
    await together(20, (index) =>
      boris.tryAct(index % 4 < 2 ? 'ADD_FAVOURITE' : 'REMOVE_FAVOURITE', {
        user_id: girls[index % 2]!.id,
      }),
    )
    await holdsInRows(testApp)
  },
)
