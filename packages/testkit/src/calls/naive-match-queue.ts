import type { Searcher } from '@duet/server/modules/matchmaking/queue/pairing-rules.ts'
import type { MatchedPair } from '@duet/server/modules/matchmaking/queue/match-queue.ts'

export const NAIVE_RULES = {
  language_first_ms: 3000,
  rank_lift_ms: 5000,
  rematch_ms: 1_800_000,
  rematch_last_only_ms: 8000,
  rematch_anyone_ms: 20_000,
}

interface Waiter {
  who: Searcher
  arrived: number
}

/** Whether the two must not meet: the pairing rules, written a second time. */
export function forbidden(a: Searcher, b: Searcher, now: number): boolean {
  const [he, she] = a.side === 'guy' ? [a, b] : [b, a]
  if (he.side !== 'guy' || she.side !== 'girl') return true
  if (he.excluded.has(she.user_id) || she.excluded.has(he.user_id)) return true
  if (isUnwanted(he, she, now)) return true
  return metLately(he, she, now)
}

function metLately(he: Searcher, she: Searcher, now: number): boolean {
  const met = [he.recent.get(she.user_id), she.recent.get(he.user_id)].some(
    (until) => until && until > now,
  )
  const waits = [he, she].map((who) => now - who.waiting_since_ms)
  if (waits.every((waited) => waited > NAIVE_RULES.rematch_anyone_ms)) return false
  const long = waits.some((waited) => waited > NAIVE_RULES.rematch_last_only_ms)
  return met && (!long || he.last_partner === she.user_id || she.last_partner === he.user_id)
}

/** Whether the girl's own settings exclude the guy. */
function isUnwanted(he: Searcher, she: Searcher, now: number): boolean {
  if (she.only_premium && !he.premium) return true
  if (she.hides_countries?.size && !(he.country && !she.hides_countries.has(he.country)))
    return true
  return !!she.quiet && she.quiet.from_ms <= now && now < she.quiet.until_ms
}

/** Whether they have a language in common. */
export function shareLanguage(a: Searcher, b: Searcher): boolean {
  return !a.locales.length || !b.locales.length || a.locales.some((l) => b.locales.includes(l))
}

/** The match queue by full scans: the reference that tests compare the fast queue with. They share no code. */
export class NaiveMatchQueue {
  waiting: Waiter[] = []
  arrived = 0

  find(who: Searcher, now: number): Waiter | undefined {
    const needsSharedLanguage = (one: Searcher) =>
      now - one.waiting_since_ms < NAIVE_RULES.language_first_ms
    const lift = ({ who }: Waiter) =>
      Math.max(0, who.rank - Math.floor((now - who.waiting_since_ms) / 5000))
    const may = this.waiting.filter((other) => !forbidden(who, other.who, now))
    const order = (a: Waiter, b: Waiter) =>
      lift(a) - lift(b) || a.who.waiting_since_ms - b.who.waiting_since_ms || a.arrived - b.arrived
    may.sort(order)
    if (!needsSharedLanguage(who)) return may[0]
    return (
      may.find((o) => shareLanguage(who, o.who)) ?? may.find((o) => !needsSharedLanguage(o.who))
    )
  }

  enqueue(who: Searcher, now: number): MatchedPair | undefined {
    const known = this.waiting.find((other) => other.who.user_id === who.user_id)
    if (known) {
      const waitingSinceMs = Math.min(known.who.waiting_since_ms, who.waiting_since_ms)
      who = { ...who, waiting_since_ms: waitingSinceMs }
      this.remove(who.user_id)
    }
    const found = this.find(who, now)
    if (found) {
      this.remove(found.who.user_id)
      return who.side === 'guy' ? { guy: who, girl: found.who } : { guy: found.who, girl: who }
    }
    this.waiting.push({ who, arrived: this.arrived++ })
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
    const shorter = girls.length <= guys.length ? girls : guys
    shorter.sort((a, b) => a.who.waiting_since_ms - b.who.waiting_since_ms || a.arrived - b.arrived)
    const pairs: MatchedPair[] = []
    for (const one of shorter) {
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
