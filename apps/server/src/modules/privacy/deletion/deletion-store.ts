import type { Selectable } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import { assert } from '../../../lib/assert.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { ProcessStamp } from '../../../platform/process/process.ts'
import type { Deletion } from './deletion-rules.ts'

export function toDeletion(row: Selectable<Tables['account_deletions']>): Deletion {
  const { deletion_id, user_id, state, asked_at, erase_at, wake_at, closed_at } = row
  return {
    deletion_id,
    user_id,
    state: state as Deletion['state'],
    asked_at,
    erase_at,
    wake_at,
    closed_at,
  }
}

/** False: the user has an open request already. */
export async function insertDeletion(
  tx: Tx,
  deletion: Deletion,
  stamp: ProcessStamp,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('account_deletions')
    .values({ ...deletion, ...stamp })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The runtime holds the lock of the row. A closed request stays closed, and an outdated fence writes nothing. */
export async function updateDeletion(
  tx: Tx,
  { deletion_id, state, erase_at, wake_at, closed_at }: Deletion,
  { fence, version }: Pick<ProcessStamp, 'fence' | 'version'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('account_deletions')
    .set({ state, erase_at, wake_at, closed_at, version })
    .where('deletion_id', '=', deletion_id)
    .where('fence', '=', fence)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  assert(numUpdatedRows === 1n, 'the row of an open deletion is updated by its owner')
}
