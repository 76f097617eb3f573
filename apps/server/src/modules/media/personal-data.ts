import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import {
  ERASED_ROWS_MAX,
  EXPORT_PAGE_ROWS,
  type ExportPart,
  personalTable,
  type PersonalTable,
} from '../../platform/personal-data/personal-data.ts'
import { mediaKey } from './media-key.ts'
import { mediaOf } from './queries.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('media', {
    users: ['owner_id'],
    erasure: 'deleted',
    exported: {
      of: ['owner_id'],
      by: 'id',
      columns: ['product', 'kind', 'width', 'height', 'status', 'reason', 'created_at'],
    },
  }),
]

/** The kind of the outbox rows that delete files after their rows. */
export const ERASED_FILES = 'erased media files'

/** Before the rows go, the deletion of their files is written down: it happens after the commit, also when this process dies. */
export async function eraseFiles(tx: Tx, user_id: UserId): Promise<void> {
  const ids = (await mediaOf(tx, user_id, { limit: ERASED_ROWS_MAX })).map(({ id }) => id)
  if (ids.length > 0) await tx.enqueue(ERASED_FILES, { ids })
}

export async function deleteErasedFiles(
  app: App,
  { ids }: { readonly ids: readonly string[] },
): Promise<void> {
  for (const id of ids)
    for (const size of app.images.sizes) await app.storage.delete(mediaKey(id, size))
}

/** The pictures as they are stored, in their largest size. */
export async function* exportFiles(db: Db, user_id: UserId): AsyncGenerator<ExportPart> {
  let after: string | undefined
  for (;;) {
    const page = await mediaOf(db, user_id, { after, limit: EXPORT_PAGE_ROWS })
    for (const { id, product } of page)
      yield { path: `media/${product}-${id}.webp`, storage_key: mediaKey(id, 'full') }
    if (page.length < EXPORT_PAGE_ROWS) return
    after = page.at(-1)!.id
  }
}
