import type { CamscoreStatus } from '@duet/protocol/kernel/entities.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'

/**
 * Who may meet whom, and who comes first. Pure: the waiting room, previews and invitations ask the same functions,
 * so a pair that is forbidden on one path is forbidden on all of them.
 */

/** Durations of the rules, in milliseconds; made of settings by `pairingRules`. */
export type PairingRules = {
  /** How long a wait insists on a shared language. */
  language_first_ms: number
  /** Each such stretch of waiting lifts by one rank. */
  rank_lift_ms: number
  /** How long those who met or declined each other do not meet again. */
  rematch_ms: number
  /** Once either has waited longer than this, only the last partner of each is still excluded. */
  rematch_last_only_ms: number
}

/** Somebody in search, as pairing sees them. Sets and maps are read by the caller before search and never changed after. */
export type Searcher = {
  user_id: number
  side: Role
  /** 0 is the best: see `girlRank` and `guyRank`. */
  rank: number
  /** Languages wished for; empty means any. */
  locales: readonly string[]
  country?: string | undefined
  premium: boolean
  /** Start of the wait; kept when somebody is put back after an offer that another let go. */
  waiting_since_ms: number
  /** Blocks in both directions and people hidden from, either way. */
  excluded: ReadonlySet<number>
  /** Whom one met or declined lately, and until when that counts. */
  recent: ReadonlyMap<number, number>
  /** The newest of `recent`. */
  last_partner?: number | undefined
  /** Hers: meets premium guys only. */
  only_premium?: boolean | undefined
  /** Hers: countries that she hides from. */
  hides_countries?: ReadonlySet<string> | undefined
  /** Hers: the present or next quiet hours. */
  quiet?: { from_ms: number; until_ms: number } | undefined
}

export const nobody: ReadonlySet<number> = new Set()
export const noRecent: ReadonlyMap<number, number> = new Map()

const camscoreOrder = [
  'excellent',
  'good',
  'new',
  'none',
  'bad',
  'terrible',
] as const satisfies readonly CamscoreStatus[]

/** TOP, then by Camscore. */
export const girlRanks = camscoreOrder.length + 1
/** Premium, then the rest. */
export const guyRanks = 2

/** The rank of a girl: 0 is TOP, then her Camscore from excellent to terrible. */
export function girlRank(girl: { is_top: boolean; camscore: CamscoreStatus }): number {
  return girl.is_top ? 0 : camscoreOrder.indexOf(girl.camscore) + 1
}

/** The rank of a guy: 0 is premium. */
export function guyRank(premium: boolean): number {
  return premium ? 0 : 1
}

/** Rules of pairing from the settings of the same names (seconds, minutes). */
export function pairingRules(settings: {
  language_first: number
  rank_lift: number
  rematch_minutes: number
  rematch_last_only: number
}): PairingRules {
  return {
    language_first_ms: settings.language_first * 1000,
    rank_lift_ms: settings.rank_lift * 1000,
    rematch_ms: settings.rematch_minutes * 60_000,
    rematch_last_only_ms: settings.rematch_last_only * 1000,
  }
}

/** The rank after a wait: one better for each `rank_lift_ms`, never better than the best. */
export function liftedRank(rank: number, waited_ms: number, rules: PairingRules): number {
  return Math.max(0, rank - Math.floor(Math.max(0, waited_ms) / rules.rank_lift_ms))
}

/** Whether two have a language in common; who names none takes any. */
export function shareLanguage(one: readonly string[], other: readonly string[]): boolean {
  return one.length === 0 || other.length === 0 || one.some((locale) => other.includes(locale))
}

/** Whether she is in her quiet hours. */
export function isQuiet(girl: Searcher, now_ms: number): boolean {
  return girl.quiet !== undefined && now_ms >= girl.quiet.from_ms && now_ms < girl.quiet.until_ms
}

/** Whether the two may meet at all, whatever their languages. The one place of these rules. */
export function mayMeet(
  one: Searcher,
  other: Searcher,
  now_ms: number,
  rules: PairingRules,
): boolean {
  if (one.side === other.side || one.user_id === other.user_id) return false
  const girl = one.side === 'girl' ? one : other
  const guy = one.side === 'girl' ? other : one
  if (girl.only_premium === true && !guy.premium) return false
  if (girl.excluded.size > 0 && girl.excluded.has(guy.user_id)) return false
  if (guy.excluded.size > 0 && guy.excluded.has(girl.user_id)) return false
  if (
    girl.hides_countries !== undefined &&
    guy.country !== undefined &&
    girl.hides_countries.has(guy.country)
  ) {
    return false
  }
  if (girl.quiet !== undefined && isQuiet(girl, now_ms)) return false
  return !metLately(guy, girl, now_ms, rules)
}

function metLately(one: Searcher, other: Searcher, now_ms: number, rules: PairingRules): boolean {
  if (one.recent.size === 0 && other.recent.size === 0) return false
  const until_ms = Math.max(one.recent.get(other.user_id) ?? 0, other.recent.get(one.user_id) ?? 0)
  if (until_ms <= now_ms) return false
  const waited_ms = now_ms - Math.min(one.waiting_since_ms, other.waiting_since_ms)
  if (waited_ms <= rules.rematch_last_only_ms) return true
  return one.last_partner === other.user_id || other.last_partner === one.user_id
}

/** Whether the languages let the two meet now: a shared one, or either has insisted long enough. */
export function languageAllows(
  one: Searcher,
  other: Searcher,
  now_ms: number,
  rules: PairingRules,
): boolean {
  if (now_ms - Math.min(one.waiting_since_ms, other.waiting_since_ms) >= rules.language_first_ms)
    return true
  return shareLanguage(one.locales, other.locales)
}
