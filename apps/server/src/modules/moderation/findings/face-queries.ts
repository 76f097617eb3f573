import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { FaceNumbers } from '../../../integrations/faces/faces.ts'

/** After a ban for one of these the user is not searched by face: it is about the quality of calls. */
const MILD_REASONS = ['bad_connection', 'absence', 'no_attention']
const FACES_OF_USER_MAX = 5

/** The numbers of a face identify the user: they are kept for a ban of these days only, and only while it stands. */
export const facesOfUsers = (since: Temporal.Instant) => sql`(
  select sanctions.user_id from sanctions join statements using (statement_id)
  where sanctions.kind = 'ban' and ended_at is null and statements.at >= ${since}
    and not statements.reason = any(${MILD_REASONS}::text[]))`

/** All users see the picture. A removed picture may show another person, so its face is not that of its owner. */
export const isPublic = sql`status = 'ready' and audience = 'everyone'`

/** Pictures of banned users that were not looked at: of each user the portraits, then the latest of the gallery. */
export async function unseenFaces(
  db: Db,
  since: Temporal.Instant,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select picture.id from (select distinct user_id from ${facesOfUsers(since)} bans) banned
    cross join lateral (
      select id from media
      where owner_id = banned.user_id and product in ('avatar', 'gallery') and kind = 'photo'
        and ${isPublic}
      order by product, created_at desc limit ${FACES_OF_USER_MAX}) picture
    where not exists (select from banned_faces where media_id = picture.id) limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export interface NewPortrait {
  readonly id: string
  readonly owner_id: UserId
}

/** Accepted portraits of users who are not banned that were uploaded since then and not compared, the oldest first. */
export async function uncomparedPortraits(
  db: Db,
  since: Temporal.Instant,
  limit: number,
): Promise<readonly NewPortrait[]> {
  const { rows } = await sql<NewPortrait>`
    select media.id, owner_id from media join users on users.avatar_id = media.id
    where product = 'avatar' and status = 'ready' and media.kind = 'photo' and media.created_at >= ${since}
      and users.role is not null and users.erased_at is null and users.sanction_id is null
      and not exists (select from compared_portraits where media_id = media.id)
    order by media.created_at limit ${limit}`.execute(db)
  return rows
}

/** The pictures with the faces of these banned accounts. */
export async function picturesWithFaces(
  db: Db,
  users: readonly UserId[],
): Promise<readonly { readonly user_id: UserId; readonly media_id: string }[]> {
  if (users.length === 0) return []
  return db
    .selectFrom('banned_faces')
    .select(['user_id', 'media_id'])
    .where('user_id', 'in', users)
    .where('face', 'is not', null)
    .orderBy('user_id')
    .orderBy('media_id')
    .execute()
}

export interface StoredFace extends FaceNumbers {
  readonly media_id: string
  readonly user_id: UserId
}

/** A page of the stored faces, by the ids of their pictures. */
export async function readFaces(
  db: Db,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly StoredFace[]> {
  const { rows } = await sql<StoredFace>`
    select media_id, user_id, face, mirrored from banned_faces
    where face is not null and (${after}::uuid is null or media_id > ${after}::uuid)
    order by media_id limit ${limit}`.execute(db)
  return rows
}
