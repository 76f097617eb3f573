import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { PictureHashes } from '../../../integrations/images/picture-hash.ts'
import { DISTANCE_MAX, partsNear } from './rules.ts'

/** The id of the known picture that this one is, also mirrored, among those that this user may not upload. */
export async function nearestKnownPicture(
  db: Db,
  { hash, mirrored }: PictureHashes,
  owner_id: UserId,
): Promise<number | undefined> {
  const parts = [...new Set([...partsNear(hash), ...partsNear(mirrored)])]
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, least(
        bit_count(hash # ${`x${hash}`}::bit(256)), bit_count(hash # ${`x${mirrored}`}::bit(256))) as distance
      from known_pictures
      where parts && ${parts}::integer[] and (owner_id is null or owner_id = ${owner_id})) as near
    where distance <= ${DISTANCE_MAX} order by distance, id limit 1`.execute(db)
  return rows[0]?.id
}

/** The hash of an upload from its last check: null when it had none, undefined when no check is known. */
export async function checkedHash(db: Db, media_id: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('image_checks')
    .select('hash')
    .where('media_id', '=', media_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.hash
}

/** The last checks, the newest first. */
export function lastChecks(db: Db, limit: number) {
  return db
    .selectFrom('image_checks')
    .select(['id', 'media_id', 'owner_id', 'product', 'verdict', 'reason', 'nudity'])
    .select(['model', 'model_version', 'known_picture_id', 'checked_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
