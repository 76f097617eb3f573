import { wallFilters, type wallOrders, wallReasons } from '@duet/protocol/kernel/rule-names.ts'

export type WallReason = (typeof wallReasons)[number]
export type WallFilter = (typeof wallFilters)[number]
export type WallOrder = (typeof wallOrders)[number]

/** A running call with everything that can make it a risk. */
export interface RatedCall {
  readonly session_id: number
  readonly guy_id: number
  readonly girl_id: number
  readonly is_private: boolean
  readonly opened_ms: number
  /** One of the two pages says that its network carries only a small picture. */
  readonly weak: boolean
  /** The reliability of those who complain about this call, and about one of the two elsewhere; 0: no complaint waits. */
  readonly complaint: number
  readonly accused: number
  /** The score of her last frame; 0: there is none, or it is of no interest. */
  readonly nudity: number
  readonly checked: boolean
  readonly no_face: boolean
  readonly frames_missing: boolean
  readonly camera_off: boolean
  readonly earlier: boolean
  readonly new_account: boolean
}

/** The points of each reason. */
const POINTS: Readonly<Record<WallReason, number>> = {
  complaint: 100,
  checked: 60,
  nudity: 100,
  accused: 50,
  no_face: 30,
  frames_missing: 20,
  camera_off: 10,
  earlier: 5,
  new_account: 2,
}
/** A complaint of the least reliable reporter is worth this share. */
const LEAST_SHARE = 0.3
/** Reasons that do not say that something is wrong. */
const NOTES: ReadonlySet<WallReason> = new Set(['camera_off', 'earlier', 'new_account'])

export function readReasons(call: RatedCall): WallReason[] {
  return wallReasons.filter((reason) => Number(call[reason]) > 0)
}

/** The sum of the points of its reasons. */
export function rateRisk(call: RatedCall): number {
  return Math.round(
    readReasons(call).reduce((sum, reason) => sum + POINTS[reason] * share(call, reason), 0),
  )
}

function share(call: RatedCall, reason: WallReason): number {
  if (reason === 'nudity') return call.nudity
  if (reason !== 'complaint' && reason !== 'accused') return 1
  return LEAST_SHARE + (1 - LEAST_SHARE) * Math.min(1, call[reason])
}

const SHOWN: Readonly<Record<WallFilter, (call: RatedCall) => boolean>> = {
  all: () => true,
  flagged: (call) => readReasons(call).some((reason) => !NOTES.has(reason)),
  new_accounts: ({ new_account }) => new_account,
  private: ({ is_private }) => is_private,
  weak: ({ weak }) => weak,
}

export function countShown(calls: readonly RatedCall[]): Record<WallFilter, number> {
  const count = (filter: WallFilter) => calls.filter(SHOWN[filter]).length
  return Object.fromEntries(wallFilters.map((filter) => [filter, count(filter)])) as Record<
    WallFilter,
    number
  >
}

/** `ids`: of the users and of the session that were looked for; undefined: everything is shown. */
export function chooseCalls(
  calls: readonly RatedCall[],
  show: WallFilter,
  order: WallOrder,
  ids: ReadonlySet<number> | undefined,
): RatedCall[] {
  const isFound = ({ session_id, guy_id, girl_id }: RatedCall) =>
    !ids || [session_id, guy_id, girl_id].some((id) => ids.has(id))
  const longest = (one: RatedCall, other: RatedCall) =>
    one.opened_ms - other.opened_ms || one.session_id - other.session_id
  const found = calls.filter((call) => SHOWN[show](call) && isFound(call))
  if (order === 'longest') return found.toSorted(longest)
  if (order === 'newest') return found.toSorted((one, other) => longest(other, one))
  const risks = new Map(found.map((call) => [call, rateRisk(call)]))
  return found.toSorted((one, other) => risks.get(other)! - risks.get(one)! || longest(one, other))
}
