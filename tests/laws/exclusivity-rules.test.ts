import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { otherRole, type Role, ROLES } from '@duet/protocol/kernel/roles.ts'
import {
  decideOffer,
  openOffer,
  type Offer,
  type OfferCommand,
  type OfferEvent,
} from '@duet/server/modules/matchmaking/offers/offer-rules.ts'
import { MemoryMatchQueue } from '@duet/server/modules/matchmaking/queue/match-queue.ts'
import { EMPTY_IDS, NO_RECENT } from '@duet/server/modules/matchmaking/queue/pairing-rules.ts'
import { NAIVE_RULES } from '@duet/testkit/calls/naive-match-queue.ts'
import { testSeed } from '@duet/testkit/seeded-random.ts'

/**
 * Exclusivity of the rules alone: the real match queue and the real rules of offers, driven as by the
 * server, in many random orders. exclusivity.test.ts checks the whole app in fewer steps.
 */
const ORDERS = process.env.PROOF === 'long' ? 200_000 : 10_000
const SEED = testSeed()
const START_MS = 1_000_000
const GRACE_MS = 5000
const OFFER_RULES = { offer_ms: 10_000, missed_offers: 3 }

interface Person {
  readonly id: number
  readonly side: Role
  readonly auto_accept: boolean
  /** The start of the wait; undefined without a search. */
  since_ms: number | undefined
  pair_id: string | undefined
  session_id: number | undefined
  /** Without a connection: when the search ends. */
  gone_until_ms: number | undefined
}

/** The memory of the server in its simplest form; the invariants are checked after each step. */
class Floor {
  readonly people: Person[]
  readonly offers = new Map<string, Offer>()
  readonly queue = new MemoryMatchQueue({
    rules: () => ({ ...NAIVE_RULES, rematch_last_only_ms: 0, rematch_anyone_ms: 0 }),
  })
  /** Both sides of each open call. */
  readonly calls = new Map<number, Person[]>()
  #now_ms = START_MS
  #lastCall = 0

  constructor(automatic: readonly boolean[]) {
    this.people = automatic.map((auto_accept, index) => ({
      id: index + 1,
      side: index % 2 ? 'girl' : 'guy',
      auto_accept,
      since_ms: undefined,
      pair_id: undefined,
      session_id: undefined,
      gone_until_ms: undefined,
    }))
  }

  search(person: Person): void {
    if (person.session_id !== undefined || person.since_ms !== undefined) return
    if (person.gone_until_ms !== undefined) return
    person.since_ms = this.#now_ms
    this.#enqueue(person)
  }

  /** The answer may be to an offer of long ago, or of other users: then no side has it. */
  answer(person: Person, pair_id: string | undefined, type: 'accepted' | 'rejected'): void {
    const offer = pair_id === undefined ? undefined : this.offers.get(pair_id)
    if (offer && offer[`${person.side}_id`] === person.id)
      this.#apply(offer, { type, side: person.side })
  }

  leave(person: Person, type: 'stopped' | 'went_offline' = 'stopped'): void {
    if (person.since_ms === undefined) return
    this.#endSearch(person)
    const offer = person.pair_id && this.offers.get(person.pair_id)
    if (offer) this.#apply(offer, { type, side: person.side })
    equal(person.session_id, undefined, 'no call follows from a search that was left')
  }

  drop(person: Person): void {
    person.gone_until_ms ??= this.#now_ms + GRACE_MS
    this.queue.remove(person.id)
  }

  reconnect(person: Person): void {
    if (person.gone_until_ms === undefined) return
    person.gone_until_ms = undefined
    if (person.since_ms !== undefined && person.pair_id === undefined) this.#enqueue(person)
  }

  /** An invitation was accepted: a call that does not come from a search. */
  callDirectly(guy: Person, girl: Person): void {
    if (guy.session_id !== undefined || girl.session_id !== undefined || guy.side === girl.side)
      return
    // One transaction: the partners of the two wait on after it.
    for (const person of [guy, girl]) this.#endSearch(person)
    this.#openCall(guy, girl)
    for (const person of [guy, girl]) {
      const offer = person.pair_id && this.offers.get(person.pair_id)
      if (offer) this.#apply(offer, { type: 'taken', side: person.side, by: 'call' })
    }
  }

  hangUp(person: Person): void {
    const sides = person.session_id === undefined ? [] : this.calls.get(person.session_id)!
    this.calls.delete(person.session_id ?? 0)
    for (const side of sides) side.session_id = undefined
    // A girl is put back at once, a guy when he asks.
    for (const side of sides) if (side.side === 'girl') this.search(side)
  }

