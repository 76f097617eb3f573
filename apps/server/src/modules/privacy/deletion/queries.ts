import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Deletion } from './deletion-rules.ts'
import { toDeletion } from './deletion-store.ts'

export async function deletionById(db: Db, id: string): Promise<Deletion | undefined> {
  const row = await db
    .selectFrom('account_deletions')
    .selectAll()
    .where('deletion_id', '=', id)
    .executeTakeFirst()
  return row && toDeletion(row)
}

export async function deletionsByIds(db: Db, ids: readonly string[]): Promise<Deletion[]> {
  const rows = await db
    .selectFrom('account_deletions')
    .selectAll()
    .where('deletion_id', 'in', [...ids])
    .execute()
  return rows.map(toDeletion)
}

/** The request of a user that is neither cancelled nor done. */
export async function findOpenDeletion(db: Db, user_id: UserId): Promise<Deletion | undefined> {
  const row = await db
    .selectFrom('account_deletions')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row && toDeletion(row)
}
