import { MemoryMatchQueue } from '@duet/server/modules/matchmaking/queue/match-queue.ts'
import {
  EMPTY_IDS,
  guyRank,
  pairingRules,
  type Searcher,
} from '@duet/server/modules/matchmaking/queue/pairing-rules.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'

/**
 * The share of swaps that a standby connection serves: 200 simulated people, five guys for a girl, who meet through the
 * product's match queue. No browser: a preparation takes the time that `bench/first-frame` found. Beside the product
 * stands a matcher that also prepares the partner that the queue would give a talking girl next. Run: node bench/next.ts
 */

const PEOPLE = 200
const GIRLS = Math.round(PEOPLE / 6)
const SIMULATED_MS = 60 * 60_000
const TICK_MS = 100
const SWEEP_MS = 1000
/** Connect, half a second of test pictures, and the quiet after them. */
const PREPARING_MS = 1500
const PREPARATION_ENDS_MS = 30_000
const DWELL_MS = [3000, 60_000] as const
const ANSWER_MS = [1000, 6000] as const
const PAUSE_MS = [0, 3000] as const
const START_MS = 1_800_000_000_000
const RULES = pairingRules({
  language_first: 3,
  rank_lift: 5,
  rematch_minutes: 30,
  rematch_last_only: 8,
  rematch_anyone: 20,
})

interface Person {
  readonly id: number
  readonly side: 'guy' | 'girl'
  readonly auto_accept: boolean
  readonly locale: string
  readonly recent: Map<number, number>
  last_partner: number | undefined
  /** The next preparation that a sweep made for this user while she talks. */
  expected: { readonly guy_id: number; readonly at_ms: number } | undefined
  is_talking: boolean
}

interface Swaps {
  all: number
  behind_offer: number
  expected: number
}

class Simulation {
  readonly #random = randomFrom(20_261)
  readonly #queue = new MemoryMatchQueue({ rules: () => RULES })
  readonly #people = new Map<number, Person>()
  readonly #swaps: Swaps = { all: 0, behind_offer: 0, expected: 0 }
  readonly #due = new Map<number, (() => void)[]>()
  #tick = START_MS / TICK_MS

  constructor(autoShare: number) {
    for (let id = 1; id <= PEOPLE; id += 1)
      this.#people.set(id, {
        id,
        side: id <= GIRLS ? 'girl' : 'guy',
        auto_accept: this.#random() < autoShare,
        locale: this.#random() < 0.7 ? 'en' : 'de',
        recent: new Map(),
        last_partner: undefined,
        expected: undefined,
        is_talking: false,
      })
  }

  run(): Swaps {
    for (const person of this.#people.values())
      this.#after(this.#between([0, 10_000]), () => this.#search(person))
    for (; this.#nowMs < START_MS + SIMULATED_MS; this.#tick += 1) {
      for (const event of this.#due.get(this.#tick) ?? []) event()
      this.#due.delete(this.#tick)
      if ((this.#tick * TICK_MS) % SWEEP_MS !== 0) continue
      for (const { guy, girl } of this.#queue.sweep(this.#nowMs))
        this.#meet(guy.user_id, girl.user_id)
      this.#expectPartners()
    }
    return this.#swaps
  }

  get #nowMs(): number {
    return this.#tick * TICK_MS
  }

  #between([least, most]: readonly [number, number]): number {
    return least + this.#random() * (most - least)
  }

  #after(delayMs: number, event: () => void): void {
    const tick = this.#tick + Math.max(1, Math.ceil(delayMs / TICK_MS))
    this.#due.set(tick, [...(this.#due.get(tick) ?? []), event])
  }

  #search(person: Person): void {
    const matched = this.#queue.enqueue(this.#toSearcher(person), this.#nowMs)
    if (matched) this.#meet(matched.guy.user_id, matched.girl.user_id)
  }

  #toSearcher({ id, side, locale, recent, last_partner }: Person): Searcher {
    return {
      user_id: id,
      side,
      rank: side === 'guy' ? guyRank(false) : 3,
      locales: [locale],
      premium: false,
      waiting_since_ms: this.#nowMs,
      excluded: EMPTY_IDS,
      recent,
      ...(last_partner !== undefined && { last_partner }),
    }
  }

  #meet(guyId: number, girlId: number): void {
    const [guy, girl] = [this.#people.get(guyId)!, this.#people.get(girlId)!]
    const aheadMs = girl.expected?.guy_id === guyId ? this.#nowMs - girl.expected.at_ms : 0
    for (const person of this.#people.values())
      if (person === girl || person.expected?.guy_id === guyId) person.expected = undefined
    const answersMs = [guy, girl].map((one) => (one.auto_accept ? 0 : this.#between(ANSWER_MS)))
    const openedMs = Math.max(...answersMs)
    this.#after(openedMs, () => {
      this.#swaps.all += 1
      if (openedMs >= PREPARING_MS) this.#swaps.behind_offer += 1
      if (aheadMs + openedMs >= PREPARING_MS) this.#swaps.expected += 1
      this.#talk(guy, girl)
    })
  }

  #talk(guy: Person, girl: Person): void {
    for (const one of [guy, girl]) one.is_talking = true
    this.#after(this.#between(DWELL_MS), () => {
      for (const one of [guy, girl]) {
        const other = one === guy ? girl : guy
        one.is_talking = false
        one.last_partner = other.id
        one.recent.set(other.id, this.#nowMs + RULES.rematch_ms)
      }
      this.#search(girl)
      this.#after(this.#between(PAUSE_MS), () => this.#search(guy))
    })
  }

  /** One girl at most expects a guy. */
  #expectPartners(): void {
    const girls = [...this.#people.values()].filter(({ side }) => side === 'girl')
    for (const girl of girls) {
      if (girl.expected && this.#nowMs - girl.expected.at_ms >= PREPARATION_ENDS_MS)
        girl.expected = undefined
      if (!girl.is_talking || girl.expected) continue
      const taken = girls.flatMap(({ expected }) => (expected ? [expected.guy_id] : []))
      const seeker = { ...this.#toSearcher(girl), excluded: new Set(taken) }
      const found = this.#queue.findPartner(seeker, this.#nowMs)
      if (found) girl.expected = { guy_id: found.user_id, at_ms: this.#nowMs }
    }
  }
}

for (const autoShare of [0, 0.3, 1]) {
  const { all, behind_offer, expected } = new Simulation(autoShare).run()
  const share = (swaps: number) => `${((100 * swaps) / all).toFixed(0)} %`.padStart(5)
  console.log(
    `auto-accept of ${`${autoShare * 100} %`.padStart(5)}: ${all} swaps, from a standby ${share(behind_offer)}; with expected partners ${share(expected)}`,
  )
}
