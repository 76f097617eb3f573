import type { User, UserInterlocutor } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import { mediaUrl, mediaViewerOf } from '../media/index.ts'

function avatars(db: Db, ids: readonly UserId[]) {
  return db
    .selectFrom('users')
    .innerJoin('media', 'media.id', 'users.avatar_id')
    .select(['users.id as user_id', 'media.id', 'media.status'])
    .where('users.id', '=', inKeys(ids))
    .execute()
}

const avatarOf = batchedRead<UserId, Awaited<ReturnType<typeof avatars>>[number]>(
  async (db, ids) => new Map((await avatars(db, ids)).map((row) => [row.user_id, row])),
)

/** `avatar` and `avatar_status` of the own record, also while the picture waits for review. */
export async function ownAvatarFields(
  db: Db,
  user_id: UserId,
  app: AppContext,
): Promise<Partial<User>> {
  const avatar = await avatarOf(db, user_id)
  if (!avatar) return { avatar: null, avatar_status: 'none' }
  const url =
    avatar.status === 'removed'
      ? null
      : mediaUrl(app, { id: user_id, age_confirmed: true }, avatar.id, 'card')
  return { avatar: url, avatar_status: avatar.status as User['avatar_status'] }
}

/** `avatar` of these users, at addresses for this viewer: blurred until the viewer has confirmed their age. */
export async function avatarFields(
  db: Db,
  viewer_id: UserId | null,
  ids: readonly UserId[],
  app: AppContext,
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const mediaViewer = await mediaViewerOf(app, db, viewer_id)
  const rows = await avatars(db, ids)
  return new Map(
    rows
      .filter((row) => row.status === 'ready')
      .map((row) => [row.user_id, { avatar: mediaUrl(app, mediaViewer, row.id, 'full') }]),
  )
}

/** Whether the user has an approved avatar; one that waits for review does not count (PR1). */
export async function hasAvatar(db: Db, user_id: UserId): Promise<boolean> {
  const [avatar] = await avatars(db, [user_id])
  return avatar?.status === 'ready'
}
