import type { Body, Media } from '@duet/protocol'
import { limits } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Member } from '../../../core/viewer.ts'
import {
  acceptPicture,
  acceptVideo,
  type AcceptedPicture,
  addPicture,
  commitUpload,
  convertSoon,
  hasAdultGallery,
  mediaUrl,
  uploadedFile,
} from '../../media/index.ts'
import { ADULT_CONSENT_VERSION } from './adult-gallery.ts'
import { toAudience, ownMedia } from './gallery-items.ts'
import { maskTitle } from './queries.ts'
import * as store from './store.ts'

/**
 * Adds a photo or video to the own gallery. Refuses what an upload refuses. An adult item needs a verified
 * owner and consent.
 */
export async function addGalleryMedia(
  app: App,
  viewer: Member,
  { title, premium_only = false, adult = false, consent = false }: Body<'POST gallery/media'>,
  context: RequestContext,
): Promise<{ media: Media }> {
  if (adult) refuseAdult(app, viewer, consent)
  const { bytes } = uploadedFile(context, 'media', limits.video_bytes)
  const consent_version = adult ? ADULT_CONSENT_VERSION : null
  const item = { title: title && maskTitle(app, title), premium_only, adult, consent_version }
  const isClip = app.videos.isVideo(bytes)
  const accepted = isClip
    ? await acceptVideo(app, viewer.id, bytes)
    : await acceptPhoto(app, viewer, bytes, adult)
  const media_id = accepted.picture.id
  const kind = isClip ? 'video' : 'photo'
  return commitUpload(app, viewer.id, accepted, async (tx) => {
    const audience = toAudience(item)
    await addPicture(tx, { ...accepted, owner_id: viewer.id, product: 'gallery', audience, kind })
    await store.addItem(tx, { ...item, media_id, owner_id: viewer.id, kind })
    await tx.publish('member_updated', { user_id: viewer.id })
    if (isClip) tx.afterCommit(() => convertSoon(app))
    const added = { media: await ownMedia(app, tx, viewer, media_id) }
    await context.storeAnswer?.(tx, added)
    return added
  })
}

function acceptPhoto(
  app: App,
  viewer: Member,
  bytes: Buffer,
  adult: boolean,
): Promise<AcceptedPicture> {
  if (bytes.length > limits.image_bytes) refuse('too_large')
  const subject = {
    owner_id: viewer.id,
    owner_role: viewer.role,
    product: 'gallery' as const,
    adult,
  }
  return acceptPicture(app, subject, bytes)
}

function refuseAdult(app: App, viewer: Member, consent: boolean): void {
  if (!hasAdultGallery(app))
    refuse('invalid', { fields: [{ path: 'adult', message: 'There is no adult gallery here' }] })
  if (viewer.role !== 'girl') refuse('role_forbidden')
  if (!viewer.verified) refuse('verification_required')
  if (!consent)
    refuse('invalid', { fields: [{ path: 'consent', message: 'Adult media need the consent' }] })
}

/** Stores a picture for a dialog. Until a message carries the picture, only its owner sees it. */
export async function addMessengerMedia(
  app: App,
  viewer: Member,
  _: Body<'POST v2/gallery/media/messenger'>,
  context: RequestContext,
): Promise<{ media: Media }> {
  const { bytes } = uploadedFile(context, 'media', limits.image_bytes)
  const subject = {
    owner_id: viewer.id,
    owner_role: viewer.role,
    product: 'messenger' as const,
    adult: false,
  }
  const accepted = await acceptPicture(app, subject, bytes)
  const { id, width, height } = accepted.picture
  const owner = { id: viewer.id, age_confirmed: true }
  const url = mediaUrl(app, owner, { id, blurred_id: id }, 'full')
  const shown = { premium_only: false, locked: false, status: accepted.status }
  const place = { like: 0, liked: false, position: 0 }
  const added = { media: { id, kind: 'photo' as const, url, width, height, ...shown, ...place } }
  return commitUpload(app, viewer.id, accepted, async (tx) => {
    await addPicture(tx, {
      ...accepted,
      owner_id: viewer.id,
      product: 'messenger',
      audience: 'owner',
    })
    await context.storeAnswer?.(tx, added)
    return added
  })
}
