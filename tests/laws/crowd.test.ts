import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type Role, ROLES } from '@duet/protocol/kernel/roles.ts'
import { MemoryMatchQueue } from '@duet/server/modules/matchmaking/queue/match-queue.ts'
import {
  type Searcher,
  shareLanguage,
} from '@duet/server/modules/matchmaking/queue/pairing-rules.ts'
import { forbidden, NAIVE_RULES } from '@duet/testkit/calls/naive-match-queue.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'

/**
 * A crowd at the real match queue: 2,000 users search, decline, talk and search again, second by second. Each match is
 * examined with the pairing rules as the naive queue has them, and against all users who wait on.
 */
const isLong = process.env.PROOF === 'long'
const MATCHES = isLong ? 1_000_000 : 5000
const DAY_SECONDS = isLong ? 86_400 : 7200
const SEED = testSeed()
const SEARCHERS = 2000
/** The order of a match is compared with all who wait, which takes long: the long form examines one match of fifty. */
const EXAMINED_EVERY = isLong ? 50 : 1
const LIFT_MS = NAIVE_RULES.rank_lift_ms

type Activity = 'away' | 'waiting' | 'busy'

interface Person extends Pick<
  Searcher,
  'user_id' | 'side' | 'rank' | 'locales' | 'country' | 'premium' | 'excluded'
> {
  readonly only_premium: boolean
  readonly hides_countries: ReadonlySet<string>
  readonly recent: Map<number, number>
  last_partner: number | undefined
  activity: Activity
  since_ms: number
}

interface Habits {
  /** Of the users who are away, the share that begins a search in a second of the day. */
  readonly arrives: (second: number) => number
  /** After a call or a decline the user searches again; otherwise the user goes away. */
  readonly stays: number
  readonly call_seconds: number
  readonly guys: number
}

class Crowd {
  matches = 0
  /** Milliseconds of waiting until the match, by side and rank. */
  readonly waits = new Map<string, number[]>()
  readonly #queue = new MemoryMatchQueue({ rules: () => NAIVE_RULES })
  readonly #people: Person[]
  readonly #byId: ReadonlyMap<number, Person>
  /** The users who become free in a second. */
  readonly #ends = new Map<number, Person[]>()
  readonly #random: () => number
  readonly #habits: Habits
  #second = 0

  constructor(habits: Habits, seed: number) {
    this.#random = randomFrom(seed)
    this.#habits = habits
    this.#people = Array.from({ length: SEARCHERS }, (_, index) => this.#createPerson(index + 1))
    this.#byId = new Map(this.#people.map((person) => [person.user_id, person]))
  }

