import type { Answer, Body, User } from '@duet/protocol'
import { limits } from '@duet/protocol'
import { isRefusal, refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { type RequestContext, uploadedFile } from '../../../core/request-context.ts'
import type { Member } from '../../../core/viewer.ts'
import { ownRecord, notifyUserInfo } from '../../identity/index.ts'
import { type NewUpload, removeUploads, storedPicture, upload } from '../../media/index.ts'
import { itemFor } from '../gallery/queries.ts'
import { readAvatarIds } from '../queries.ts'
import { clearAvatar, setAvatarId, setNextAvatarId } from '../store.ts'

type AvatarAnswer = Answer<'POST avatar'>

/** Uploads an avatar: jpg or png of at most 2 MB. Refuses avatar_type, avatar_size, and what the checks refuse. */
export async function uploadAvatar(
  app: App,
  viewer: Member,
  { crop }: Body<'POST avatar'>,
  context: RequestContext,
): Promise<AvatarAnswer> {
  const file = uploadedFile(context, 'img', Number.POSITIVE_INFINITY)
  if (file.bytes.length > limits.avatar_bytes) refuse('avatar_size')
  const { bytes } = file
  return storeAvatar(app, viewer, { bytes, formats: ['jpeg', 'png'], crop }, context)
}

/**
 * Copies a part of an own photo as the avatar, so that photo and avatar are deleted separately. Refuses
 * not_found.
 */
export async function usePhotoAsAvatar(
  app: App,
  viewer: Member,
  { id, crop }: Body<'POST avatar/set'>,
): Promise<AvatarAnswer> {
  const photo = await itemFor(app.db, viewer.id, id)
  const isUsable =
    photo?.owner_id === viewer.id &&
    photo.kind === 'photo' &&
    !photo.adult &&
    (photo.status === 'ready' || photo.status === 'pending')
  if (!isUsable) refuse('not_found')
  const bytes = (await storedPicture(app, id)) ?? refuse('avatar_unsaved')
  return storeAvatar(app, viewer, { bytes, crop })
}

async function storeAvatar(
  app: App,
  viewer: Member,
  picture: Omit<NewUpload, 'product' | 'audience'>,
  { storeAnswer }: Pick<RequestContext, 'storeAnswer'> = {},
): Promise<AvatarAnswer> {
  const added = { ...picture, product: 'avatar', audience: 'everyone' } as const
  try {
    return await upload(app, viewer, added, async (tx, { id, status: uploaded }) => {
      await placeAvatar(tx, viewer.id, id, uploaded)
      const { avatar, avatar_status: status } = await ownRecord(app, viewer, tx)
      await storeAnswer?.(tx, { avatar, status })
      return { avatar, status }
    })
  } catch (error) {
    if (isRefusal(error, 'wrong_type')) refuse('avatar_type')
    throw error
  }
}

/**
 * An approved picture replaces the avatar. A picture that waits for review is stored beside the avatar
 * until staff decide. So a girl who changes her picture stays visible with the approved picture (PR1).
 */
async function placeAvatar(
  tx: Tx,
  user_id: number,
  media_id: string,
  status: string,
): Promise<void> {
  const former = await readAvatarIds(tx, user_id)
  if (status === 'ready') await setAvatarId(tx, user_id, media_id)
  else await setNextAvatarId(tx, user_id, media_id)
  const replaced = [former.next_avatar_id, status === 'ready' ? former.avatar_id : null]
    .filter((id) => id !== null)
    .filter((id) => id !== media_id)
  await removeUploads(tx, replaced)
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
}

/** Removes the avatar, and a picture that waits for review. A repeat changes nothing. */
export async function deleteAvatar(app: App, viewer: Member): Promise<{ user: User }> {
  await app.transact(async (tx) => {
    const { avatar_id, next_avatar_id } = await readAvatarIds(tx, viewer.id)
    const ids = [avatar_id, next_avatar_id].filter((id) => id !== null)
    if (ids.length === 0) return
    await clearAvatar(tx, viewer.id)
    await removeUploads(tx, ids)
    await tx.publish('member_updated', { user_id: viewer.id })
    await notifyUserInfo(tx, viewer.id)
  })
  return { user: await ownRecord(app, viewer) }
}

/** A picture that was uploaded by the storage's own call becomes the avatar as if by `POST avatar`. */
export async function takeOverAvatar(
  tx: Tx,
  { media_id, owner_id, product, status }: DomainEvents['picture_uploaded'],
): Promise<void> {
  if (product === 'avatar') await placeAvatar(tx, owner_id, media_id, status)
}

/**
 * An approved picture replaces the former avatar. A removed picture stays, so that its owner sees the
 * answer of staff.
 */
export async function promoteAvatar(
  tx: Tx,
  { media_id, owner_id, status }: DomainEvents['media_reviewed'],
): Promise<void> {
  const { avatar_id, next_avatar_id } = await readAvatarIds(tx, owner_id)
  if (next_avatar_id !== media_id || status !== 'ready') return
  await setAvatarId(tx, owner_id, media_id)
  if (avatar_id !== null) await removeUploads(tx, [avatar_id])
}
