import type { Tx } from '../../core/app.ts'
import { applied } from './outcomes.ts'
import type { Movement } from './steps.ts'
import { applyGroups } from './store.ts'

/**
 * Transfers money inside the caller's transaction: linked movements, all or none.
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
