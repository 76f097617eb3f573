import {
  GIRL_RANKS,
  mayMeet,
  NO_RECENT,
  EMPTY_IDS,
  pairingRules,
} from '@duet/server/modules/matchmaking/queue/pairing-rules.ts'
import type { Searcher } from '@duet/server/modules/matchmaking/queue/pairing-rules.ts'
import { MemoryMatchQueue } from '@duet/server/modules/matchmaking/queue/match-queue.ts'

/**
 * The time of a match with all rules while 10k, 100k and 1 M users wait. The baseline is a full scan of as many users
 * in the same run. Rounds are interleaved, figures are medians. Run: node bench/matching.ts
 */

const SIZES = [10_000, 100_000, 1_000_000]
const ROUNDS = 5
const MATCHES = 20_000
const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'ar', 'zh', 'ko', 'ja']
const NOW = 1_800_000_000_000
const rules = pairingRules({
  language_first: 3,
  rank_lift: 5,
  rematch_minutes: 30,
  rematch_last_only: 8,
  rematch_anyone: 20,
})

let seed = 1
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
  return seed / 0x80000000
}
const below = (n: number) => Math.floor(random() * n)

let lastId = 0
/** Every tenth girl has blocks, every fifth has a recent meeting. */
function girl(waitedMs: number): Searcher {
  const user_id = ++lastId
  return {
    user_id,
    side: 'girl',
    rank: below(GIRL_RANKS),
    locales: [LOCALES[below(LOCALES.length)]!],
    premium: false,
    waiting_since_ms: NOW - waitedMs,
    excluded:
      below(10) === 0 ? new Set(Array.from({ length: 12 }, () => below(lastId))) : EMPTY_IDS,
    recent: below(5) === 0 ? new Map([[below(lastId), NOW + 600_000]]) : NO_RECENT,
    only_premium: below(20) === 0,
    hides_countries: below(20) === 0 ? new Set(['DE']) : undefined,
  }
}

/** Made in advance: the server reads a block list just before a user is enqueued. */
const blockLists = new Map(
  [48, 1000].map((blocks) => [
    blocks,
    Array.from(
      { length: 64 },
      () => new Set(Array.from({ length: blocks }, () => below(1_000_000))),
    ),
  ]),
)

function guy(blocks: number): Searcher {
  const premium = below(5) === 0
  return {
    user_id: ++lastId,
    side: 'guy',
    rank: premium ? 0 : 1,
    locales: below(3) === 0 ? [] : [LOCALES[below(LOCALES.length)]!],
    country: below(4) === 0 ? 'DE' : 'FR',
    premium,
    waiting_since_ms: NOW,
    excluded: blocks === 0 ? EMPTY_IDS : blockLists.get(blocks)![below(64)]!,
    recent: NO_RECENT,
  }
}

/** A queue in which `waiting` girls wait, of all ranks, languages and waits. */
function filled(waiting: number): MemoryMatchQueue {
  const queue = new MemoryMatchQueue({ rules: () => rules })
  for (let i = 0; i < waiting; i++)
    queue.enqueue(girl(Math.floor(((waiting - i) / waiting) * 20_000)), NOW)
  return queue
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
const micros = (run: () => void, times: number) => {
  const began = performance.now()
  run()
  return ((performance.now() - began) * 1000) / times
}

/** A guy is matched and another girl is enqueued, so that the queue keeps its size. Microseconds per match. */
function match(queue: MemoryMatchQueue, blocks: number): number {
  const guys = Array.from({ length: MATCHES }, () => guy(blocks))
  const girls = Array.from({ length: MATCHES }, () => girl(0))
  let met = 0
  const cost = micros(() => {
    for (let i = 0; i < MATCHES; i++) {
      if (queue.enqueue(guys[i]!, NOW) !== undefined) met++
      else queue.remove(guys[i]!.user_id)
      queue.enqueue(girls[i]!, NOW)
    }
  }, MATCHES)
  if (met < MATCHES * 0.99) throw new Error(`only ${met} of ${MATCHES} met`)
  return cost
}

/** The same by a full scan. */
function scan(people: Searcher[], times: number): number {
  const guys = Array.from({ length: times }, () => guy(0))
  return micros(() => {
    for (const seeker of guys) {
      let best: Searcher | undefined
      for (const she of people) {
        if (!mayMeet(seeker, she, NOW, rules)) continue
        if (best === undefined || she.rank < best.rank) best = she
        else if (she.rank === best.rank && she.waiting_since_ms < best.waiting_since_ms) best = she
      }
      people[people.indexOf(best!)] = girl(0)
    }
  }, times)
}

/** Users leave in a random order. Microseconds per user. */
function leave(queue: MemoryMatchQueue): number {
  const girls = Array.from({ length: MATCHES }, () => girl(0))
  for (const she of girls) queue.enqueue(she, NOW)
  const order = girls.map((she) => she.user_id).sort(() => random() - 0.5)
  return micros(() => {
    for (const id of order) queue.remove(id)
  }, MATCHES)
}

const queues = SIZES.map(filled)
const crowds = SIZES.map((size) => Array.from({ length: size }, () => girl(below(20_000))))
const figures = SIZES.map(() => ({
  match: [] as number[],
  scan: [] as number[],
  leave: [] as number[],
}))
const blocked = new Map([0, 48, 1000].map((blocks) => [blocks, [] as number[]]))
for (let round = -1; round < ROUNDS; round++) {
  SIZES.forEach((size, i) => {
    const took = {
      match: match(queues[i]!, 0),
      scan: scan(crowds[i]!, Math.max(2, 200_000 / size)),
      leave: leave(queues[i]!),
    }
    // The first round warms.
    if (round < 0) return
    for (const key of ['match', 'scan', 'leave'] as const) figures[i]![key].push(took[key])
  })
  for (const [blocks, costs] of blocked) {
    const cost = match(queues[1]!, blocks)
    if (round >= 0) costs.push(cost)
  }
}

console.log('matching core, median of', ROUNDS, 'interleaved rounds')
SIZES.forEach((size, i) => {
  const { match, scan, leave } = figures[i]!
  const times = Math.round(median(scan) / median(match)).toLocaleString('en')
  const line = [
    `${median(match).toFixed(2)} µs a match`,
    `naive scan ${median(scan).toFixed(0)} µs (${times}x)`,
  ]
  console.log(
    `  ${String(size).padStart(9)} waiting: ${line.join(', ')}, leaving ${median(leave).toFixed(2)} µs`,
  )
})
const growth = (key: 'match' | 'leave') => median(figures.at(-1)![key]) / median(figures[0]![key])
console.log(
  `  growth 10k to 1 M: match ${growth('match').toFixed(2)}x (must 4), leaving ${growth('leave').toFixed(2)}x (must 2)`,
)
const [none, some, many] = [0, 48, 1000].map((blocks) => median(blocked.get(blocks)!))
console.log(
  `  with 48 blocks ${(some! / none!).toFixed(2)}x, with 1000 ${(many! / none!).toFixed(2)}x (must 1.5)`,
)
