import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** The users that a user likes, the latest like first. */
export async function likedUsers(db: Db, liker_id: UserId, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('likes')
    .select('liked_id')
    .where('liker_id', '=', liker_id)
    .orderBy('at', 'desc')
    .orderBy('liked_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.liked_id)
}
