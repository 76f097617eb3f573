import { type DeclineReason, declineReasons } from '@duet/protocol/kernel/rule-names.ts'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import type { UserId } from '../../../core/ids.ts'

/** Reasons that staff give for a decline. The client has a sentence for each reason. */
export const DECLINE_REASONS = declineReasons

/** Why a check ended: a reason of staff or of the provider, or a later event. */
export type CheckReason = DeclineReason | 'provider' | 'expired' | 'revoked' | 'replaced' | 'erased'

export type CheckProvider = 'staff' | 'sumsub'

/** The documents that a user sent, described for staff. */
export interface CheckRequest {
  readonly document_type: string
  readonly document_country: string
  readonly gesture: string
  readonly challenge_id: string
  readonly consent_version: string
  readonly consent_at: Temporal.Instant
}

/**
 * One check of one user's identity. `ended` means: the user was verified by this check, and no longer is.
 * `checking` and `verified` are open. A user may have one check in each open state, because a new document
 * is checked before the old document expires.
 */
export interface IdentityCheck {
  readonly check_id: number
  readonly user_id: UserId
  readonly provider: CheckProvider
  readonly state: 'checking' | 'verified' | 'declined' | 'ended'
  readonly reason: CheckReason | null
  /** Declined, and the user was asked for better documents. */
  readonly asked_again: boolean
  /** The words of staff that the user reads beside the reason. */
  readonly comment: string | null
  readonly request: CheckRequest | null
  readonly opened_at: Temporal.Instant
  readonly decided_at: Temporal.Instant | null
  readonly decided_by: string | null
  readonly expires_at: Temporal.Instant | null
  /** How many warnings before the expiry the user has got. */
  readonly warnings: number
  readonly wake_at: Temporal.Instant | null
  readonly closed_at: Temporal.Instant | null
}

export interface CheckRules {
  /** Warnings before the expiry, in days, the earliest first. */
  readonly warn_days: readonly number[]
}

/** The answer to the user whose check is declined. */
export interface CheckAnswer {
  readonly reason: CheckReason
  readonly asked_again?: boolean
  readonly comment?: string | undefined
}

export type CheckEvent =
  | {
      readonly type: 'approved'
      readonly by: string
      readonly expires_at: Temporal.Instant | null
    }
  | ({ readonly type: 'declined'; readonly by: string } & CheckAnswer)
  /** The user is not verified any more. `replaced`: a newer check of the same user replaces this check. */
  | { readonly type: 'revoked'; readonly by: string; readonly reason: CheckReason }
  | { readonly type: 'wake_up' }
  | { readonly type: 'server_started' }

export type CheckCommand =
  | { readonly type: 'verify_user' }
  | { readonly type: 'unverify_user' }
  /** Notifies the user of the new state. */
  | { readonly type: 'announce' }
  | { readonly type: 'warn'; readonly days: number }

type CheckDecision = Decision<IdentityCheck, CheckCommand>

const DAY_MS = 86_400_000

export function isOpen({ state }: Pick<IdentityCheck, 'state'>): boolean {
  return state === 'checking' || state === 'verified'
}

/** Decides what an event does to a check. An event that does not fit its state changes nothing. */
export function decideCheck(
  check: IdentityCheck,
  event: CheckEvent,
  now: Temporal.Instant,
  rules: CheckRules,
): CheckDecision {
  switch (event.type) {
    case 'approved':
      return check.state === 'checking' ? approve(check, event, now, rules) : unchanged(check)
    case 'declined':
      return check.state === 'checking' ? close(check, 'declined', event, now) : unchanged(check)
    case 'revoked':
      return check.state === 'verified' ? close(check, 'ended', event, now) : unchanged(check)
    case 'wake_up':
    case 'server_started':
      return check.state === 'verified' ? passTime(check, now, rules) : unchanged(check)
  }
}

function unchanged(state: IdentityCheck): CheckDecision {
  return { state, commands: [] }
}

function approve(
  check: IdentityCheck,
  { by, expires_at }: Extract<CheckEvent, { type: 'approved' }>,
  now: Temporal.Instant,
  rules: CheckRules,
): CheckDecision {
  const verified: IdentityCheck = {
    ...check,
    state: 'verified',
    decided_at: now,
    decided_by: by,
    expires_at,
    // The user has just sent this document, so warnings whose day has passed count as given.
    warnings: expires_at ? warningsDue(expires_at, now, rules) : 0,
  }
  return {
    state: { ...verified, wake_at: nextWake(verified, rules) },
    commands: [{ type: 'verify_user' }, { type: 'announce' }],
  }
}

function close(
  check: IdentityCheck,
  state: 'declined' | 'ended',
  { by, reason, asked_again = false, comment }: { readonly by: string } & CheckAnswer,
  now: Temporal.Instant,
): CheckDecision {
  const closed: IdentityCheck = {
    ...check,
    state,
    reason,
    asked_again,
    comment: comment ?? null,
    decided_at: check.decided_at ?? now,
    decided_by: check.decided_by ?? by,
    wake_at: null,
    closed_at: now,
  }
  // A newer check that replaces this check announces itself. An erased user reads nothing.
  if (reason === 'replaced' || reason === 'erased') return { state: closed, commands: [] }
  return {
    state: closed,
    commands: [
      ...(state === 'ended' ? [{ type: 'unverify_user' as const }] : []),
      { type: 'announce' },
    ],
  }
}

function passTime(check: IdentityCheck, now: Temporal.Instant, rules: CheckRules): CheckDecision {
  const { expires_at } = check
  if (expires_at === null) return unchanged(check)
  if (Temporal.Instant.compare(now, expires_at) >= 0)
    return close(check, 'ended', { by: 'time', reason: 'expired' }, now)
  const warnings = Math.max(check.warnings, warningsDue(expires_at, now, rules))
  const state = { ...check, warnings, wake_at: nextWake({ expires_at, warnings }, rules) }
  if (warnings === check.warnings)
    return isSameInstant(state.wake_at, check.wake_at) ? unchanged(check) : { state, commands: [] }
  // After a long stop of the server several warnings are due. One warning with the remaining days replaces
  // them.
  const days = Math.ceil((expires_at.epochMilliseconds - now.epochMilliseconds) / DAY_MS)
  return { state, commands: [{ type: 'warn', days }] }
}

function warningsDue(
  expires_at: Temporal.Instant,
  now: Temporal.Instant,
  { warn_days }: CheckRules,
): number {
  const leftMs = expires_at.epochMilliseconds - now.epochMilliseconds
  return warn_days.filter((days) => leftMs <= days * DAY_MS).length
}

function isSameInstant(one: Temporal.Instant | null, other: Temporal.Instant | null): boolean {
  return one === other || (one !== null && other !== null && one.equals(other))
}

function nextWake(
  { expires_at, warnings }: Pick<IdentityCheck, 'expires_at' | 'warnings'>,
  { warn_days }: CheckRules,
): Temporal.Instant | null {
  const days = warn_days[warnings] ?? 0
  return expires_at && expires_at.subtract({ hours: 24 * days })
}
