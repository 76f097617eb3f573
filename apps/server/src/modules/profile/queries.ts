import type { User, UserInterlocutor } from '@duet/protocol'
import type { AppContext, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { inKeys, batchedRead } from '../../platform/database/statements/batched-read.ts'
import { hasAdultGallery, mediaUrl, readMediaViewer, pictureVariants } from '../media/index.ts'

function avatars(db: Db, ids: readonly UserId[]) {
  return db
    .selectFrom('users')
    .innerJoin('media', 'media.id', 'users.avatar_id')
    .select(['users.id as user_id', 'media.id', 'media.blurred_id', 'media.status', 'media.width'])
    .where('users.id', '=', inKeys(ids))
    .execute()
}

const avatarOf = batchedRead<UserId, Awaited<ReturnType<typeof avatars>>[number]>(
  async (db, ids) => new Map((await avatars(db, ids)).map((row) => [row.user_id, row])),
)

function ownProfiles(db: Db, ids: readonly UserId[]) {
  return db
    .selectFrom('users')
    .leftJoin('media as shown', 'shown.id', 'users.avatar_id')
    .leftJoin('media as next', 'next.id', 'users.next_avatar_id')
    .select([
      'users.id as user_id',
      'users.role',
      'users.shows_adult',
      'users.gifts_forbidden',
      'shown.id as shown_id',
      'shown.blurred_id as shown_blurred_id',
      'shown.status as shown_status',
      'next.id as next_id',
      'next.blurred_id as next_blurred_id',
      'next.status as next_status',
      (items) =>
        items
          .exists(
            items
              .selectFrom('gallery_items')
              .select('media_id')
              .whereRef('owner_id', '=', 'users.id')
              .where('kind', '=', 'photo'),
          )
          .as('has_photos'),
    ])
    .where('users.id', '=', inKeys(ids))
    .execute()
}

type OwnProfile = Awaited<ReturnType<typeof ownProfiles>>[number]

const ownProfileOf = batchedRead<UserId, OwnProfile>(
  async (db, ids) => new Map((await ownProfiles(db, ids)).map((row) => [row.user_id, row])),
)

/** The profile fields of the own record. The avatar is included while it waits for review. */
export async function ownProfileFields(
  db: Db,
  user_id: UserId,
  context: AppContext,
): Promise<Partial<User>> {
  const profile = await ownProfileOf(db, user_id)
  const has_photos = profile?.has_photos === true
  return {
    ...ownAvatar(profile, user_id, context),
    has_photos,
    hasPhotos: has_photos,
    can_accept_gifts: profile?.role === 'girl' && !profile.gifts_forbidden,
    ...(hasAdultGallery(context) && { shows_adult: profile?.shows_adult ?? false }),
  }
}

/**
 * The owner sees the waiting picture instead of the avatar. Of a removed picture the owner sees the state,
 * beside the remaining avatar.
 */
function ownAvatar(
  profile: OwnProfile | undefined,
  user_id: UserId,
  context: AppContext,
): Pick<User, 'avatar' | 'avatar_status' | 'avatar_shown'> {
  const pictures = [
    { id: profile?.next_id, blurred_id: profile?.next_blurred_id, status: profile?.next_status },
    { id: profile?.shown_id, blurred_id: profile?.shown_blurred_id, status: profile?.shown_status },
  ].filter((picture) => picture.id != null)
  const visible = pictures.find(({ status }) => status === 'ready' || status === 'pending')
  const owner = { id: user_id, age_confirmed: true }
  return {
    avatar: visible
      ? mediaUrl(context, owner, { id: visible.id!, blurred_id: visible.blurred_id! }, 'card')
      : null,
    avatar_status: (pictures[0]?.status ?? 'none') as User['avatar_status'],
    avatar_shown: profile?.shown_status === 'ready',
  }
}

/** Reads and locks the avatar and the waiting picture of a user, until the transaction ends. */
export async function readAvatarIds(
  tx: Tx,
  user_id: UserId,
): Promise<{ avatar_id: string | null; next_avatar_id: string | null }> {
  return tx
    .selectFrom('users')
    .select(['avatar_id', 'next_avatar_id'])
    .where('id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * `avatar` of these users, with addresses for this viewer. Until the viewer has confirmed their age,
 * avatars are blurred.
 */
export async function avatarFields(
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
  app: AppContext,
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const mediaViewer = await readMediaViewer(app, db, viewerId)
  // A single avatar is read in a statement that callers share: an offer shows two users to each other.
  const [only] = ids
  const rows =
    only !== undefined && ids.length === 1 ? [await avatarOf(db, only)] : await avatars(db, ids)
  return new Map(
    rows
      .filter((row) => row !== undefined)
      .filter((row) => row.status === 'ready')
      .map((row) => [
        row.user_id,
        {
          avatar: mediaUrl(app, mediaViewer, row, 'full'),
          ...(mediaViewer.age_confirmed && {
            avatar_variants: pictureVariants(app, mediaViewer, row),
          }),
        },
      ]),
  )
}

/** Whether the user has an approved avatar. An avatar that waits for review does not count (PR1). */
export async function hasAvatar(db: Db, user_id: UserId): Promise<boolean> {
  return (await avatarOf(db, user_id))?.status === 'ready'
}

/**
 * The users who are hidden from viewers without an account. Only the girls of the catalogue are visible:
 * they are verified and have an approved avatar.
 */
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
