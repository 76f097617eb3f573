import type { Answer, Body, User } from '@duet/protocol'
import { limits } from '@duet/protocol'
import { isRefusal, refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { EncodeOptions } from '../../../integrations/images/images.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Member } from '../../../core/viewer.ts'
import { ownRecord, notifyUserInfo } from '../../identity/index.ts'
import {
  acceptPicture,
  addPicture,
  commitUpload,
  deleteMedia,
  storedPicture,
  type AcceptedPicture,
  uploadedFile,
} from '../../media/index.ts'
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
  const accepted = await acceptAvatar(app, viewer, file.bytes, { formats: ['jpeg', 'png'], crop })
  return storeAvatar(app, viewer, accepted, context)
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
  return storeAvatar(app, viewer, await acceptAvatar(app, viewer, bytes, { crop }))
}

async function acceptAvatar(
  app: App,
  { id, role }: Member,
  bytes: Uint8Array,
  options: EncodeOptions,
): Promise<AcceptedPicture> {
  const subject = { owner_id: id, owner_role: role, product: 'avatar' as const, adult: false }
  try {
    return await acceptPicture(app, subject, bytes, options)
  } catch (error) {
    if (isRefusal(error, 'wrong_type')) refuse('avatar_type')
    throw error
  }
}

async function storeAvatar(
  app: App,
  viewer: Member,
  accepted: AcceptedPicture,
  { storeAnswer }: Pick<RequestContext, 'storeAnswer'> = {},
): Promise<AvatarAnswer> {
  return commitUpload(app, viewer.id, accepted, async (tx) => {
    await addPicture(tx, { ...accepted, owner_id: viewer.id, product: 'avatar' })
    await placeAvatar(tx, viewer.id, accepted.picture.id, accepted.status)
    const { avatar, avatar_status: status } = await ownRecord(app, viewer, tx)
    await storeAnswer?.(tx, { avatar, status })
    return { avatar, status }
  })
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
  const replaced =
    status === 'ready' ? [former.avatar_id, former.next_avatar_id] : [former.next_avatar_id]
  await deleteMedia(
    tx,
    user_id,
    replaced.filter((id) => id !== null && id !== media_id) as string[],
  )
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
    await deleteMedia(tx, viewer.id, ids)
    await tx.publish('member_updated', { user_id: viewer.id })
    await notifyUserInfo(tx, viewer.id)
  })
  return { user: await ownRecord(app, viewer) }
}

/** A picture that was uploaded by the storage's own call becomes the avatar as if by `POST avatar`. */
export async function takeOverAvatar(
  tx: Tx,
  { media_id, owner_id, product }: DomainEvents['picture_uploaded'],
): Promise<void> {
  if (product !== 'avatar') return
  const { status } = await tx
    .selectFrom('media')
    .select('status')
    .where('id', '=', media_id)
    .executeTakeFirstOrThrow()
  await placeAvatar(tx, owner_id, media_id, status)
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
  if (avatar_id !== null) await deleteMedia(tx, owner_id, [avatar_id])
}
