import type { Answer, Body, Media } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { Member } from '../../../core/viewer.ts'
import {
  attachUploads,
  lockUpload,
  readMediaViewer,
  removeUploads,
  type Audience,
} from '../../media/index.ts'
import {
  readGalleries,
  itemFor,
  maskTitle,
  readMedia,
  readOrder,
  type GalleryRow,
} from './queries.ts'
import * as store from './store.ts'

/** The own galleries. */
export function ownGallery(app: App, viewer: Member): Promise<Answer<'GET gallery'>> {
  return readGalleries(app, app.db, viewer.id, viewer.id)
}

/** The viewers who may see an item of a gallery. */
export function toAudience({
  adult,
  premium_only,
}: Pick<GalleryRow, 'adult' | 'premium_only'>): Audience {
  if (adult) return 'adult'
  return premium_only ? 'premium' : 'everyone'
}

/** Changes an own item. Refuses not_found. */
export async function updateItem(
  app: App,
  viewer: Member,
  { id, title, premium_only, position }: Body<'POST gallery/media/update'>,
): Promise<{ media: Media }> {
  await app.transact(async (tx) => {
    const item = await ownItem(tx, viewer, id)
    await store.changeItem(tx, id, {
      ...(title !== undefined && { title: maskTitle(app, title) || null, title_masked: true }),
      ...(premium_only !== undefined && { premium_only }),
    })
    if (premium_only !== undefined)
      await attachUploads(tx, [{ id }], toAudience({ ...item, premium_only }))
    if (position !== undefined) await moveItem(tx, item, position)
  })
  return { media: await ownMedia(app, app.db, viewer, id) }
}

async function moveItem(tx: Tx, { id, owner_id, kind }: GalleryRow, to: number): Promise<void> {
  const order = (await readOrder(tx, owner_id, kind)).filter((other) => other !== id)
  await store.setOrder(tx, order.toSpliced(Math.min(to, order.length), 0, id))
}

/** Removes an own item and its files. A repeat changes nothing. An item of another owner is not found. */
export async function deleteItem(
  app: App,
  viewer: Member,
  { id }: Body<'POST gallery/media/delete'>,
): Promise<Record<never, never>> {
  await app.transact(async (tx) => {
    const item = await itemFor(tx, viewer.id, id)
    if (!item) return
    if (item.owner_id !== viewer.id) refuse('not_found')
    // A hold may keep the upload.
    await store.removeItem(tx, id)
    await removeUploads(tx, [id])
    await tx.publish('member_updated', { user_id: viewer.id })
  })
  return {}
}

/** Reads and locks an own item: no other command or review changes the item until this transaction ends. */
export async function ownItem(tx: Tx, viewer: Member, id: string): Promise<GalleryRow> {
  await lockUpload(tx, viewer.id, id)
  const item = await itemFor(tx, viewer.id, id)
  return item?.owner_id === viewer.id ? item : refuse('not_found')
}

/** An own item as its owner sees it now. */
export async function ownMedia(app: App, db: Db, viewer: Member, id: string): Promise<Media> {
  const { photos, videos } = await readGalleries(app, db, viewer.id, viewer.id)
  return [...photos, ...videos].find((media) => media.id === id) ?? refuse('not_found')
}

/** Likes an item that the viewer may see in full. Refuses not_found, premium_only, role_forbidden for an own item. */
export async function likeItem(
  app: App,
  viewer: Member,
  { id, like }: Body<'POST gallery/media/like'>,
): Promise<Answer<'POST gallery/media/like'>> {
  const likes = await app.transact(async (tx) => {
    const item = (await itemFor(tx, viewer.id, id)) ?? refuse('not_found')
    if (item.owner_id === viewer.id) refuse('role_forbidden')
    const hidden = await app.hooks.hiddenUsers(tx, { id: viewer.id }, [item.owner_id])
    if (hidden.has(item.owner_id)) refuse('not_found')
    const seen = readMedia(app, item, await readMediaViewer(app, tx, viewer.id))
    if (seen.url === null) refuse('not_found')
    if (seen.locked) refuse('premium_only')
    return store.setLike(tx, id, viewer.id, like)
  })
  return { like: likes, liked: like }
}

/** A photo that was uploaded by the storage's own call goes to the end of the gallery. */
export async function takeOverPhoto(
  tx: Tx,
  { media_id, owner_id, product }: DomainEvents['picture_uploaded'],
): Promise<void> {
  if (product !== 'gallery') return
  const plain = { premium_only: false, adult: false, consent_version: null }
  await store.addItem(tx, { media_id, owner_id, kind: 'photo', ...plain })
}
