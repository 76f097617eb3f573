import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import type { Asset } from '../../lib/money.ts'
import { notifyBalance } from './notices.ts'
import { transfer } from './transfer.ts'

export interface Grant {
  readonly user_id: UserId
  readonly asset: Extract<Asset, 'diamond' | 'message' | 'coin'>
  readonly amount: bigint
  /** Stored with the transfer, for staff; the user sees only that it was a grant. */
  readonly reason: string
  readonly key: string
  /** The operator's shell, the demo installation, or a member of staff. */
  readonly by: 'shell' | 'demo' | { readonly staff_id: number }
}

/** Transfers from `promotion` and notifies the user. Repeating the key transfers nothing and sends no notice. */
export async function grant(
  tx: Tx,
  { user_id, asset, amount, reason, key, by }: Grant,
): Promise<'applied' | 'repeated'> {
  const cause =
    typeof by === 'string'
      ? { kind: by, note: reason }
      : { kind: 'staff', id: by.staff_id, note: reason }
  const outcome = await transfer(tx, {
    key,
    asset,
    from: { house: 'promotion' },
    to: { user_id },
    amount,
    what: 'grant',
    cause,
  })
  if (outcome === 'repeated') return outcome
  await notifyBalance(tx, user_id, 'grant')
  await tx.publish('balance_added', {
    user_id,
    asset,
    amount,
    reason: 'grant',
    key,
    // Minutes of the demo installation are taken by the user, who sees them arrive.
    by: by === 'demo' ? 'user' : 'operator',
  })
  return outcome
}
