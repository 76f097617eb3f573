import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findInvitation } from '@duet/server/modules/matchmaking/invitations/invitation-process.ts'
import { getAvailability } from '@duet/server/modules/matchmaking/availability.ts'
import {
  isAvailable,
  matchmakingState,
  findSearchSession,
  type SearchSession,
} from '@duet/server/modules/matchmaking/search-sessions.ts'
import { setting } from '@duet/server/modules/settings/index.ts'
import { getActivity, isInCall, isOnline } from '@duet/server/modules/presence/index.ts'
import { WireRefused } from '@duet/testkit/test-user.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { SearchingUser } from '@duet/testkit/searching-user.ts'

/** Exclusivity over the whole app; `PROOF=long` runs the long form. */
const STEPS = process.env.PROOF === 'long' ? 200_000 : 1_500
const SEED = testSeed()
const AT_ONCE_MAX = 6
/**
 * After this number of rounds all users are idle for a while, so that the state in which every possible
 * pair has met is checked too.
 */
const CALM_EVERY_ROUNDS = 60
/** Longer than former partners are excluded, and then some sweeps. */
const CALM_SECONDS = 26
const SWEEP_SECONDS = 1

/** The actions of a user in one step; the names are printed when a history fails. */
const ACTIONS = {
  async search({ user, person }) {
    person.left = false
    if (!user.signaling) await user.openSignal()
    await user.act('MATCH_AWAIT', {})
  },
  async stop({ user, person }) {
    await user.act('OUT_FROM_SEARCH', {})
    person.leaves()
  },
  async accept({ user, person }) {
    for (const prepare_id of openPreparations(user)) user.signal('PREPARED', { prepare_id })
    await user.act('SEARCH_PAIR_ACCEPT', { pair_id: person.pair_id ?? crypto.randomUUID() })
  },
  async reject({ user, person }) {
    await user.act('SEARCH_PAIR_REJECT', { pair_id: person.pair_id ?? crypto.randomUUID() })
  },
  async acceptOld({ user, person, pick, people }) {
    const seen = pick([person, pick(people)]).seen_pairs
    await user.act('SEARCH_PAIR_ACCEPT', {
      pair_id: seen.length > 0 ? pick(seen) : crypto.randomUUID(),
    })
  },
  async call({ user, person, pick, people }) {
    const other = pick(people.filter(({ side }) => side !== person.side))
    await user.act('INVITE_TO_CHAT', { user_id: other.id })
  },
  async answerRing({ user, person, pick }) {
    const pair_id = person.ring?.pair_id ?? crypto.randomUUID()
    const answer = pick(['SEARCH_PAIR_ACCEPT', 'SEARCH_PAIR_ACCEPT', 'SEARCH_PAIR_REJECT'] as const)
    await user.act(answer, { pair_id })
  },
  async leave({ user, person, pick }) {
    if (person.session_id === undefined) return
    const wish = pick([{}, { next: true }, { break: true }])
    await user.act('BREAK_SESSION', { session_id: person.session_id, ...wish })
  },
  async join({ user, person }) {
    const { session_id } = person
    if (session_id === undefined) return
    if (!user.signaling) await user.openSignal()
    user.signal('JOIN_SESSION', { session_id })
  },
  async block({ user, person, pick, people }) {
    const other = pick(people.filter(({ side }) => side !== person.side))
    await user.act('BLOCK_USER', { user_id: other.id })
  },
  async unblock({ user, person, pick, people }) {
    const other = pick(people.filter(({ side }) => side !== person.side))
    await user.act('UNBLOCK_USER', { user_id: other.id })
  },
  async vanish({ person }) {
    person.vanish()
  },
  async reload({ person }) {
    person.vanish()
    await person.arrive('same')
  },
  async takeOver({ person }) {
    await person.arrive('another')
  },
} satisfies Record<string, (of: ActionContext) => Promise<void>>

