import {
  EMPTY_IDS,
  languageAllows,
  liftedRank,
  mayMeet,
  NO_RECENT,
  shareLanguage,
  type PairingRules,
  type Searcher,
} from './pairing-rules.ts'
import type { MatchedPair } from './match-queue.ts'

/** Raised when a change of the rules would decide an old record otherwise. */
export const PAIRING_RULES_VERSION = 1

/** The facts that the rules knew about one side of a match. Times are epoch milliseconds. */
interface MatchedSide {
  rank: number
  locales: readonly string[]
  country: string | null
  premium: boolean
  waiting_since_ms: number
  /** Until when an earlier meeting of the two counts. */
  recent_until_ms: number | null
  /** The other is the last partner of this side. */
  was_last_partner: boolean
}

/** Why the queue matched two users, without their ids. */
export interface MatchRecord {
  rules_version: number
  rules: PairingRules
  at_ms: number
  guy: MatchedSide
  girl: MatchedSide & { only_premium: boolean; hides_countries: readonly string[] }
}

export function recordMatch(
  { guy, girl }: MatchedPair,
  atMs: number,
  rules: PairingRules,
): MatchRecord {
  return {
    rules_version: PAIRING_RULES_VERSION,
    rules,
    at_ms: atMs,
    guy: toSide(guy, girl.user_id),
    girl: {
      ...toSide(girl, guy.user_id),
      only_premium: girl.only_premium === true,
      hides_countries: [...(girl.hides_countries ?? [])],
    },
  }
}

function toSide(searcher: Searcher, otherId: number): MatchedSide {
  const {
    rank,
    locales,
    country = null,
    premium,
    waiting_since_ms,
    recent,
    last_partner,
  } = searcher
  return {
    rank,
    locales,
    country,
    premium,
    waiting_since_ms,
    recent_until_ms: recent.get(otherId) ?? null,
    was_last_partner: last_partner === otherId,
  }
}

export interface MatchReasons {
  /** The rules of today would let the two meet. False: the rules have changed since. */
  allowed: boolean
  language: 'shared' | 'waited'
  guy: SideReasons
  girl: SideReasons
}

interface SideReasons {
  waited_seconds: number
  rank: number
  /** The rank after the wait: the rank that decided. */
  lifted_rank: number
}

/** Decides a match again from its record. */
export function replayMatch(record: MatchRecord): MatchReasons {
  const { at_ms, rules, guy, girl } = record
  const his = toSearcher(guy, 'guy')
  const hers: Searcher = {
    ...toSearcher(girl, 'girl'),
    only_premium: girl.only_premium,
    hides_countries: new Set(girl.hides_countries),
  }
  return {
    allowed: mayMeet(his, hers, at_ms, rules) && languageAllows(his, hers, at_ms, rules),
    language: shareLanguage(guy.locales, girl.locales) ? 'shared' : 'waited',
    guy: getReasons(guy, record),
    girl: getReasons(girl, record),
  }
}

const IDS = { guy: 1, girl: 2 } as const

function toSearcher(known: MatchedSide, side: 'guy' | 'girl'): Searcher {
  const otherId = side === 'guy' ? IDS.girl : IDS.guy
  const { recent_until_ms, was_last_partner, country, ...rest } = known
  return {
    ...rest,
    user_id: IDS[side],
    side,
    country: country ?? undefined,
    excluded: EMPTY_IDS,
    recent: recent_until_ms === null ? NO_RECENT : new Map([[otherId, recent_until_ms]]),
    last_partner: was_last_partner ? otherId : undefined,
  }
}

function getReasons({ rank, waiting_since_ms }: MatchedSide, record: MatchRecord): SideReasons {
  const waitedMs = record.at_ms - waiting_since_ms
  return {
    waited_seconds: Math.floor(waitedMs / 1000),
    rank,
    lifted_rank: liftedRank(rank, waitedMs, record.rules),
  }
}
