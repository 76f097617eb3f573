import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { blockedAmong } from '../blocks/index.ts'
import { watcherOf } from './media-url.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isMediaId(id: string): boolean {
  return uuid.test(id)
}

/** What may be shown at all; documents and evidence are read in the back office only. */
const shown_products = ['avatar', 'gallery']

/**
 * Which of these pictures somebody may see, read at each look: confirmed age, no block, and the picture itself still up.
 * Nobody in particular (`null`) may see blurred what is up.
 */
export async function mediaSeenBy(
  app: App,
  db: Db,
  viewer_id: UserId | null,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('media')
    .select(['id', 'owner_id', 'status'])
    .where('id', 'in', [...ids])
    .where('product', 'in', shown_products)
    .where('status', '!=', 'removed')
    .execute()
  const { age_confirmed } = await watcherOf(app, db, viewer_id)
  const blocked = await blockedAmong(
    db,
    viewer_id,
    rows.map((row) => row.owner_id),
  )
  const maySee = ({ owner_id, status }: (typeof rows)[number]) =>
    owner_id === viewer_id ||
    (status === 'ready' && (viewer_id === null || (age_confirmed && !blocked.has(owner_id))))
  return new Set(rows.filter(maySee).map((row) => row.id))
}
