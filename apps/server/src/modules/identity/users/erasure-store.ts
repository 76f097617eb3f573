import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { emptyColumns } from './columns.ts'
import { forgetAfterCommit } from './queries.ts'

/** Stores the wish of a member to leave. */
export async function askDeletion(tx: Tx, id: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set({ deletion_asked_at: tx.now })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .execute()
  forgetAfterCommit(tx, id)
}

/** Removes the request to delete the account. False if there is no request, or if the account is closed. */
export async function withdrawDeletion(tx: Tx, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ deletion_asked_at: null })
    .where('id', '=', id)
    .where('deletion_asked_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) forgetAfterCommit(tx, id)
  return numUpdatedRows === 1n
}

/** Marks the account of a member who still wants to leave as closed; false if the wish was taken back. */
export async function closeUser(tx: Tx, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ erased_at: tx.now })
    .where('id', '=', id)
    .where('deletion_asked_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  forgetAfterCommit(tx, id)
  return numUpdatedRows === 1n
}

/** Clears everything personal of a closed account. */
export async function clearUser(tx: Tx, id: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set(emptyColumns)
    .where('id', '=', id)
    .where('erased_at', 'is not', null)
    .execute()
  forgetAfterCommit(tx, id)
}
