import type { Tx } from '../../core/tx.ts'
import { applyGroups, type Held, settled } from './ledger.ts'
import type { Group, HoldOpening, HoldPosting, Movement } from './steps.ts'

/**
 * Sets an amount of a user's aside: exactly `amount`, or with `step` the most that is affordable in whole steps.
 * Answers what was set aside.
 * @throws Refusal no_balance (`missing`), key_reused
 */
export async function openHold(
  tx: Tx,
  opening: HoldOpening,
): Promise<{ hold_id: number; amount: bigint }> {
  const { hold_id, held } = await one(tx, [{ open: opening }])
  return { hold_id, amount: held }
}

/** A posting and what moves with it, all or none. */
export interface LinkedPosting extends HoldPosting {
  readonly linked?: readonly Movement[]
}

/**
 * Takes `amount` out of a hold and moves `linked` with it; then holds on up to `keep`, or closes the hold.
 * Answers what was posted and what is still held.
 * @throws Refusal key_reused, no_balance (of a linked movement)
 */
export function postHold(tx: Tx, posting: LinkedPosting): Promise<Held> {
  return one(tx, groupOf(posting))
}

/** Gives back all that is still held. */
export function voidHold(tx: Tx, hold_id: number, key: string): Promise<Held> {
  return one(tx, [{ void: { hold_id, key } }])
}

function groupOf({ linked = [], ...post }: LinkedPosting): Group {
  return [{ post }, ...linked.map((move) => ({ move }))]
}

async function one(tx: Tx, group: Group): Promise<Held> {
  const [outcome] = await applyGroups(tx, [group], tx.now)
  // The step of the hold is the first of its group.
  return settled(outcome!).holds[0]!
}
