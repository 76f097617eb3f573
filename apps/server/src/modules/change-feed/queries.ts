import type { Selectable } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { batchedRead, inKeys } from '../../platform/database/statements/batched-read.ts'
import type { Tables } from '../../core/tables.gen.ts'

export type ChangeRow = Pick<Selectable<Tables['changes']>, 'change_id' | 'event' | 'payload'>

const heads = batchedRead<UserId, number>(async (db, ids) => {
  const rows = await db
    .selectFrom('change_heads')
    .select(['user_id', 'head'])
    .where('user_id', '=', inKeys(ids))
    .execute()
  return new Map(rows.map(({ user_id, head }) => [user_id, head]))
})

/** The number of a user's last change. 0 without a change. */
export async function readHead(db: Db, user_id: UserId): Promise<number> {
  return (await heads(db, user_id)) ?? 0
}

export function changesSince(
  db: Db,
  user_id: UserId,
  since: number,
  limit: number,
): Promise<ChangeRow[]> {
  return db
    .selectFrom('changes')
    .select(['change_id', 'event', 'payload'])
    .where('user_id', '=', user_id)
    .where('change_id', '>', since)
    .orderBy('change_id')
    .limit(limit)
    .execute()
}

/** The newest first. */
export function newestChanges(db: Db, user_id: UserId, limit: number): Promise<ChangeRow[]> {
  return db
    .selectFrom('changes')
    .select(['change_id', 'event', 'payload'])
    .where('user_id', '=', user_id)
    .orderBy('change_id', 'desc')
    .limit(limit)
    .execute()
}
