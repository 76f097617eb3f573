import type { CamscoreStatus } from '@duet/protocol/kernel/entities.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'

/**
 * The rules of pairing: which two users may meet, and which partner comes first. Pure, because the match
 * queue, previews and invitations use the same functions. So a forbidden pair is forbidden everywhere.
 */

/** Durations of the rules, in milliseconds; made from settings by `pairingRules`. */
export interface PairingRules {
  /** For this long after the start of a wait, only partners with a shared language are accepted. */
  language_first_ms: number
  /** The rank improves by one for each time of this length that the user has waited. */
  rank_lift_ms: number
  /** Two users who met or declined each other do not meet again for this long. */
  rematch_ms: number
  /** Once one of the two has waited longer than this, only the last partner of each is still excluded. */
  rematch_last_only_ms: number
  /** Once both have waited longer than this, no former partner is excluded: two users alone on a small site meet again. */
  rematch_anyone_ms: number
}

/** A user in the search, as pairing sees them. The caller fills the sets and maps before the search; they never change. */
export interface Searcher {
  user_id: number
  side: Role
  /** 0 is the best: see `girlRank` and `guyRank`. */
  rank: number
  /** The languages that the user asks for; empty means any. */
  locales: readonly string[]
  /** Undefined: unknown. */
  country?: string | undefined
  premium: boolean
  /** Start of the wait; kept when the user is enqueued again after an offer that they did not decline. */
  waiting_since_ms: number
  /** Users who are blocked or hidden, in either direction. */
  excluded: ReadonlySet<number>
  /** Users met or declined lately, and until when (epoch milliseconds) that counts. */
  recent: ReadonlyMap<number, number>
  /** The newest of `recent`. */
  last_partner?: number | undefined
  /** Of a girl: she meets premium guys only. */
  only_premium?: boolean | undefined
  /** Of a girl: countries that she hides from; with any of them also guys whose country is unknown. */
  hides_countries?: ReadonlySet<string> | undefined
  /** Of a girl: the current or next quiet hours. */
  quiet?: { from_ms: number; until_ms: number } | undefined
  /** The server plays this user of the demo: real users come first (`mayMeet`). */
  is_companion?: boolean | undefined
}

/** A companion is offered only to a user who has waited this long while no real user could be offered. */
const COMPANION_AFTER_MS = 4000

export const EMPTY_IDS: ReadonlySet<number> = new Set()
export const NO_RECENT: ReadonlyMap<number, number> = new Map()

const CAMSCORE_ORDER = [
  'excellent',
  'good',
  'new',
  'none',
  'bad',
  'terrible',
] as const satisfies readonly CamscoreStatus[]

/** The ranks of girls: TOP, then one for each Camscore. */
export const GIRL_RANKS = CAMSCORE_ORDER.length + 1
/** The ranks of guys: premium, then the others. */
export const GUY_RANKS = 2

/** The rank of a girl: 0 is TOP; her Camscore from excellent to terrible gives 1 to 6. */
export function girlRank(girl: { is_top: boolean; camscore: CamscoreStatus }): number {
  return girl.is_top ? 0 : CAMSCORE_ORDER.indexOf(girl.camscore) + 1
}

/** The rank of a guy: 0 with premium, otherwise 1. */
export function guyRank(premium: boolean): number {
  return premium ? 0 : 1
}

/** The rules from the settings of the same names; `rematch_minutes` in minutes, the others in seconds. */
export function pairingRules(settings: {
  language_first: number
  rank_lift: number
  rematch_minutes: number
  rematch_last_only: number
  rematch_anyone: number
}): PairingRules {
  return {
    language_first_ms: settings.language_first * 1000,
    rank_lift_ms: settings.rank_lift * 1000,
    rematch_ms: settings.rematch_minutes * 60_000,
    rematch_last_only_ms: settings.rematch_last_only * 1000,
    rematch_anyone_ms: settings.rematch_anyone * 1000,
  }
}

/** The rank after a wait: better by one for each `rank_lift_ms`, never better than 0. */
export function liftedRank(rank: number, waitedMs: number, rules: PairingRules): number {
  return Math.max(0, rank - Math.floor(Math.max(0, waitedMs) / rules.rank_lift_ms))
}

/** Whether the two have a language in common; an empty list stands for every language. */
export function shareLanguage(one: readonly string[], other: readonly string[]): boolean {
  return one.length === 0 || other.length === 0 || one.some((locale) => other.includes(locale))
}

/** Whether the girl is in her quiet hours. */
export function isQuiet(girl: Searcher, nowMs: number): boolean {
  return girl.quiet !== undefined && nowMs >= girl.quiet.from_ms && nowMs < girl.quiet.until_ms
}

/** Whether the two may meet at all, regardless of languages. These rules stand only here. */
export function mayMeet(
  one: Searcher,
  other: Searcher,
  nowMs: number,
  rules: PairingRules,
): boolean {
  if (one.side === other.side || one.user_id === other.user_id) return false
  if (isTooEarly(one, other, nowMs)) return false
  const girl = one.side === 'girl' ? one : other
  const guy = one.side === 'girl' ? other : one
  if (girl.only_premium === true && !guy.premium) return false
  if (girl.excluded.size > 0 && girl.excluded.has(guy.user_id)) return false
  if (guy.excluded.size > 0 && guy.excluded.has(girl.user_id)) return false
  if (hidesFromGuyCountry(girl, guy)) return false
  if (girl.quiet !== undefined && isQuiet(girl, nowMs)) return false
  return !metLately(guy, girl, nowMs, rules)
}

/** One is a companion, and the other has not waited long enough for a companion or is a companion, too. */
function isTooEarly(one: Searcher, other: Searcher, nowMs: number): boolean {
  if (one.is_companion !== true) return false
  return other.is_companion === true || nowMs - other.waiting_since_ms < COMPANION_AFTER_MS
}

function hidesFromGuyCountry(girl: Searcher, guy: Searcher): boolean {
  if (!girl.hides_countries?.size) return false
  // An unknown country may be one of them.
  return guy.country === undefined || girl.hides_countries.has(guy.country)
}

function metLately(one: Searcher, other: Searcher, nowMs: number, rules: PairingRules): boolean {
  if (one.recent.size === 0 && other.recent.size === 0) return false
  const untilMs = Math.max(one.recent.get(other.user_id) ?? 0, other.recent.get(one.user_id) ?? 0)
  if (untilMs <= nowMs) return false
  const longerWaitMs = nowMs - Math.min(one.waiting_since_ms, other.waiting_since_ms)
  const shorterWaitMs = nowMs - Math.max(one.waiting_since_ms, other.waiting_since_ms)
  if (shorterWaitMs > rules.rematch_anyone_ms) return false
  if (longerWaitMs <= rules.rematch_last_only_ms) return true
  return one.last_partner === other.user_id || other.last_partner === one.user_id
}

/**
 * Whether the languages allow the two to meet now: they share a language, or one side has waited
 * `language_first_ms`.
 */
export function languageAllows(
  one: Searcher,
  other: Searcher,
  nowMs: number,
  rules: PairingRules,
): boolean {
  if (nowMs - Math.min(one.waiting_since_ms, other.waiting_since_ms) >= rules.language_first_ms)
    return true
  return shareLanguage(one.locales, other.locales)
}
