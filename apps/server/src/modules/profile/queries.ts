import type { User, UserInterlocutor } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import { mediaUrl, mediaViewerOf } from '../media/index.ts'

function avatars(db: Db, ids: readonly UserId[]) {
  return db
    .selectFrom('users')
    .innerJoin('media', 'media.id', 'users.avatar_id')
    .select(['users.id as user_id', 'media.id', 'media.blurred_id', 'media.status'])
    .where('users.id', '=', inKeys(ids))
    .execute()
}

const avatarOf = batchedRead<UserId, Awaited<ReturnType<typeof avatars>>[number]>(
  async (db, ids) => new Map((await avatars(db, ids)).map((row) => [row.user_id, row])),
)

function ownProfiles(db: Db, ids: readonly UserId[]) {
  return db
    .selectFrom('users')
    .leftJoin('media', 'media.id', 'users.avatar_id')
    .select([
      'users.id as user_id',
      'users.role',
      'media.id as avatar_id',
      'media.blurred_id',
      'media.status',
    ])
    .where('users.id', '=', inKeys(ids))
    .execute()
}

const ownProfileOf = batchedRead<UserId, Awaited<ReturnType<typeof ownProfiles>>[number]>(
  async (db, ids) => new Map((await ownProfiles(db, ids)).map((row) => [row.user_id, row])),
)

/** The profile in the own record: the avatar also while it waits for review. Galleries and gifts do not exist yet. */
export async function ownProfileFields(
  db: Db,
  user_id: UserId,
  context: AppContext,
): Promise<Partial<User>> {
  const profile = await ownProfileOf(db, user_id)
  return {
    ...ownAvatar(profile, user_id, context),
    has_photos: false,
    hasPhotos: false,
    can_accept_gifts: profile?.role === 'girl',
  }
}

function ownAvatar(
  profile:
    | Pick<Awaited<ReturnType<typeof ownProfiles>>[number], 'avatar_id' | 'blurred_id' | 'status'>
    | undefined,
  user_id: UserId,
  context: AppContext,
): Pick<User, 'avatar' | 'avatar_status'> {
  if (!profile?.avatar_id || !profile.blurred_id) return { avatar: null, avatar_status: 'none' }
  const { avatar_id: id, blurred_id, status } = profile
  const owner = { id: user_id, age_confirmed: true }
  return {
    avatar: status === 'removed' ? null : mediaUrl(context, owner, { id, blurred_id }, 'card'),
    avatar_status: status as User['avatar_status'],
  }
}

/** `avatar` of these users, at addresses for this viewer: blurred until the viewer has confirmed their age. */
export async function avatarFields(
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
  app: AppContext,
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const mediaViewer = await mediaViewerOf(app, db, viewerId)
  // One avatar is read in a statement that callers share: an offer shows two users, each to the other.
  const [only] = ids
  const rows =
    only !== undefined && ids.length === 1 ? [await avatarOf(db, only)] : await avatars(db, ids)
  return new Map(
    rows
      .filter((row) => row !== undefined)
      .filter((row) => row.status === 'ready')
      .map((row) => [row.user_id, { avatar: mediaUrl(app, mediaViewer, row, 'full') }]),
  )
}

/** Whether the user has an approved avatar; one that waits for review does not count (PR1). */
export async function hasAvatar(db: Db, user_id: UserId): Promise<boolean> {
  return (await avatarOf(db, user_id))?.status === 'ready'
}

/** Hidden from viewers without an account: everyone but the girls of the catalogue, who are verified and have an approved avatar. */
export async function hiddenFromGuests(
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (viewerId !== null || ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .innerJoin('media', 'media.id', 'users.avatar_id')
    .select('users.id')
    .where('users.id', '=', inKeys(ids))
    .where('users.role', '=', 'girl')
    .where('users.erased_at', 'is', null)
    .where('users.verified_at', 'is not', null)
    .where('media.status', '=', 'ready')
    .execute()
  const shown = new Set(rows.map((row) => row.id))
  return new Set(ids.filter((id) => !shown.has(id)))
}
