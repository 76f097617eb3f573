import type { PersonalTable } from '../../core/personal-data.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'

const DECISION = 'a decision of staff stays, so that it can be examined; ids, reasons and times'

export const personalData: readonly PersonalTable[] = [
  personalTable('masked_text_views', {
    users: ['user_id'],
    erasure: 'kept',
    why: 'a record about staff: proof of who looked, until its retention ends it',
    exported: { not: 'a record about staff' },
  }),
  personalTable('statements', {
    users: ['user_id'],
    erasure: 'kept',
    why: DECISION,
    exported: {
      of: ['user_id'],
      by: 'statement_id',
      columns: ['kind', 'at', 'reason', 'comment', 'until', 'automatic'],
    },
  }),
  personalTable('sanctions', {
    users: ['user_id'],
    erasure: 'kept',
    why: DECISION,
    exported: { of: ['user_id'], by: 'statement_id', columns: ['kind', 'until', 'ended_at'] },
  }),
]
