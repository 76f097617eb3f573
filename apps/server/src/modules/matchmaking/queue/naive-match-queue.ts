import type { Searcher } from './pairing-rules.ts'
import type { MatchedPair } from './match-queue.ts'

export const naiveRules = {
  language_first_ms: 3000,
  rank_lift_ms: 5000,
  rematch_ms: 1_800_000,
  rematch_last_only_ms: 8000,
}

type Waiter = { who: Searcher; came: number }

/** Whether the two must not meet, by the sentences of the naiveRules. */
export function forbidden(a: Searcher, b: Searcher, now: number): boolean {
  const [he, she] = a.side === 'guy' ? [a, b] : [b, a]
  if (he.side !== 'guy' || she.side !== 'girl') return true
  if (he.excluded.has(she.user_id) || she.excluded.has(he.user_id)) return true
  if (she.only_premium && !he.premium) return true
  if (he.country && she.hides_countries?.has(he.country)) return true
  if (she.quiet && she.quiet.from_ms <= now && now < she.quiet.until_ms) return true
  const met = [he.recent.get(she.user_id), she.recent.get(he.user_id)].some(
    (until) => until && until > now,
  )
  const long = [he, she].some((who) => now - who.waiting_since_ms > naiveRules.rematch_last_only_ms)
  return met && (!long || he.last_partner === she.user_id || she.last_partner === he.user_id)
}

/** Whether they have a language in common. */
export function speak(a: Searcher, b: Searcher): boolean {
  return !a.locales.length || !b.locales.length || a.locales.some((l) => b.locales.includes(l))
}

/** The waiting room by whole scans: what the fast one is held against. It shares no code with it. */
export class NaiveMatchQueue {
  waiting: Waiter[] = []
  came = 0

  find(who: Searcher, now: number): Waiter | undefined {
    const insists = (one: Searcher) => now - one.waiting_since_ms < naiveRules.language_first_ms
    const lift = ({ who }: Waiter) =>
      Math.max(0, who.rank - Math.floor((now - who.waiting_since_ms) / 5000))
    const may = this.waiting.filter((other) => !forbidden(who, other.who, now))
    const order = (a: Waiter, b: Waiter) =>
      lift(a) - lift(b) || a.who.waiting_since_ms - b.who.waiting_since_ms || a.came - b.came
    may.sort(order)
    if (!insists(who)) return may[0]
    return may.find((o) => speak(who, o.who)) ?? may.find((o) => !insists(o.who))
  }

  enqueue(who: Searcher, now: number): MatchedPair | undefined {
    const known = this.waiting.find((other) => other.who.user_id === who.user_id)
    if (known) {
      const waiting_since_ms = Math.min(known.who.waiting_since_ms, who.waiting_since_ms)
      who = { ...who, waiting_since_ms }
      this.remove(who.user_id)
    }
    const found = this.find(who, now)
    if (found) {
      this.remove(found.who.user_id)
      return who.side === 'guy' ? { guy: who, girl: found.who } : { guy: found.who, girl: who }
    }
    this.waiting.push({ who, came: this.came++ })
    return undefined
  }

  remove(user_id: number): boolean {
    const before = this.waiting.length
    this.waiting = this.waiting.filter((other) => other.who.user_id !== user_id)
    return this.waiting.length < before
  }

  sweep(now: number): MatchedPair[] {
    const guys = this.waiting.filter((w) => w.who.side === 'guy')
    const girls = this.waiting.filter((w) => w.who.side === 'girl')
    const few = girls.length <= guys.length ? girls : guys
    few.sort((a, b) => a.who.waiting_since_ms - b.who.waiting_since_ms || a.came - b.came)
    const pairs: MatchedPair[] = []
    for (const one of few) {
      const found = this.find(one.who, now)
      if (!found) continue
      this.remove(one.who.user_id)
      this.remove(found.who.user_id)
      pairs.push(
        one.who.side === 'guy'
          ? { guy: one.who, girl: found.who }
          : { guy: found.who, girl: one.who },
      )
    }
    return pairs
  }
}
