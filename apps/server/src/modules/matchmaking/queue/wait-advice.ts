import type { SearchAdvice } from '@duet/protocol'
import { isQuiet, mayMeet, type PairingRules, type Searcher } from './pairing-rules.ts'

/** A searcher without one of their own limits. Undefined: the searcher has no such limit now. */
type Relax = (searcher: Searcher, nowMs: number) => Searcher | undefined

const RELAXED: Readonly<Record<SearchAdvice['kind'], Relax>> = {
  premium_only: (girl) => (girl.only_premium ? { ...girl, only_premium: false } : undefined),
  countries: (girl) =>
    girl.hides_countries?.size ? { ...girl, hides_countries: undefined } : undefined,
  quiet_hours: (girl, nowMs) => (isQuiet(girl, nowMs) ? { ...girl, quiet: undefined } : undefined),
  premium: (searcher) =>
    searcher.side === 'guy' && !searcher.premium ? { ...searcher, premium: true } : undefined,
}

/**
 * The changes by which a waiting user would wait less. For each own limit: how many of the users who wait now only
 * this limit keeps away.
 */
export function findAdvice(
  seeker: Searcher,
  others: readonly Searcher[],
  nowMs: number,
  rules: PairingRules,
): SearchAdvice[] {
  const kept = others.filter((other) => !mayMeet(seeker, other, nowMs, rules))
  return (Object.keys(RELAXED) as SearchAdvice['kind'][]).flatMap((kind) => {
    const relaxed = RELAXED[kind](seeker, nowMs)
    const count = relaxed ? kept.filter((other) => mayMeet(relaxed, other, nowMs, rules)).length : 0
    return count > 0 ? [{ kind, count }] : []
  })
}
