import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'
import { removeUserLikes } from './gallery/store.ts'
import { clearAvatar } from './store.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('profile_views', {
    users: ['girl_id', 'viewer_id'],
    erasure: 'deleted',
    exported: { of: ['viewer_id'], by: 'id', columns: ['girl_id', 'day'] },
  }),
  // When a row of media is deleted, its items are deleted too.
  personalTable('gallery_items', {
    users: ['owner_id'],
    erasure: 'deleted',
    exported: {
      of: ['owner_id'],
      by: 'media_id',
      columns: [
        'media_id',
        'title',
        'premium_only',
        'adult',
        'consent_at',
        'consent_version',
        'likes',
      ],
    },
  }),
  // `erase` has removed these rows, with the counts of their items.
  personalTable('gallery_likes', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'media_id', columns: ['media_id', 'at'] },
  }),
]

/** The media module erases the uploads, and their items with them. Only likes remain for this module. */
export async function eraseProfile(tx: Tx, user_id: UserId): Promise<void> {
  await clearAvatar(tx, user_id)
  await removeUserLikes(tx, user_id)
}