  pass(ms: number): void {
    this.#now_ms += ms
    for (const offer of [...this.offers.values()])
      if (offer.state === 'open') this.#apply(offer, { type: 'time_came' })
    for (const person of this.people)
      if ((person.gone_until_ms ?? Infinity) <= this.#now_ms) this.leave(person, 'went_offline')
    for (const { guy, girl } of this.queue.sweep(this.#now_ms))
      this.#offer(this.#person(guy.user_id), this.#person(girl.user_id))
  }

  assertExclusive(): void {
    const open = [...this.offers.values()].filter(({ state }) => state === 'open')
    for (const person of this.people) {
      const offers = open.filter((offer) => offer[`${person.side}_id`] === person.id)
      const calls = [...this.calls.values()].filter((sides) => sides.includes(person))
      const isWaiting = this.queue.find(person.id) !== undefined
      ok(
        offers.length + calls.length + Number(isWaiting) <= 1,
        `user ${person.id}: ${offers.length} offers, ${calls.length} calls, in the queue: ${isWaiting}`,
      )
      equal(person.pair_id, offers[0]?.pair_id, 'the user knows the open offer, and no other')
      const isAvailable =
        person.since_ms !== undefined && person.gone_until_ms === undefined && !person.pair_id
      equal(isWaiting, isAvailable, `user ${person.id} is in the queue if and only if available`)
    }
  }

  #person(id: number): Person {
    return this.people[id - 1]!
  }

  #enqueue(person: Person): void {
    const { id, side } = person
    const matched = this.queue.enqueue(
      {
        user_id: id,
        side,
        rank: 1,
        locales: ['en'],
        premium: false,
        waiting_since_ms: person.since_ms!,
        excluded: EMPTY_IDS,
        recent: NO_RECENT,
      },
      this.#now_ms,
    )
    if (matched) this.#offer(this.#person(matched.guy.user_id), this.#person(matched.girl.user_id))
  }

  #offer(guy: Person, girl: Person): void {
    const pair_id = `${this.offers.size + 1}`
    guy.pair_id = girl.pair_id = pair_id
    const { state, commands } = openOffer(
      {
        pair_id,
        guy_id: guy.id,
        girl_id: girl.id,
        free_seconds: 10,
        guy_auto_accept: guy.auto_accept,
        girl_auto_accept: girl.auto_accept,
        guy_waiting_since: Temporal.Instant.fromEpochMilliseconds(guy.since_ms!),
        girl_waiting_since: Temporal.Instant.fromEpochMilliseconds(girl.since_ms!),
        missed_before: 0,
      },
      this.#now,
      OFFER_RULES,
    )
    this.#execute(state, commands)
  }

  get #now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.#now_ms)
  }

  #apply(offer: Offer, event: OfferEvent): void {
    const { state, commands } = decideOffer(offer, event, this.#now, OFFER_RULES)
    this.#execute(state, commands)
  }

  #execute(offer: Offer, commands: readonly OfferCommand[]): void {
    this.offers.set(offer.pair_id, offer)
    const again: Person[] = []
    for (const command of commands) {
      if (command.type === 'open_call') this.#open(offer)
      if (command.type !== 'keep_waiting' && command.type !== 'leave_search') continue
      const person = this.#person(offer[`${command.side}_id`])
      if (person.pair_id === offer.pair_id) person.pair_id = undefined
      if (command.type === 'leave_search') this.#endSearch(person)
      else if (person.since_ms !== undefined) again.push(person)
    }
    for (const person of again)
      if (person.gone_until_ms === undefined && person.pair_id === undefined) this.#enqueue(person)
  }

  #open(offer: Offer): void {
    const sides = ROLES.map((side) => this.#person(offer[`${side}_id`]))
    for (const person of sides) {
      ok(person.since_ms !== undefined, 'a call opens only between two users who search')
      this.#endSearch(person)
      person.pair_id = undefined
    }
    this.#openCall(sides[0]!, sides[1]!)
  }

  #openCall(guy: Person, girl: Person): void {
    const session_id = (this.#lastCall += 1)
    for (const person of [guy, girl]) {
      equal(person.session_id, undefined, `user ${person.id} is in one call`)
      person.session_id = session_id
    }
    this.calls.set(session_id, [guy, girl])
  }

  #endSearch(person: Person): void {
    person.since_ms = undefined
    this.queue.remove(person.id)
  }
}

const USERS = 6
const user = fc.integer({ min: 0, max: USERS - 1 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('search' as const), user }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('accept' as const), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('acceptOld' as const), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reject' as const), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('leave' as const), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('drop' as const), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reconnect' as const), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hangUp' as const), user }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('callDirectly' as const), user }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      user: fc.integer({ min: 0, max: 11_000 }),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

function perform(floor: Floor, { type, user: number }: Step): void {
  if (type === 'pass') return floor.pass(number)
  const person = floor.people[number]!
  if (type === 'accept') return floor.answer(person, person.pair_id, 'accepted')
  if (type === 'acceptOld') return floor.answer(person, `${number + 1}`, 'accepted')
  if (type === 'reject') return floor.answer(person, person.pair_id, 'rejected')
  if (type !== 'callDirectly') return floor[type](person)
  const partner = floor.people.find(({ side }) => side === otherRole(person.side))!
  const [guy, girl] = person.side === 'guy' ? [person, partner] : [partner, person]
  floor.callDirectly(guy, girl)
}

test(`in ${ORDERS} random orders of accept, reject, leave and reconnect no user is in two calls or offers`, () => {
  let calls = 0
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: USERS, maxLength: USERS }),
      fc.array(step, { minLength: 10, maxLength: 40 }),
      (automatic, steps) => {
        const floor = new Floor(automatic)
        for (const one of steps) {
          perform(floor, one)
          floor.assertExclusive()
          calls = Math.max(calls, floor.calls.size)
        }
      },
    ),
    { numRuns: ORDERS, seed: SEED },
  )
  ok(calls > 1, 'several calls were open at once')
})
