import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import {
  impersonalTable,
  EXPORT_PAGE_ROWS,
  personalTable,
} from '../../platform/personal-data/personal-data.ts'
import type { ExportPart, PersonalTable } from '../../core/personal-data.ts'
import { mediaKey } from './media-key.ts'
import { readMedia } from './queries.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('media', {
    users: ['owner_id', 'receiver_id'],
    erasure: 'kept',
    why: '`erase` deletes those of the owner, but pictures whose receiver’s data is held stay as evidence',
    exported: {
      of: ['owner_id'],
      by: 'id',
      columns: ['product', 'kind', 'width', 'height', 'status', 'reason', 'bytes', 'created_at'],
    },
  }),
  personalTable('image_checks', {
    users: ['owner_id'],
    erasure: 'deleted',
    exported: {
      of: ['owner_id'],
      by: 'id',
      columns: ['product', 'verdict', 'reason', 'nudity', 'model', 'model_version', 'checked_at'],
    },
  }),
  impersonalTable('picture_hashes', 'computed from the files, and deleted with the row of media'),
  // The rows of pictures that are refused from all users name no user and stay.
  personalTable('known_pictures', {
    users: ['owner_id'],
    erasure: 'deleted',
    exported: { of: ['owner_id'], by: 'id', columns: ['reason', 'created_at'] },
  }),
  impersonalTable('media_drafts', 'ids of files that are being stored, for an hour'),
]

/** The pictures as they are stored, in their largest size, and the videos with theirs. */
export async function* exportFiles(db: Db, user_id: UserId): AsyncGenerator<ExportPart> {
  let after: string | undefined
  for (;;) {
    const page = await readMedia(db, user_id, { after, limit: EXPORT_PAGE_ROWS })
    for (const { id, product, kind } of page) {
      yield { path: `media/${product}-${id}.webp`, storage_key: mediaKey(id, 'full') }
      if (kind === 'video')
        yield { path: `media/${product}-${id}.mp4`, storage_key: mediaKey(id, 'video') }
    }
    if (page.length < EXPORT_PAGE_ROWS) return
    after = page.at(-1)!.id
  }
}
