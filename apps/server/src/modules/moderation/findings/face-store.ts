import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { FaceLook } from '../../../integrations/faces/faces.ts'
import { facesOfUsers, isPublic } from './face-queries.ts'

/** The result for a picture that is not looked at again. `unreadable`: it has no file, or its file is damaged. */
export type StoredLook = FaceLook | 'unreadable' | 'failed'

/**
 * Keeps the face of a picture, if its user is still banned and the picture is still public. Of a removal at the same moment
 * the later one waits: either no face is kept, or the removal deletes it.
 */
export async function keepFace(
  tx: Tx,
  media_id: string,
  look: StoredLook,
  since: Temporal.Instant,
): Promise<void> {
  const numbers = typeof look === 'string' ? undefined : look
  await sql`
    insert into banned_faces (media_id, user_id, look, face, mirrored, at)
    select id, owner_id, ${lookName(look)}, ${numbers?.face ?? null}::real[], ${numbers?.mirrored ?? null}::real[], ${tx.now}
    from media
    where id = ${media_id} and ${isPublic} and owner_id in ${facesOfUsers(since)}
    for share of media
    on conflict do nothing`.execute(tx)
}

const lookName = (look: StoredLook) => (typeof look === 'string' ? look : 'face')

/** The portrait is not looked at again. */
export async function markCompared(tx: Tx, media_id: string, look: StoredLook): Promise<void> {
  await sql`
    insert into compared_portraits (media_id, look, at)
    select id, ${lookName(look)}, ${tx.now} from media where id = ${media_id}
    on conflict do nothing`.execute(tx)
}

/** A user who is not banned any more has no stored face. */
export async function forgetFaces(tx: Tx, user_id: UserId): Promise<void> {
  await tx.deleteFrom('banned_faces').where('user_id', '=', user_id).execute()
}

/** A removed picture has no stored face. */
export async function forgetFaceIn(tx: Tx, media_id: string): Promise<void> {
  await tx.deleteFrom('banned_faces').where('media_id', '=', media_id).execute()
}

/** The faces of users whose ban is over, older than that, or about something else now, and of pictures that are not public now. */
export async function forgetUnbanned(tx: Tx, since: Temporal.Instant): Promise<void> {
  await sql`delete from banned_faces where user_id not in ${facesOfUsers(since)}
    or not exists (select from media where media.id = banned_faces.media_id and ${isPublic})`.execute(
    tx,
  )
}

/** Faces are not compared any more. */
export async function forgetAllFaces(tx: Tx): Promise<void> {
  await sql`delete from banned_faces`.execute(tx)
  await sql`delete from compared_portraits`.execute(tx)
}
