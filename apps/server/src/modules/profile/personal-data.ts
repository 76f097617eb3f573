import { personalTable, type PersonalTable } from '../../platform/personal-data/personal-data.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('profile_views', {
    users: ['girl_id', 'viewer_id'],
    erasure: 'deleted',
    exported: { of: ['viewer_id'], by: 'id', columns: ['girl_id', 'day'] },
  }),
  // The rows of media take their items with them.
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
  // `account_deleted` has removed them, with the counts of their items.
  personalTable('gallery_likes', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'media_id', columns: ['media_id', 'at'] },
  }),
]
