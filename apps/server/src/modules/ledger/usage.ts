import type { RawBuilder } from 'kysely'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

/**
 * A user's running process (a call) has used units, and a part of them is posted to the ledger: negative for spending,
 * positive for earning. The ledger reads the posted part in the statement that reads the balance, because a
 * posting between two statements would show in one of them only; the used part only grows and may be read later.
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
