import type { Body, Media } from '@duet/protocol'
import { limits } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import { type RequestContext, uploadedFile } from '../../../core/request-context.ts'
import type { Member } from '../../../core/viewer.ts'
import { hasAdultGallery, mediaUrl, upload } from '../../media/index.ts'
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
  const audience = toAudience(item)
  const photoOrVideo = { product: 'gallery', bytes, audience, accepts_video: true } as const
  return upload(app, viewer, photoOrVideo, async (tx, { id: media_id, kind }) => {
    await store.addItem(tx, { ...item, media_id, owner_id: viewer.id, kind })
    await tx.publish('member_updated', { user_id: viewer.id })
    const added = { media: await ownMedia(app, tx, viewer, media_id) }
    await context.storeAnswer?.(tx, added)
    return added
  })
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
  const photo = { product: 'messenger', bytes, audience: 'owner' } as const
  return upload(app, viewer, photo, async (tx, row) => {
    const { id, kind, width, height, status } = row
    const url = mediaUrl(app, { id: viewer.id, age_confirmed: true }, row, 'full')
    const place = { like: 0, liked: false, position: 0 }
    const shown = { premium_only: false, locked: false, status, ...place }
    const added = { media: { id, kind, url, width, height, ...shown } }
    await context.storeAnswer?.(tx, added)
    return added
  })
}
