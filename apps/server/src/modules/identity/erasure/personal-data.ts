import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { impersonalTable, personalTable } from '../../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../../core/personal-data.ts'
import { clearUser } from './erasure-store.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('users', {
    users: ['id', 'referred_by'],
    erasure: 'cleared',
    why: 'the tombstone keeps the id, so that the books stay whole and no token of the id becomes valid again',
    exported: {
      of: ['id'],
      by: 'id',
      columns: [
        'role',
        'nick',
        'email',
        'birthday',
        'about',
        'phone',
        'show_country',
        'country',
        'region',
        'locale',
        'theme',
        'ref_code',
        'signature',
        'usdt_wallet',
        'age_confirmed_at',
        'terms_version',
        'email_confirmed_at',
        'email_trusted_from',
        'password_changed_at',
        'premium_until',
        'verified_at',
        'noty_email',
        'noty_push',
        'noty_premium_guest',
        'noty_wanted_girl',
        'safe_video',
        'auto_accept',
        'available',
        'hide_countries',
        'quiet_hours',
        'premium_calls_only',
        'default_pay_system',
        'created_at',
        'registered_at',
        'last_visit',
        'favourites_count',
        'second_factor',
      ],
    },
  }),
  personalTable('logins', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: {
      of: ['user_id'],
      by: 'id',
      columns: ['device', 'country', 'created_at', 'used_at', 'ended_at'],
    },
  }),
  personalTable('client_signals', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'signal_id', columns: ['signal', 'first_at', 'last_at'] },
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
  impersonalTable('client_budgets', 'counts of the day by network or keyed hash, without a user'),
]

/** The row becomes a tombstone; `closeAccount` has ended everything that was open. */
export async function eraseUser(tx: Tx, user_id: UserId): Promise<void> {
  await clearUser(tx, user_id)
}
