import { type Asset, toWire, unitsOf } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'

/** The result of one step of a hold; repeating the step with the same key returns the same result. */
export interface HoldResult {
  readonly hold_id: number
  /** The units that this step took out of the hold. */
  readonly posted: bigint
  /** The units that are still held after it; 0n when the hold is closed. */
  readonly held: bigint
}

/** The result of one group of linked steps. */
export type LedgerOutcome =
  | { readonly outcome: 'applied' | 'repeated'; readonly holds: readonly HoldResult[] }
  | { readonly outcome: 'no_balance'; readonly missing: bigint; readonly asset: Asset }
  | { readonly outcome: 'key_reused' | 'hold_closed' | 'over_hold' }

export type AppliedOutcome = Extract<LedgerOutcome, { outcome: 'applied' | 'repeated' }>

/** Returns the outcome if the group was applied; otherwise throws the refusal that the caller sees. */
export function applied(outcome: LedgerOutcome): AppliedOutcome {
  if (!isApplied(outcome)) throw getError(outcome)
  return outcome
}

export function isApplied(outcome: LedgerOutcome): outcome is AppliedOutcome {
  return outcome.outcome === 'applied' || outcome.outcome === 'repeated'
}

/**
 * The refusal that the caller sees. A closed hold is no expected refusal: the caller would have counted
 * wrong.
 */
export function getError(outcome: Exclude<LedgerOutcome, AppliedOutcome>): Error {
  if (outcome.outcome === 'no_balance')
    return new Refusal('no_balance', { missing: missingOnWire(outcome.asset, outcome.missing) })
  if (outcome.outcome === 'key_reused') return new Refusal('key_reused')
  return new Error(
    `Impossible: a hold is posted or voided once and within what it holds, not ${outcome.outcome}`,
  )
}

/** The missing amount as a decimal, rounded up at the last decimal of the wire: a user who adds it has enough. */
export function missingOnWire(asset: Asset, missing: bigint): string {
  const finest = asset === 'diamond' ? unitsOf.diamond / 10_000n : 1n
  return toWire(asset, ((missing + finest - 1n) / finest) * finest)
}
