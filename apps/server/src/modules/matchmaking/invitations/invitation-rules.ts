import type { PairClosedReason } from '@duet/protocol'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import { unreachable } from '../../../lib/assert.ts'

/**
 * The life of an invitation: a user calls another user, and the invitation rings until the call opens or one
 * of them ends it. Pure: the state is the row. An overdue expiry is applied first, at the moment of its end.
 */

/** The callee does not learn of a ring that its caller ended sooner. */
const RECORDED_AFTER_MS = 5000
const ENDS_BY_CALLER: ReadonlySet<PairClosedReason> = new Set<PairClosedReason>([
  'cancelled',
  'offline',
  'matched_elsewhere',
])

export interface InvitationRules {
  readonly ring_ms: number
}

export interface Invitation {
  pair_id: string
  guy_id: number
  girl_id: number
  caller: Role
  random_id: string | null
  free_seconds: number
  state: 'open' | 'accepted' | 'closed'
  reason: PairClosedReason | null
  /** The callee did not answer. `isRecorded` decides whether the callee learns of the ring. */
  missed: boolean
  opened_at: Temporal.Instant
  /** When the ring ends without an answer; a timer that survives a restart. */
  wake_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
}

export type InvitationOpening = Pick<
  Invitation,
  'pair_id' | 'guy_id' | 'girl_id' | 'caller' | 'random_id' | 'free_seconds'
>

export type InvitationEvent =
  /** By the callee. `from_search`: the callee's search, or call from a search, ends for this call. */
  | { type: 'accepted'; from_search: boolean }
  /** By the callee. */
  | { type: 'declined' }
  /** By the caller. */
  | { type: 'withdrawn' }
  /** Log-out, ban, deletion; or the caller's page was gone for the grace time. */
  | { type: 'left'; side: Role }
  /** One blocked the other, or hides from the other now. */
  | { type: 'blocked' }
  /** This side is in another call now: the caller in any call, the callee in a private one. */
  | { type: 'taken'; side: Role; is_answered?: true }
  /** The callee accepted, and the caller may not call any more: no balance, no verification, no picture. */
  | { type: 'unable' }
  | { type: 'time_came' }
  /** The server started: the pages did not follow the ring, so it does not count as missed. */
  | { type: 'server_started' }

export type InvitationCommand =
  /** Sends search_pair to both, and push messages to the callee. */
  | { type: 'ring' }
  /** If one of them is in a call already, the transaction is rolled back. */
  | { type: 'open_call'; callee_from_search: boolean }
  /** Sends search_pair_closed to both. */
  | { type: 'close'; reason: PairClosedReason }
  /** The callee gets an entry of the dialog, a notice and a push message. */
  | { type: 'record_missed' }
  | { type: 'refuse'; name: 'pair_over' }

type InvitationDecision = Decision<Invitation, InvitationCommand>

export function openInvitation(
  opening: InvitationOpening,
  now: Temporal.Instant,
  rules: InvitationRules,
): InvitationDecision {
  const state: Invitation = {
    ...opening,
    state: 'open',
    reason: null,
    missed: false,
    opened_at: now,
    wake_at: now.add({ milliseconds: rules.ring_ms }),
    closed_at: null,
  }
  return { state, commands: [{ type: 'ring' }] }
}

/** Decides an event. `before` is not changed. */
export function decideInvitation(
  before: Invitation,
  event: InvitationEvent,
  now: Temporal.Instant,
): InvitationDecision {
  if (before.state !== 'open') return { state: before, commands: lateAnswer(before, event) }
  if (event.type === 'server_started') return close(before, 'cancelled', now, false)
  if (Temporal.Instant.compare(before.wake_at!, now) <= 0) {
    const expired = close(before, 'expired', before.wake_at!)
    return {
      state: expired.state,
      commands: [...expired.commands, ...lateAnswer(expired.state, event)],
    }
  }
  switch (event.type) {
    case 'accepted':
      return {
        state: { ...before, state: 'accepted', wake_at: null, closed_at: now },
        commands: [{ type: 'open_call', callee_from_search: event.from_search }],
      }
    case 'declined':
      return close(before, 'declined', now, false)
    case 'unable':
      return close(before, 'unable', now, false)
    case 'withdrawn':
      return close(before, 'cancelled', now)
    case 'left':
      return close(before, 'offline', now)
    case 'blocked':
      return close(before, 'blocked', now, false)
    case 'taken':
      return close(
        before,
        event.side === before.caller ? 'matched_elsewhere' : 'busy',
        now,
        // A callee who pressed Accept has missed nothing.
        !event.is_answered,
      )
    case 'time_came':
      return { state: before, commands: [] }
    default:
      return unreachable(event, 'an event that invitations do not have')
  }
}

