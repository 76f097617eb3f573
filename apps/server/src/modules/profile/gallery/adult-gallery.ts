import type { Answer, Body, Media, Query, User } from '@duet/protocol'
import { offsetAndLimit } from '../../../lib/paging/pagination.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { createPort } from '../../../core/port.ts'
import type { Member } from '../../../core/viewer.ts'
import { notifyUserInfo, ownRecord, peoplePage, userById } from '../../identity/index.ts'
import { attachUploads, hasAdultGallery, readMediaViewer } from '../../media/index.ts'
import { setShowsAdult } from '../store.ts'
import { ownItem, ownMedia } from './gallery-items.ts'
import { adultItems, readMedia } from './queries.ts'
import * as store from './store.ts'

/** The version of the text to which an owner agrees; raise it when the text changes. */
export const ADULT_CONSENT_VERSION = '2026-11'

/**
 * Marks an own item as adult. The item leaves the ordinary gallery at once, and staff review it again. Only
 * staff can remove the mark. Refuses verification_required, and not_found if there is no adult gallery.
 */
export async function markAdult(
  app: App,
  viewer: Member,
  { media_id, consent }: Body<'POST media_nsfw'>,
): Promise<{ media: Media }> {
  if (!hasAdultGallery(app)) refuse('not_found')
  if (!viewer.verified) refuse('verification_required')
  await app.transact(async (tx) => {
    const item = await ownItem(tx, viewer, media_id)
    await store.markItemAdult(tx, media_id, consent ? ADULT_CONSENT_VERSION : null)
    if (item.adult) return
    await attachUploads(tx, [{ id: media_id }], 'adult')
    await tx.publish('member_updated', { user_id: viewer.id })
  })
  return { media: await ownMedia(app, app.db, viewer, media_id) }
}

/**
 * Whether a provider or our staff proved that the user is of age. A birthday or a confirmation does not
 * count, because the user alone states it.
 */
async function hasAgeProof(app: App, viewer: Member): Promise<boolean> {
  if ((await userById(app.db, viewer.id))?.verified_at != null) return true
  return isAgeProven.get(app)(app.db, viewer.id, app.clock.now())
}

/** Whether a provider's proof of the user's age counts now. */
export const isAgeProven = createPort<
  (db: Db, id: UserId, now: Temporal.Instant) => Promise<boolean>
>('whether a provider has proved the age of a user', async () => false)

/**
 * Stores the wish to see the adult gallery. Refuses age_unconfirmed without a proof, and not_found if there
 * is no adult gallery.
 */
export async function wishAdultGallery(
  app: App,
  viewer: Member,
  { show }: Body<'POST user_nsfw'>,
): Promise<{ user: User }> {
  if (!hasAdultGallery(app)) refuse('not_found')
  if (show && !(viewer.age_confirmed && (await hasAgeProof(app, viewer))))
    refuse('age_unconfirmed', { needs: 'proof' })
  await app.transact(async (tx) => {
    await setShowsAdult(tx, viewer.id, show)
    await tx.publish('member_updated', { user_id: viewer.id })
    await notifyUserInfo(tx, viewer.id)
  })
  return { user: await ownRecord(app, viewer) }
}

/**
 * The adult gallery. A viewer without the stored wish gets `age_unconfirmed`. The wish needs the proof of
 * age.
 */
export async function adultGallery(
  app: App,
  viewer: Member,
  request: Query<'GET nsfw/gallery'>,
): Promise<Answer<'GET nsfw/gallery'>> {
  if (!hasAdultGallery(app)) refuse('not_found')
  const mediaViewer = await readMediaViewer(app, app.db, viewer.id)
  if (!mediaViewer.age_confirmed) refuse('age_unconfirmed')
  if (!mediaViewer.sees_adult) refuse('age_unconfirmed', { needs: 'wish' })
  const rows = await adultItems(app.db, viewer.id, offsetAndLimit(request))
  const owners = [...new Set(rows.map((row) => row.owner_id))]
  const hidden = await app.hooks.hiddenUsers(app.db, { id: viewer.id }, owners)
  return peoplePage(app, viewer.id, request, {
    rows: rows.map((row) => ({ ...row, user_id: row.owner_id })),
    render: (row, user_interlocutor) =>
      user_interlocutor && !hidden.has(row.owner_id)
        ? { ...readMedia(app, row, mediaViewer), user_interlocutor }
        : undefined,
  })
}
