import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { mediaViewerOf, type PictureIds } from './media-url.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isMediaId(id: string): boolean {
  return UUID.test(id)
}

/** Documents and evidence are shown in the back office only. */
const VISIBLE_PRODUCTS = ['avatar', 'gallery']

/**
 * Those of the given pictures that the viewer may see, checked at every request: their age is confirmed, its owner
 * is not hidden from them, and the picture is approved. With `null`: the pictures that everyone may see blurred.
 */
export async function visibleMedia(
  app: App,
  db: Db,
  viewerId: UserId | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PictureIds>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('media')
    .select(['id', 'blurred_id', 'owner_id', 'status'])
    .where('id', 'in', [...ids])
    .where('product', 'in', VISIBLE_PRODUCTS)
    .where('status', '!=', 'removed')
    .execute()
  const { age_confirmed } = await mediaViewerOf(app, db, viewerId)
  const hidden = await app.hooks.hiddenUsers(
    db,
    { id: viewerId },
    rows.map((row) => row.owner_id),
  )
  const maySee = ({ owner_id, status }: (typeof rows)[number]) =>
    owner_id === viewerId ||
    (status === 'ready' && (viewerId === null || (age_confirmed && !hidden.has(owner_id))))
  return new Map(rows.filter(maySee).map((row) => [row.id, row]))
}

/** The picture whose blurred form has this id. */
export async function mediaOfBlurred(db: Db, blurred_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('media')
    .select('id')
    .where('blurred_id', '=', blurred_id)
    .executeTakeFirst()
  return row?.id
}

/** All pictures of a user by id, whatever their state; those after an id for the next page. */
export function mediaOf(
  db: Db,
  owner_id: UserId,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ id: string; product: string }[]> {
  return db
    .selectFrom('media')
    .select(['id', 'product'])
    .where('owner_id', '=', owner_id)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit)
    .execute()
}