/** An answer that comes too late is refused; an acceptance that was counted may be repeated. */
function lateAnswer({ state }: Invitation, { type }: InvitationEvent): InvitationCommand[] {
  const isRefused =
    type === 'declined' || type === 'withdrawn' || (type === 'accepted' && state !== 'accepted')
  return isRefused ? [{ type: 'refuse', name: 'pair_over' }] : []
}

function close(
  before: Invitation,
  reason: PairClosedReason,
  at: Temporal.Instant,
  missed = true,
): InvitationDecision {
  const state = {
    ...before,
    state: 'closed',
    reason,
    missed,
    wake_at: null,
    closed_at: at,
  } as const
  return {
    state,
    commands: [
      ...(isRecorded(state) ? [{ type: 'record_missed' } as const] : []),
      { type: 'close', reason },
    ],
  }
}

/**
 * Whether the callee learns afterwards of this ring that is over. A caller must not write into the callee's
 * dialog and bell by rings that were too short to answer.
 */
export function isRecorded({ missed, reason, opened_at, closed_at }: Invitation): boolean {
  if (!missed || !ENDS_BY_CALLER.has(reason!)) return missed
  return closed_at!.epochMilliseconds - opened_at.epochMilliseconds >= RECORDED_AFTER_MS
}

/** Whether a ring that is over is in the callee's history of calls: it was answered, or the callee learns of it. */
export function isKnownToCallee(invitation: Invitation): boolean {
  return invitation.state !== 'open' && (!invitation.missed || isRecorded(invitation))
}

/** The side that is called. */
export function calleeSide({ caller }: Pick<Invitation, 'caller'>): Role {
  return otherRole(caller)
}

/** A ring that led to no call. */
export interface FormerRing {
  readonly opened_at: Temporal.Instant
  readonly closed_at: Temporal.Instant
}

export interface AgainRules {
  readonly again_ms: number
  readonly rings_an_hour: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** For how many milliseconds the caller must wait before the next ring to the same callee. */
export function waitBeforeRing(
  former: readonly FormerRing[],
  now: Temporal.Instant,
  { again_ms, rings_an_hour }: AgainRules,
): number {
  const last = newestFirst(former)[0]
  return Math.max(
    last ? last.closed_at.epochMilliseconds + again_ms - now.epochMilliseconds : 0,
    waitForPlace(former, now, rings_an_hour, HOUR_MS),
  )
}

/** For how many milliseconds a caller must wait after these unanswered rings of the last day, before a ring to any user. */
export function waitAfterUnanswered(
  unanswered: readonly Pick<FormerRing, 'opened_at'>[],
  now: Temporal.Instant,
  ringsMax: number,
): number {
  return waitForPlace(unanswered, now, ringsMax, DAY_MS)
}

/** How long it takes until fewer than `ringsMax` of the rings are younger than `withinMs`. */
function waitForPlace(
  rings: readonly Pick<FormerRing, 'opened_at'>[],
  now: Temporal.Instant,
  ringsMax: number,
  withinMs: number,
): number {
  const oldest = newestFirst(rings)[ringsMax - 1]
  return Math.max(
    0,
    oldest ? oldest.opened_at.epochMilliseconds + withinMs - now.epochMilliseconds : 0,
  )
}

function newestFirst<Ring extends Pick<FormerRing, 'opened_at'>>(rings: readonly Ring[]): Ring[] {
  return rings.toSorted((one, other) => Temporal.Instant.compare(other.opened_at, one.opened_at))
}
