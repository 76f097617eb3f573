import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { deletionProcess } from './deletion/deletion-process.ts'
import { findOpenDeletion } from './deletion/queries.ts'

/**
 * The login of identity has taken the wish back already. If another server process owns the deletion, it finds that when its
 * time comes.
 */
export async function cancelDeletion(
  tx: Tx,
  { user_id }: DomainEvents['deletion_withdrawn'],
): Promise<void> {
  const open = await findOpenDeletion(tx, user_id)
  if (open) await deletionProcess(tx.app).applyIn(tx, open.deletion_id, { type: 'logged_in' })
}
