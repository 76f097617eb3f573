import type { RawBuilder } from 'kysely'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

/**
 * The used units of a user's running process (a call) and the part that is posted to the ledger. Negative
 * for spending, positive for earning. The ledger reads the posted part together with the balance, because a
 * posting between two statements would show in only one of them. The used part only grows and may be read
 * later.
 */
export interface UsageSource {
  /** A statement with the columns `user_id`, `process_id` and `posted`: the running processes of these users. */
  readonly postedOf: (ids: readonly UserId[]) => RawBuilder<unknown>
  /** Undefined when memory does not have this process of the user. */
  readonly usedUnits: (
    context: AppContext,
    user_id: UserId,
    processId: number,
  ) => bigint | undefined
}

/** The source of the units that users spend (negative) or earn (positive) before they are posted. */
export const usageSource = createPort<UsageSource | undefined>(
  'the units of running calls',
  undefined,
)
