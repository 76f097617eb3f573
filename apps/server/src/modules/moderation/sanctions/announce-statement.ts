import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { addNotice } from '../../notices/index.ts'
import { insertStatement } from './sanction-store.ts'

interface Announced {
  readonly user_id: UserId
  readonly kind: 'warning' | 'photo' | 'text' | 'gifts'
  readonly reason: string
  readonly comment: string
  readonly by: string
}

/** A warning or a removal: its statement is shown at once, or at the next visit. Returns its number. */
export async function announceStatement(
  tx: Tx,
  { user_id, kind, reason, comment, by }: Announced,
): Promise<number> {
  const statement_id = await insertStatement(tx, {
    user_id,
    kind,
    reason,
    comment,
    until: null,
    automatic: false,
    imposed_by: by,
  })
  await tx.notify(user_id, 'statement', { statement_id })
  // The desk of pictures has a notice of its own.
  if (kind !== 'photo')
    await addNotice(tx, {
      user_id,
      kind: 'statement',
      facts: { what: kind, statement_id },
      key: `statement:${statement_id}:begun`,
    })
  return statement_id
}
