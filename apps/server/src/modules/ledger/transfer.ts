import type { Tx } from '../../core/app.ts'
import { applied, getError, isApplied } from './outcomes.ts'
import type { Movement } from './steps.ts'
import { applyGroups } from './store.ts'

/**
 * Transfers money inside the caller's transaction. All linked movements happen, or nothing moves.
 * @throws Refusal no_balance (`missing`), key_reused
 */
export async function transfer(
  tx: Tx,
  movements: Movement | readonly Movement[],
): Promise<'applied' | 'repeated'> {
  const linked = Array.isArray(movements)
    ? (movements as readonly Movement[])
    : [movements as Movement]
  const [outcome] = await applyGroups(tx, [linked.map((move) => ({ move }))], tx.now)
  return applied(outcome!).outcome
}

/**
 * The same for unrelated movements, in one statement: each movement is made or refused by itself. Returns
 * the errors of the refused movements.
 */
export async function transferEach(
  tx: Tx,
  movements: readonly Movement[],
): Promise<ReadonlyMap<Movement, Error>> {
  if (movements.length === 0) return new Map()
  const groups = movements.map((move) => [{ move }])
  const outcomes = await applyGroups(tx, groups, tx.now)
  return new Map(
    outcomes.flatMap((outcome, n) =>
      isApplied(outcome) ? [] : [[movements[n]!, getError(outcome)] as const],
    ),
  )
}
