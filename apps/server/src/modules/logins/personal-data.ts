import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('logins', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: {
      of: ['user_id'],
      by: 'id',
      columns: ['device', 'country', 'created_at', 'used_at', 'ended_at'],
    },
  }),
  personalTable('former_emails', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'email', columns: ['email', 'until'] },
  }),
  personalTable('mailed_links', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'the mails themselves have the links; a row is deleted a day after its end' },
  }),
  personalTable('totp_factors', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'a secret of the log-in' },
  }),
  personalTable('spare_codes', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'secrets of the log-in, of which only hashes are stored' },
  }),
  personalTable('passkeys', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'passkey_id', columns: ['name', 'created_at', 'used_at'] },
  }),
  impersonalTable('answered_challenges', 'hashes of challenges without a user'),
]
