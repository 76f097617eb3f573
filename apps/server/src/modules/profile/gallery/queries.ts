import { sql } from 'kysely'
import { limits, type Media } from '@duet/protocol'
import type { AppContext } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { maskProfileText } from '../profile-text.ts'
import { galleryAddresses, type MediaViewer, readMediaViewer } from '../../media/index.ts'

export interface Galleries {
  readonly photos: Media[]
  readonly videos: Media[]
}

/** The limit of uploads of a user bounds a gallery, so the query needs no limit. */
function items(db: Db, viewerId: UserId | null) {
  return db
    .selectFrom('gallery_items as item')
    .innerJoin('media', 'media.id', 'item.media_id')
    .select([
      'media.id',
      'media.blurred_id',
      'media.owner_id',
      'media.width',
      'media.height',
      'media.status',
      'media.reason',
      'media.audience',
      'item.kind',
      'item.title',
      'item.title_masked',
      'item.premium_only',
      'item.adult',
      'item.likes',
      'item.position',
      sql<boolean>`exists (select from gallery_likes where media_id = media.id and user_id = ${viewerId ?? 0})`.as(
        'liked',
      ),
    ])
}

export type GalleryRow = Awaited<ReturnType<ReturnType<typeof items>['execute']>>[number]

/** The galleries of a user as one viewer sees them. The owner also sees waiting, removed and adult items. */
export async function readGalleries(
  app: AppContext,
  db: Db,
  viewerId: UserId | null,
  owner_id: UserId,
): Promise<Galleries> {
  const viewer = await readMediaViewer(app, db, viewerId)
  const rows = await items(db, viewerId)
    .where('item.owner_id', '=', owner_id)
    .orderBy('item.position')
    .orderBy('media.created_at')
    .execute()
  const shown = rows.filter((row) => isListed(row, viewerId))
  const of = (kind: string) =>
    shown
      .filter((row) => row.kind === kind)
      .map((row, position) => ({ ...readMedia(app, row, viewer), position }))
  return { photos: of('photo'), videos: of('video') }
}

/**
 * Whether an item is in the galleries of a user; the adult gallery is a separate list. The caller checks
 * whether the owner is hidden.
 */
function isListed({ owner_id, status, adult }: GalleryRow, viewerId: UserId | null): boolean {
  return owner_id === viewerId || (status === 'ready' && !adult)
}

/** An item of the own gallery, or an item that the viewer can find in a gallery. Undefined otherwise. */
export async function itemFor(
  db: Db,
  viewerId: UserId,
  media_id: string,
): Promise<GalleryRow | undefined> {
  return items(db, viewerId).where('media.id', '=', media_id).executeTakeFirst()
}

/**
 * An item as the viewer sees it. Without the right to see it, the item is locked and has only its blurred
 * form.
 */
export function readMedia(app: AppContext, row: GalleryRow, viewer: MediaViewer): Media {
  const isOwner = row.owner_id === viewer.id
  const { id, kind, width, height, premium_only, status, likes, liked, position } = row
  const title = readTitle(app, row)
  return {
    id,
    kind: kind as Media['kind'],
    ...galleryAddresses(app, viewer, row),
    width,
    height,
    ...(title !== null && { title }),
    premium_only,
    ...((isOwner || row.adult) && { adult: row.adult }),
    status: status as Media['status'],
    ...(isOwner && row.reason !== null && status !== 'pending' && { reason: row.reason }),
    like: likes,
    liked,
    position,
  }
}

/** A title from before masking existed is in the table as it was written. Other titles are stored masked. */
function readTitle(app: AppContext, { title, title_masked }: GalleryRow): string | null {
  return title === null || title_masked ? title : maskTitle(app, title)
}

/** The stored form of a title: other users read the title beside the picture. Masking is slow. */
export function maskTitle(app: AppContext, title: string): string {
  return maskProfileText(app, title, limits.title_characters)
}

/** The ids of a user's items of one kind, in their order. */
export async function readOrder(db: Db, owner_id: UserId, kind: string): Promise<string[]> {
  const rows = await db
    .selectFrom('gallery_items')
    .select('media_id')
    .where('owner_id', '=', owner_id)
    .where('kind', '=', kind)
    .orderBy('position')
    .orderBy('media_id')
    .execute()
  return rows.map((row) => row.media_id)
}

/** The adult gallery: approved items with consent, the newest first. */
export function adultItems(
  db: Db,
  viewerId: UserId,
  { offset, limit }: { offset: number; limit: number },
): Promise<GalleryRow[]> {
  return items(db, viewerId)
    .where('item.adult', '=', true)
    .where('item.consent_at', 'is not', null)
    .where('item.adult_approved_at', 'is not', null)
    .where('media.status', '=', 'ready')
    .innerJoin('users', 'users.id', 'item.owner_id')
    .where('users.erased_at', 'is', null)
    .where('users.verified_at', 'is not', null)
    .orderBy('item.adult_approved_at', 'desc')
    .orderBy('media.id')
    .offset(offset)
    .limit(limit)
    .execute()
}
