import { personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('pairs', {
    users: ['guy_id', 'girl_id'],
    erasure: 'aged',
    why: 'the other user of the offer has it too; it holds ids and times',
    exported: { not: 'an offer concerns the other user too' },
  }),
  personalTable('invitations', {
    users: ['guy_id', 'girl_id'],
    erasure: 'aged',
    why: 'the other user of the invitation has it too; it holds ids and times',
    exported: { not: 'an invitation concerns the other user too' },
  }),
  personalTable('meetings', {
    users: ['guy_id', 'girl_id'],
    erasure: 'deleted',
    exported: { not: 'an offer concerns the other user too' },
  }),
  personalTable('search_rests', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: {
      of: ['user_id'],
      by: 'user_id',
      columns: ['on_break', 'paused_until', 'missed_offers', 'missed_out'],
    },
  }),
  personalTable('absences', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'id', columns: ['kind', 'at'] },
  }),
]
