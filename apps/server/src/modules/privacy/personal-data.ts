import { personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('account_deletions', {
    users: ['user_id'],
    erasure: 'kept',
    why: 'proof that the erasure was asked for and done, until its retention ends it; ids and times',
    exported: { of: ['user_id'], by: 'deletion_id', columns: ['state', 'asked_at', 'erase_at'] },
  }),
  personalTable('evidence_holds', {
    users: ['user_id'],
    erasure: 'kept',
    why: 'what was held and until when; the reason names a case and no person',
    exported: { not: 'a hold protects evidence, also from the user it is about' },
  }),
]
