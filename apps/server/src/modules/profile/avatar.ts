import type { User, UserInterlocutor } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import { mediaUrl, watcherOf } from '../media/index.ts'

function avatars(db: Db, ids: readonly UserId[]) {
  return db
    .selectFrom('users')
    .innerJoin('media', 'media.id', 'users.avatar_id')
    .select(['users.id as user_id', 'media.id', 'media.status'])
    .where('users.id', '=', inKeys(ids))
    .execute()
}

const avatar_rows = batchedRead<UserId, Awaited<ReturnType<typeof avatars>>[number]>(
  async (db, ids) => new Map((await avatars(db, ids)).map((row) => [row.user_id, row])),
)

/** One's own avatar, also while it waits. */
export async function avatarOf(db: Db, user_id: UserId, app: AppContext): Promise<Partial<User>> {
  const avatar = await avatar_rows(db, user_id)
  if (!avatar) return { avatar: null, avatar_status: 'none' }
  const url =
    avatar.status === 'removed'
      ? null
      : mediaUrl(app, { id: user_id, age_confirmed: true }, avatar.id, 'card')
  return { avatar: url, avatar_status: avatar.status as User['avatar_status'] }
}

/** How others see it: for the viewer's own eyes, blurred before he confirmed his age. */
export async function facesOf(
  db: Db,
  viewer_id: UserId | null,
  ids: readonly UserId[],
  app: AppContext,
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const watcher = await watcherOf(app, db, viewer_id)
  const rows = await avatars(db, ids)
  return new Map(
    rows
      .filter((row) => row.status === 'ready')
      .map((row) => [row.user_id, { avatar: mediaUrl(app, watcher, row.id, 'full') }]),
  )
}

/** Whether somebody may be met by sight: a picture that is up, not one that waits. */
export async function hasAvatar(db: Db, user_id: UserId): Promise<boolean> {
  const [avatar] = await avatars(db, [user_id])
  return avatar?.status === 'ready'
}
