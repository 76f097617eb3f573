import type { Tx } from '../../core/app.ts'
import { applied, getError, type HoldResult, isApplied } from './outcomes.ts'
import type { Group, HoldOpening, HoldPosting, Movement } from './steps.ts'
import { applyGroups } from './store.ts'

/**
 * Reserves an amount of a user's balance: exactly `amount`, or with `step` the most that the user can
 * afford in whole steps. Returns the reserved amount.
 * @throws Refusal no_balance (`missing`), key_reused
 */
export async function openHold(
  tx: Tx,
  opening: HoldOpening,
): Promise<{ hold_id: number; amount: bigint }> {
  const { hold_id, held } = await applyOne(tx, [{ open: opening }])
  return { hold_id, amount: held }
}

/** A posting and the movements that happen with it. All happen or nothing happens. */
export interface LinkedPosting extends HoldPosting {
  readonly linked?: readonly Movement[]
}

/**
 * Takes `amount` out of a hold and applies `linked` with it. Then leaves at most `keep` in the hold, or
 * closes the hold. Returns the posted and the held amount.
 * @throws Refusal key_reused, no_balance (of a linked movement)
 */
export function postHold(tx: Tx, posting: LinkedPosting): Promise<HoldResult> {
  return applyOne(tx, getGroup(posting))
}

/**
 * The same for many holds in one statement. The answers have the order of the postings. Each posting is
 * applied or refused by itself. A posting with an error has moved nothing.
 */
export async function postHolds(
  tx: Tx,
  postings: readonly LinkedPosting[],
): Promise<(HoldResult | Error)[]> {
  if (postings.length === 0) return []
  const outcomes = await applyGroups(tx, postings.map(getGroup), tx.now)
  return outcomes.map((outcome) => (isApplied(outcome) ? outcome.holds[0]! : getError(outcome)))
}

function getGroup({ linked = [], ...post }: LinkedPosting): Group {
  return [{ post }, ...linked.map((move) => ({ move }))]
}

async function applyOne(tx: Tx, group: Group): Promise<HoldResult> {
  const [outcome] = await applyGroups(tx, [group], tx.now)
  // The step of the hold is the first one of its group.
  return applied(outcome!).holds[0]!
}
