import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { PictureHashes } from '../../../integrations/images/picture-hash.ts'
import { storedPicture } from '../store-files.ts'
import { DISTANCE_MAX, mirrorHash, partsNear } from './rules.ts'
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
  const { rows } = await sql<PictureCopy>`
    select id as media_id, owner_id, status from media
    where id in (${nearUploads(hashes)} select unnest(${ids}::uuid[]))
      and product <> 'support' and status in ('ready', 'pending')
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db)
  return rows
}

/** The uploads with nearly these hashes, also mirrored; the statement goes on behind it. */
function nearUploads(hashes: readonly PictureHashes[]) {
  const near = hashes
    .flatMap(({ hash, mirrored }) => [hash, mirrored])
    .map(
      (hash) => sql`
        select media_id from picture_hashes
        where parts && ${partsNear(hash)}::integer[]
          and bit_count(hash # ${`x${hash}`}::bit(256)) <= ${DISTANCE_MAX} union all`,
    )
  return sql.join(near, sql` `)
}

/** An upload whose copies are searched, by its stored hash. */
export interface HashedUpload {
  readonly media_id: string
  readonly owner_id: UserId
  readonly hash: string
}

/** The other users who have this picture, also mirrored and also where staff removed it; at most `limit`. */
export async function ownersOfCopies(
  db: Db,
  { hash, owner_id }: HashedUpload,
  limit: number,
): Promise<readonly UserId[]> {
  const { rows } = await sql<{ owner_id: UserId }>`
    select distinct owner_id from media
    where id in (${nearUploads([{ hash, mirrored: mirrorHash(hash) }])} select null::uuid)
      and owner_id <> ${owner_id} and product <> 'support' and status in ('ready', 'pending', 'removed')
    limit ${limit}`.execute(db)
  return rows.map((row) => row.owner_id)
}

/**
 * Uploads that were checked since then, and all uploads of these users: the first `limit` by their ids, behind `after`.
 */
export async function hashedUploads(
  db: Db,
  { since, owners }: { readonly since: Temporal.Instant; readonly owners: RawBuilder<unknown> },
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<readonly HashedUpload[]> {
  const { rows } = await sql<HashedUpload>`
    select media_id, owner_id, encode(substring(bit_send(hash) from 5), 'hex') as hash
    from media join picture_hashes on media_id = id
    where id in (
      select media_id from image_checks where checked_at >= ${since}
      union select id from media where owner_id in ${owners})
      and hash is not null and product <> 'support' and status in ('ready', 'pending', 'removed')
      and (${after}::uuid is null or id > ${after}::uuid)
    order by media_id limit ${limit}`.execute(db)
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
