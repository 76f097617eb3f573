import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { PictureHashes } from '../../../integrations/images/picture-hash.ts'
import { storedPicture } from '../store-files.ts'
import { DISTANCE_MAX, partsNear } from './rules.ts'
import { addHash } from './store.ts'

const HASHED_AT_ONCE = 100

/** A stored upload that shows a picture. */
export interface PictureCopy {
  readonly media_id: string
  readonly owner_id: UserId
  readonly status: string
}

/**
 * The uploads that show this picture, also mirrored, and the uploads with these ids: the first `limit` by their ids, behind `after`. What
 * support was sent is seen by staff only.
 */
export async function findCopies(
  db: Db,
  { hashes, ids }: { readonly hashes: readonly PictureHashes[]; readonly ids: readonly string[] },
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<readonly PictureCopy[]> {
  const near = hashes
    .flatMap(({ hash, mirrored }) => [hash, mirrored])
    .map(
      (hash) => sql`
        select media_id from picture_hashes
        where parts && ${partsNear(hash)}::integer[]
          and bit_count(hash # ${`x${hash}`}::bit(256)) <= ${DISTANCE_MAX} union all`,
    )
  const { rows } = await sql<PictureCopy>`
    select id as media_id, owner_id, status from media
    where id in (${sql.join(near, sql` `)} select unnest(${ids}::uuid[]))
      and product <> 'support' and status in ('ready', 'pending')
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Hashes stored pictures that have no hash yet. Ends early while too many pictures wait for the processor. */
export async function hashStored(app: App): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from media
      where status in ('ready', 'pending', 'removed')
        and not exists (select from picture_hashes where media_id = media.id)
      limit ${HASHED_AT_ONCE}`.execute(app.db)
    for (const { id } of rows) {
      const file = await storedPicture(app, id)
      const picture = file && (await app.images.encode(file))
      if (picture === 'busy') return
      await app.transact((tx) => addHash(tx, id, picture?.hashes?.hash))
    }
    if (rows.length < HASHED_AT_ONCE) return
  }
}
