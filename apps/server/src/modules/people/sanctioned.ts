import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'

/** Of these users, those under a ban or a suspension. */
export async function readSanctioned(db: Db, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('sanction_id', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.id))
}
