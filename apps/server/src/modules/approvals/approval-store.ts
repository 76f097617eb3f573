import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { jsonb } from '../../platform/database/values.ts'

export type ApprovalRow = Selectable<Tables['approvals']>

export async function insertApproval(
  tx: Tx,
  {
    facts,
    ...asked
  }: Pick<Insertable<Tables['approvals']>, 'act' | 'user_id' | 'reason' | 'asked_by'> & {
    readonly facts: object
  },
): Promise<number> {
  const { approval_id } = await tx
    .insertInto('approvals')
    .values({ ...asked, facts: jsonb(facts), asked_at: tx.now })
    .returning('approval_id')
    .executeTakeFirstOrThrow()
  return approval_id
}

export function lockApproval(tx: Tx, approval_id: number): Promise<ApprovalRow | undefined> {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('approval_id', '=', approval_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The requests since this time that wait, the oldest first. */
export function openApprovals(
  db: Db,
  { since, limit }: { readonly since: Temporal.Instant; readonly limit: number },
): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('asked_at', '>', since)
    .where('allowed_at', 'is', null)
    .orderBy('approval_id')
    .limit(limit)
    .execute()
}

export async function changeApproval(
  tx: Tx,
  approval_id: number,
  change: Partial<Pick<ApprovalRow, 'allowed_by' | 'allowed_at' | 'used_at'>>,
): Promise<void> {
  await tx.updateTable('approvals').set(change).where('approval_id', '=', approval_id).execute()
}
