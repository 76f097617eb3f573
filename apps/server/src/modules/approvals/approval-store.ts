import { type Insertable, type Selectable, sql } from 'kysely'
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
  }: Pick<
    Insertable<Tables['approvals']>,
    'act' | 'user_id' | 'other_user_id' | 'reason' | 'asked_by'
  > & {
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

function waitingSince(db: Db, since: Temporal.Instant) {
  return db.selectFrom('approvals').where('asked_at', '>', since).where('allowed_at', 'is', null)
}

/** The requests since this time that wait, the oldest first. */
export function openApprovals(
  db: Db,
  { since, limit }: { readonly since: Temporal.Instant; readonly limit: number },
): Promise<ApprovalRow[]> {
  return waitingSince(db, since).selectAll().orderBy('approval_id').limit(limit).execute()
}

/** How many requests wait, and since when the oldest does. */
export function countOpen(
  db: Db,
  since: Temporal.Instant,
): Promise<{ waiting: number; oldest: Temporal.Instant | null }> {
  return waitingSince(db, since)
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      sql<Temporal.Instant | null>`min(asked_at)`.as('oldest'),
    ])
    .executeTakeFirstOrThrow()
}

/** The requests for this very act, the newest first. */
export function requestsFor(
  db: Db,
  { act, facts, limit }: { readonly act: string; readonly facts: object; readonly limit: number },
): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('act', '=', act)
    .where('facts', '=', jsonb(facts))
    .orderBy('approval_id', 'desc')
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