interface ActionContext {
  readonly user: SearchingUser['user']
  readonly person: SearchingUser
  readonly people: readonly SearchingUser[]
  readonly pick: <T>(from: readonly T[]) => T
}
type ActionName = keyof typeof ACTIONS

/** The weights of the actions: a user answers a visible offer more often than they do anything else. */
const ACTION_WEIGHTS: readonly ActionName[] = [
  ...Array<ActionName>(8).fill('search'),
  ...Array<ActionName>(4).fill('accept'),
  ...Array<ActionName>(3).fill('leave'),
  ...Array<ActionName>(2).fill('call'),
  'reject',
  'stop',
  'acceptOld',
  'join',
  'join',
  'block',
  'unblock',
  'unblock',
  'vanish',
  'reload',
  'takeOver',
]

test(`in ${STEPS} random steps of twelve users no user is in two calls, offers or rings, blocked users never meet, and all who can meet do (seed ${SEED})`, async () => {
  const testApp = await openTestApp()
  const history: string[] = []
  try {
    await testApp.setting('absences_an_hour', '100')
    await testApp.setting('ring_again', '0')
    await testApp.setting('rings_an_hour', '100')
    // Preparations must change nothing of the rest.
    await testApp.setting('prepare_direct', 'on')
    const random = randomFrom(SEED)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const { guys, girls } = await enterCrowd(testApp, { guys: 6, girls: 6, minutes: 500_000 })
    const people = [
      ...guys.map((user) => new SearchingUser(user, 'guy')),
      ...girls.map((user) => new SearchingUser(user, 'girl')),
    ]
    for (let done = 0, rounds = 1; done < STEPS; rounds += 1) {
      const busy = new Set(
        Array.from({ length: 1 + Math.floor(random() * AT_ONCE_MAX) }, () => pick(people)),
      )
      done += busy.size
      const atOnce = [...busy].map((person) => [person, chosenBy(person, random, pick)] as const)
      history.push(atOnce.map(([person, action]) => `${person.user.name} ${action}`).join(' | '))
      await Promise.all(atOnce.map(([person, action]) => act(person, action, people, pick)))
      await testApp.settle()
      for (const person of people) if (person.online) person.follow()
      await assertExclusive(testApp)
      await assertPreparations(testApp, people)
      if (rounds % CALM_EVERY_ROUNDS === 0) await assertIdleState(testApp, people, history)
      else if (random() < 0.6) await pass(testApp, random() * 3000, history)
    }
    await assertIdleState(testApp, people, history)
    const sum = (of: (person: SearchingUser) => number) =>
      people.reduce((all, person) => all + of(person), 0)
    console.log(
      `exclusivity: ${sum(({ offers }) => offers)} offers and ${sum(({ calls }) => calls)} calls were published`,
    )
    ok(sum(({ calls }) => calls) > STEPS / 50, 'almost no users met')
    ok((await countDirectCalls(testApp)) > STEPS / 200, 'almost no user called another')
    equal((await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
  } catch (error) {
    console.error(`The end of the history (SEED=${SEED}):\n${history.slice(-12).join('\n')}`)
    throw error
  } finally {
    await testApp.close()
  }
})

async function countDirectCalls({ app }: TestApp): Promise<number> {
  const rows = await app.db
    .selectFrom('video_sessions')
    .select('session_id')
    .where('kind', '=', 'direct')
    .execute()
  return rows.length
}

function chosenBy(
  person: SearchingUser,
  random: () => number,
  pick: ActionContext['pick'],
): ActionName {
  if (!person.online) return 'reload'
  if (person.ring !== undefined && random() < 0.5) return 'answerRing'
  if (person.pair_id !== undefined && random() < 0.5) return random() < 0.7 ? 'accept' : 'reject'
  return pick(ACTION_WEIGHTS)
}

async function act(
  person: SearchingUser,
  action: ActionName,
  people: readonly SearchingUser[],
  pick: ActionContext['pick'],
): Promise<void> {
  if (action === 'reload' && !person.online) return person.arrive('same')
  try {
    await ACTIONS[action]({ user: person.user, person, people, pick })
  } catch (error) {
    // A refusal with a name is allowed; no other error is.
    if (!(error instanceof WireRefused) || error.code === 999) throw error
  }
}

async function pass(testApp: TestApp, ms: number, history: string[]): Promise<void> {
  history.push(`${Math.round(ms)} ms pass`)
  await testApp.advance(Math.round(ms))
}

/** Checks the rows alone, after every round. */
async function assertExclusive({ app }: TestApp): Promise<void> {
  const { rows } = await sql<{ law: string; who: string }>`
    with calls as (select session_id, guy_id, girl_id from video_sessions where status <> 'closed'),
      offers as (select pair_id, guy_id, girl_id from pairs where state = 'open'),
      rings as (select guy_id, girl_id, case caller when 'guy' then guy_id else girl_id end as caller_id from invitations where state = 'open'),
      together as (select guy_id, girl_id, 'call' as what from calls union all select guy_id, girl_id, 'offer' from offers),
      people as (
        select guy_id as id, what from together union all select girl_id, what from together
        union all select caller_id, 'own ring' from rings
      ),
      ringing as (select guy_id as id from rings union all select girl_id from rings)
    select 'in two at once' as law, id || ': ' || string_agg(what, ', ') as who from people group by id having count(*) > 1
    union all
    select 'in two rings', id::text from ringing group by id having count(*) > 1
    union all
    select 'called in a private call', id::text from ringing join video_sessions on id in (guy_id, girl_id)
      where status <> 'closed' and video_sessions.state = 'private'
    union all
    select 'blocked and ringing', guy_id || ' and ' || girl_id from rings
    where exists (select 1 from blocks where (owner_id, blocked_id) in ((guy_id, girl_id), (girl_id, guy_id)))
    union all
    select 'blocked and together', guy_id || ' and ' || girl_id || ' in ' || what from together
    where exists (select 1 from blocks where (owner_id, blocked_id) in ((guy_id, girl_id), (girl_id, guy_id)))`.execute(
    app.db,
  )
  deepEqual(rows, [])
}

/**
 * A page has one preparation at most, only with the partner of its open offer, and no third page has the
 * same. So a preparation never outlives what it was made for, and never binds a user.
 */
async function assertPreparations({ app }: TestApp, people: readonly SearchingUser[]) {
  const holders = new Map<string, number[]>()
  for (const { id, user } of people.filter(({ online }) => online)) {
    const open = openPreparations(user)
    ok(open.size <= 1, `${user.name} has ${open.size} preparations`)
    for (const prepare_id of open) holders.set(prepare_id, [...(holders.get(prepare_id) ?? []), id])
  }
  for (const ids of holders.values()) {
    ok(ids.length <= 2, `${ids.length} pages have the same preparation`)
    const offer = app.db
      .selectFrom('pairs')
      .select('pair_id')
      .where('state', '=', 'open')
      .where('guy_id', 'in', ids)
      .where('girl_id', 'in', ids)
    if (ids.length === 2) ok(await offer.executeTakeFirst(), `${ids.join(' and ')} are not offered`)
  }
}

/** As the page knows it: what `new_session` names is part of the call. */
function openPreparations(user: SearchingUser['user']): Set<string> {
  const open = new Set<string>()
  for (const { event, payload } of user.signaling?.heard ?? []) {
    if (event === 'prepare_peer') open.add(String(payload.prepare_id))
    if (event === 'prepare_cancelled') open.delete(String(payload.prepare_id))
  }
  for (const { payload } of user.all('new_session'))
    open.delete(String((payload.session as { prepare_id?: string }).prepare_id))
  return open
}

/** All users are idle for a while: offers and calls end, and no possible pair is left among those who still wait. */
async function assertIdleState(
  testApp: TestApp,
  people: readonly SearchingUser[],
  history: string[],
): Promise<void> {
  await pass(testApp, CALM_SECONDS * 1000, history)
  const { app } = testApp
  for (const person of people) if (person.online) person.follow()
  await assertExclusive(testApp)
  const { queue, searches } = matchmakingState(app)
  for (const { user_id } of searches.values()) {
    const search = findSearchSession(app, user_id)!
    equal(
      (await queue.find(user_id)) !== undefined,
      isAvailable(search),
      `${user_id} is in the queue if and only if available`,
    )
  }
  const { guys, girls } = await queue.size()
  equal(
    guys + girls,
    [...searches.values()].filter(isAvailable).length,
    'only users who search are in the queue',
  )
  for (const person of people) await assertAgreesWithRows(testApp, person)
  const waiting = [...searches.values()].filter(isAvailable)
  for (const guySearch of waiting.filter(({ side }) => side === 'guy')) {
    for (const girlSearch of waiting.filter(({ side }) => side === 'girl')) {
      const why = await whyApart(testApp, guySearch, girlSearch)
      ok(why, `guy ${guySearch.user_id} and girl ${girlSearch.user_id} may meet and both wait`)
    }
  }
}

/** The view of other users on a user, and the state of the user’s own page, agree with the rows. */
async function assertAgreesWithRows({ app }: TestApp, person: SearchingUser): Promise<void> {
  const { id, online, user } = person
  const call = await app.db
    .selectFrom('video_sessions')
    .select(['session_id', 'state'])
    .where('status', '!=', 'closed')
    .where((or) => or.or([or('guy_id', '=', id), or('girl_id', '=', id)]))
    .executeTakeFirst()
  equal(isInCall(app, id), call !== undefined, `${user.name} is in a call`)
  equal(isOnline(app, id), online, `${user.name} is online`)
  if (!online)
    return equal(findSearchSession(app, id), undefined, `${user.name} is offline and searches`)
  equal(person.session_id, call?.session_id, `the page of ${user.name} knows its call`)
  const search = findSearchSession(app, id)
  equal(
    findInvitation(app, id)?.pair_id,
    person.ring?.pair_id,
    `the page of ${user.name} knows its ring`,
  )
  if (person.pair_id !== undefined)
    equal(search?.pair?.pair_id, person.pair_id, `the page of ${user.name} knows its offer`)
  const rest = await getAvailability(app.db, id)
  const truth = call ? call.state : search ? 'searching' : rest?.on_break ? 'break' : 'free'
  equal(getActivity(app, id), truth, `what others see of ${user.name}`)
}

/**
 * Only two reasons keep two users apart: a block, or a last partner who has not waited long yet. The queue
 * notices the elapsed time at the next sweep.
 */
async function whyApart(
  { app, clock }: TestApp,
  guySearch: SearchSession,
  girlSearch: SearchSession,
): Promise<string | undefined> {
  const [guy_id, girl_id] = [guySearch.user_id, girlSearch.user_id]
  const shorterWait = Math.min(
    ...[guySearch, girlSearch].map((search) =>
      clock.now().since(search.waiting_since).total('seconds'),
    ),
  )
  const hasWaited = shorterWait > setting(app, 'rematch_anyone') + SWEEP_SECONDS
  const { rows } = await sql<{ why: string }>`
    select 'blocked' as why from blocks where (owner_id, blocked_id) in ((${guy_id}::int8, ${girl_id}::int8), (${girl_id}::int8, ${guy_id}::int8))
    union all
    select 'met last' from meetings m where not ${hasWaited} and m.guy_id = ${guy_id} and m.girl_id = ${girl_id}
      and m.at > ${clock.now().subtract({ minutes: 30 })}
      and (m.at >= (select max(at) from meetings where guy_id = ${guy_id})
        or m.at >= (select max(at) from meetings where girl_id = ${girl_id}))`.execute(app.db)
  return rows[0]?.why
}
