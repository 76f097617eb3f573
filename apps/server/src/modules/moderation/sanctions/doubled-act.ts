import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuse } from '../../../lib/refusal.ts'

const DOUBLED_MINUTES = 10

interface Act {
  readonly user_id: UserId
  readonly kind: 'warning' | 'penalty'
  readonly reason: string
  readonly session_id: number
  readonly by: string
}

/**
 * Two members of staff look at one call: the second does not fine or warn once more for the same. Called under the lock of
 * a user of the call. Refuses decided.
 */
export async function refuseDoubled(
  tx: Tx,
  { user_id, kind, reason, session_id, by }: Act,
): Promise<void> {
  const former = await tx
    .selectFrom('statements')
    .select('statement_id')
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('reason', '=', reason)
    .where('imposed_by', '!=', by)
    .where('at', '>', tx.now.subtract({ minutes: DOUBLED_MINUTES }))
    .where('taken_back_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (former) refuse('decided')
}
