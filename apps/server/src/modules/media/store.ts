import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import type { StoredPicture } from './store-picture-files.ts'

export interface NewPicture {
  readonly owner_id: UserId
  readonly product: 'avatar' | 'gallery'
  readonly picture: StoredPicture
  readonly status: 'ready' | 'pending'
}

/** Writes the row of a picture whose files are stored, and returns its id. */
export async function addPicture(
  tx: Tx,
  { owner_id, product, picture, status }: NewPicture,
): Promise<string> {
  const { id, width, height } = picture
  await tx
    .insertInto('media')
    .values({ id, owner_id, product, kind: 'photo', width, height, status, created_at: tx.now })
    .execute()
  return id
}

export interface ReviewedMedia {
  readonly id: string
  readonly owner_id: UserId
  readonly status: string
  readonly reason: string | null
}

/** Returns the row after the change; undefined if there is none. */
export function setMediaStatus(
  tx: Tx,
  id: string,
  status: 'ready' | 'removed',
  reason: string | null,
): Promise<ReviewedMedia | undefined> {
  return tx
    .updateTable('media')
    .set({ status, reason })
    .where('id', '=', id)
    .returning(['id', 'owner_id', 'status', 'reason'])
    .executeTakeFirst()
}
