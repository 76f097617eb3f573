import { personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'
import { exportedColumns } from './users/columns.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('users', {
    users: ['id', 'referred_by'],
    erasure: 'cleared',
    why: 'the tombstone keeps the id, so that the books stay whole and no token of the id becomes valid again',
    exported: {
      of: ['id'],
      by: 'id',
      columns: exportedColumns,
    },
  }),
]
