import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { getAvailability } from '@duet/server/modules/matchmaking/availability.ts'
import {
  isAvailable,
  matchmakingState,
  searchSessionOf,
} from '@duet/server/modules/matchmaking/search-sessions.ts'
import { activityOf, isInCall, isOnline } from '@duet/server/modules/presence/index.ts'
import { WireRefused } from '@duet/testkit/test-user.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import { enterCrowd } from './crowd.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { SearchingPerson } from './searching-person.ts'

/** Goal S1 over the whole app: the long form by `PROOF=long`. */
const steps = process.env.PROOF === 'long' ? 200_000 : 1_500
const seed = testSeed()
const AT_ONCE_MAX = 6
/** A pause begins after some of these, so that histories of calm, in which everybody must have met, are checked as well. */
const CALM_EVERY_ROUNDS = 60
/** Longer than an offer lasts, and than old partners stay excluded, with sweeps to follow. */
const CALM_SECONDS = 26

/** What a person does in one step; the names are printed when a history fails. */
const deeds = {
  async search({ actor, person }) {
    person.left = false
    await actor.act('MATCH_AWAIT', {})
  },
  async stop({ actor, person }) {
    await actor.act('OUT_FROM_SEARCH', {})
    person.leaves()
  },
  async accept({ actor, person }) {
    await actor.act('SEARCH_PAIR_ACCEPT', { pair_id: person.pair_id ?? crypto.randomUUID() })
  },
  async reject({ actor, person }) {
    await actor.act('SEARCH_PAIR_REJECT', { pair_id: person.pair_id ?? crypto.randomUUID() })
  },
  async acceptOld({ actor, person, pick, people }) {
    const seen = pick([person, pick(people)]).seen_pairs
    await actor.act('SEARCH_PAIR_ACCEPT', {
      pair_id: seen.length > 0 ? pick(seen) : crypto.randomUUID(),
    })
  },
  async leave({ actor, person, pick }) {
    if (person.session_id === undefined) return
    const wish = pick([{}, { next: true }, { break: true }])
    await actor.act('BREAK_SESSION', { session_id: person.session_id, ...wish })
  },
  async join({ actor, person }) {
    const { session_id } = person
    if (session_id === undefined) return
    if (!actor.signalling) await actor.openSignal()
    actor.signal('JOIN_SESSION', { session_id })
  },
  async block({ actor, person, pick, people }) {
    const other = pick(people.filter(({ side }) => side !== person.side))
    await actor.act('BLOCK_USER', { user_id: other.id })
  },
  async unblock({ actor, person, pick, people }) {
    const other = pick(people.filter(({ side }) => side !== person.side))
    await actor.act('UNBLOCK_USER', { user_id: other.id })
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
} satisfies Record<string, (of: Deed) => Promise<void>>

interface Deed {
  readonly actor: SearchingPerson['actor']
  readonly person: SearchingPerson
  readonly people: readonly SearchingPerson[]
  readonly pick: <T>(from: readonly T[]) => T
}
type DeedName = keyof typeof deeds

/** How often each is done; a page answers an offer that it sees more often than it does anything else. */
const ACTION_WEIGHTS: readonly DeedName[] = [
  ...Array<DeedName>(8).fill('search'),
  ...Array<DeedName>(4).fill('accept'),
  ...Array<DeedName>(3).fill('leave'),
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

test(`in ${steps} random steps of twelve people nobody is in two calls or offers, blocked people never meet, and who can meet does (seed ${seed})`, async () => {
  const testApp = await openTestApp()
  const story: string[] = []
  try {
    await testApp.setting('absences_an_hour', '100')
    const random = randomFrom(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const { guys, girls } = await enterCrowd(testApp, { guys: 6, girls: 6, minutes: 500_000 })
    const people = [
      ...guys.map((actor) => new SearchingPerson(actor, 'guy')),
      ...girls.map((actor) => new SearchingPerson(actor, 'girl')),
    ]
    for (let done = 0, rounds = 1; done < steps; rounds += 1) {
      const busy = new Set(
        Array.from({ length: 1 + Math.floor(random() * AT_ONCE_MAX) }, () => pick(people)),
      )
      done += busy.size
      const atOnce = [...busy].map((person) => [person, chosenBy(person, random, pick)] as const)
      story.push(atOnce.map(([person, deed]) => `${person.actor.name} ${deed}`).join(' | '))
      await Promise.all(atOnce.map(([person, deed]) => act(person, deed, people, pick)))
      await testApp.settle()
      for (const person of people) if (person.online) person.follow()
      await holdExclusive(testApp)
      if (rounds % CALM_EVERY_ROUNDS === 0) await holdCalm(testApp, people, story)
      else if (random() < 0.6) await pass(testApp, random() * 3000, story)
    }
    await holdCalm(testApp, people, story)
    const sum = (of: (person: SearchingPerson) => number) =>
      people.reduce((all, person) => all + of(person), 0)
    console.log(
      `exclusivity: ${sum(({ offers }) => offers)} offers and ${sum(({ calls }) => calls)} calls were heard of`,
    )
    ok(sum(({ calls }) => calls) > steps / 50, 'hardly anybody ever met')
    equal((await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
  } catch (error) {
    console.error(`The last of the story (SEED=${seed}):\n${story.slice(-12).join('\n')}`)
    throw error
  } finally {
    await testApp.close()
  }
})

function chosenBy(person: SearchingPerson, random: () => number, pick: Deed['pick']): DeedName {
  if (!person.online) return 'reload'
  if (person.pair_id !== undefined && random() < 0.5) return random() < 0.7 ? 'accept' : 'reject'
  return pick(ACTION_WEIGHTS)
}

async function act(
  person: SearchingPerson,
  deed: DeedName,
  people: readonly SearchingPerson[],
  pick: Deed['pick'],
): Promise<void> {
  if (deed === 'reload' && !person.online) return person.arrive('same')
  try {
    await deeds[deed]({ actor: person.actor, person, people, pick })
  } catch (error) {
    // A "no" with a name is an answer; nothing else is.
    if (!(error instanceof WireRefused) || error.code === 999) throw error
  }
}

async function pass(testApp: TestApp, ms: number, story: string[]): Promise<void> {
  story.push(`${Math.round(ms)} ms pass`)
  await testApp.advance(Math.round(ms))
}

/** By the rows alone, after every step. */
async function holdExclusive({ app }: TestApp): Promise<void> {
  const { rows } = await sql<{ law: string; who: string }>`
    with calls as (select session_id, guy_id, girl_id from video_sessions where status <> 'closed'),
      offers as (select pair_id, guy_id, girl_id from pairs where state = 'open'),
      together as (select guy_id, girl_id, 'call' as what from calls union all select guy_id, girl_id, 'offer' from offers),
      people as (select guy_id as id, what from together union all select girl_id, what from together)
    select 'in two at once' as law, id || ': ' || string_agg(what, ', ') as who from people group by id having count(*) > 1
    union all
    select 'blocked and together', guy_id || ' and ' || girl_id || ' in ' || what from together
    where exists (select 1 from blocks where (owner_id, blocked_id) in ((guy_id, girl_id), (girl_id, guy_id)))`.execute(
    app.db,
  )
  deepEqual(rows, [])
}

/** Nobody does anything for a while: offers and calls run out, and whoever still waits has nobody to meet. */
async function holdCalm(
  testApp: TestApp,
  people: readonly SearchingPerson[],
  story: string[],
): Promise<void> {
  await pass(testApp, CALM_SECONDS * 1000, story)
  const { app } = testApp
  for (const person of people) if (person.online) person.follow()
  await holdExclusive(testApp)
  const { queue, sessions } = matchmakingState(app)
  for (const { user_id } of sessions.values()) {
    const search = searchSessionOf(app, user_id)!
    equal(
      (await queue.find(user_id)) !== undefined,
      isAvailable(search),
      `${user_id} has a place if and only if free`,
    )
  }
  const { guys, girls } = await queue.size()
  equal(
    guys + girls,
    [...sessions.values()].filter(isAvailable).length,
    'nobody waits who does not search',
  )
  for (const person of people) await holdTrue(testApp, person)
  const waiting = [...sessions.values()].filter(isAvailable)
  for (const his of waiting.filter(({ side }) => side === 'guy')) {
    for (const hers of waiting.filter(({ side }) => side === 'girl')) {
      const why = await whyApart(testApp, his.user_id, hers.user_id)
      ok(why, `guy ${his.user_id} and girl ${hers.user_id} wait for nothing`)
    }
  }
}

/** What everybody else sees of somebody, and what his page believes, is what the rows say. */
async function holdTrue({ app }: TestApp, person: SearchingPerson): Promise<void> {
  const { id, online, actor } = person
  const call = await app.db
    .selectFrom('video_sessions')
    .select(['session_id', 'state'])
    .where('status', '!=', 'closed')
    .where((or) => or.or([or('guy_id', '=', id), or('girl_id', '=', id)]))
    .executeTakeFirst()
  equal(isInCall(app, id), call !== undefined, `${actor.name} talks`)
  equal(isOnline(app, id), online, `${actor.name} is online`)
  if (!online)
    return equal(searchSessionOf(app, id), undefined, `${actor.name} is gone and searches`)
  equal(person.session_id, call?.session_id, `the page of ${actor.name} knows its call`)
  const search = searchSessionOf(app, id)
  if (person.pair_id !== undefined)
    equal(search?.pair?.pair_id, person.pair_id, `the page of ${actor.name} knows its offer`)
  const rest = await getAvailability(app.db, id)
  const truth = call ? call.state : search ? 'searching' : rest?.on_break ? 'break' : 'free'
  equal(activityOf(app, id), truth, `what is seen of ${actor.name}`)
}

/** Blocked, or the last one met by either: after a long wait nothing else keeps two apart. */
async function whyApart(
  { app, clock }: TestApp,
  guy_id: number,
  girl_id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ why: string }>`
    select 'blocked' as why from blocks where (owner_id, blocked_id) in ((${guy_id}::int8, ${girl_id}::int8), (${girl_id}::int8, ${guy_id}::int8))
    union all
    select 'met last' from meetings m where m.guy_id = ${guy_id} and m.girl_id = ${girl_id}
      and m.at > ${clock.now().subtract({ minutes: 30 })}
      and (m.at >= (select max(at) from meetings where guy_id = ${guy_id})
        or m.at >= (select max(at) from meetings where girl_id = ${girl_id}))`.execute(app.db)
  return rows[0]?.why
}