  get #now(): number {
    return this.#second * 1000
  }

  pass(): void {
    this.#second += 1
    for (const person of this.#ends.get(this.#second) ?? []) {
      person.activity = 'away'
      if (this.#random() < this.#habits.stays) this.#search(person)
    }
    this.#ends.delete(this.#second)
    const share = this.#habits.arrives(this.#second)
    for (const person of this.#people)
      if (person.activity === 'away' && this.#random() < share) this.#search(person)
    for (const pair of this.#queue.sweep(this.#now)) this.#meet(pair.guy, pair.girl)
    this.#assertComplete()
  }

  #search(person: Person): void {
    person.activity = 'waiting'
    person.since_ms = this.#now
    const matched = this.#queue.enqueue(this.#toSearcher(person), this.#now)
    if (matched) this.#meet(matched.guy, matched.girl)
  }

  #meet(guy: Searcher, girl: Searcher): void {
    this.matches += 1
    const both = [guy, girl].map(({ user_id }) => this.#byId.get(user_id)!)
    for (const person of both)
      equal(person.activity, 'waiting', `user ${person.user_id} is matched once, from the search`)
    ok(!forbidden(guy, girl, this.#now), `${guy.user_id} and ${girl.user_id} may meet`)
    if (this.matches % EXAMINED_EVERY === 0) this.#assertInOrder(guy, girl)
    const until = this.#now + NAIVE_RULES.rematch_ms
    const busy = 1 + Math.floor(-Math.log(1 - this.#random()) * this.#habits.call_seconds)
    for (const [index, person] of both.entries()) {
      const partner = both[1 - index]!
      const key = `${person.side} ${person.rank}`
      this.waits.getOrInsert(key, []).push(this.#now - person.since_ms)
      person.activity = 'busy'
      person.recent.set(partner.user_id, until)
      person.last_partner = partner.user_id
      this.#ends.getOrInsert(this.#second + busy, []).push(person)
    }
  }

  /**
   * A user who has waited so long that the rank counts no more is passed by no user who came later: if the other side may meet
   * both and speaks with both.
   */
  #assertInOrder(guy: Searcher, girl: Searcher): void {
    for (const [chosen, seeker] of [
      [guy, girl],
      [girl, guy],
    ] as const) {
      // Of the two the one who came last has chosen.
      if (chosen.waiting_since_ms > seeker.waiting_since_ms) continue
      for (const person of this.#people) {
        if (person.activity !== 'waiting' || person.side !== chosen.side) continue
        if (person.since_ms >= chosen.waiting_since_ms || person.user_id === chosen.user_id)
          continue
        if (this.#now - person.since_ms < person.rank * LIFT_MS) continue
        const passed = this.#toSearcher(person)
        ok(
          forbidden(passed, seeker, this.#now) || !shareLanguage(passed.locales, seeker.locales),
          `user ${person.user_id} has waited longer than ${chosen.user_id}`,
        )
      }
    }
  }

  /** After a sweep no user waits although a partner waits too. Compared for one user a second, in turn. */
  #assertComplete(): void {
    const person = this.#people[this.#second % SEARCHERS]!
    equal(this.#queue.find(person.user_id) !== undefined, person.activity === 'waiting')
    if (person.activity !== 'waiting') return
    const seeker = this.#toSearcher(person)
    const partner = this.#people.find(
      (other) =>
        other.activity === 'waiting' &&
        !forbidden(seeker, this.#toSearcher(other), this.#now) &&
        shareLanguage(seeker.locales, other.locales),
    )
    equal(partner?.user_id, undefined, `a partner waits beside user ${person.user_id}`)
  }

  #toSearcher({ since_ms, activity: _, ...person }: Person): Searcher {
    for (const [id, until] of person.recent) {
      if (until > this.#now) break
      person.recent.delete(id)
    }
    return { ...person, waiting_since_ms: since_ms }
  }

  #createPerson(user_id: number): Person {
    const one = <T>(...of: readonly T[]): T => of[Math.floor(this.#random() * of.length)]!
    const chance = (share: number) => this.#random() < share
    const side: Role = user_id <= this.#habits.guys ? 'guy' : 'girl'
    const premium = side === 'guy' && chance(0.2)
    const first = one('en', 'en', 'en', 'de', 'es', 'ru')
    const blocked = Array.from({ length: 20 }, () => 1 + Math.floor(this.#random() * SEARCHERS))
    return {
      user_id,
      side,
      premium,
      rank: side === 'guy' ? (premium ? 0 : 1) : Math.floor(this.#random() * 7),
      locales: chance(0.5) ? [first, 'en'] : [first],
      country: one('DE', 'FR', 'ES', 'BR', undefined),
      excluded: new Set(blocked),
      only_premium: side === 'girl' && chance(0.05),
      hides_countries: new Set(side === 'girl' && chance(0.1) ? ['DE'] : []),
      recent: new Map(),
      last_partner: undefined,
      activity: 'away',
      since_ms: 0,
    }
  }
}

test(`in ${MATCHES} matches of ${SEARCHERS} searchers no user is matched twice, no blocked pair meets, and no user is passed (seed ${SEED})`, () => {
  const crowd = new Crowd({ arrives: () => 0.05, stays: 0.9, call_seconds: 20, guys: 1100 }, SEED)
  while (crowd.matches < MATCHES) crowd.pass()
})

/** Few at night, many in the evening. */
function eveningPeak(second: number): number {
  return 0.0008 * (1.2 - Math.cos((second / 86_400) * 2 * Math.PI))
}

test(`in ${DAY_SECONDS / 3600} hours of a day with more guys than girls the waits of a rank are alike, and no rank starves (seed ${SEED})`, () => {
  const habits = { arrives: eveningPeak, stays: 0.6, call_seconds: 90, guys: 1150 }
  const crowd = new Crowd(habits, SEED)
  for (let second = 0; second < DAY_SECONDS; second += 1) crowd.pass()
  const rows = [...crowd.waits].map(([rank, waits]) => {
    const sorted = waits.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]! / 1000
    return { rank, matches: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) }
  })
  if (isLong) console.table(rows)
  for (const side of ROLES) {
    const ranks = rows.filter(({ rank }) => rank.startsWith(side))
    const shortest = Math.min(...ranks.map(({ median }) => median))
    for (const { rank, median, p99 } of ranks) {
      ok(p99 <= 10 * median + 30, `${rank}: one of a hundred waited ${p99} s, half ${median} s`)
      ok(median <= 1.5 * shortest + 10, `${rank}: half waited ${median} s, elsewhere ${shortest} s`)
    }
  }
  ok(rows.length === 9 && rows.every(({ matches }) => matches > 100), 'every rank is matched')
})
