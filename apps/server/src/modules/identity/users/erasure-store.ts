import type { Updateable } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { forgetUser } from './queries.ts'

type Users = Tables['users']

/** A tombstone keeps these. `avatar_id` and `favourites_count` belong to other modules. */
type Kept = 'id' | 'role' | 'created_at' | 'erased_at' | 'avatar_id' | 'favourites_count'

/** A new column of the table does not compile until it is decided here. */
const CLEARED = {
  declared_role: null,
  nick: null,
  email: null,
  password_hash: null,
  birthday: null,
  about: '',
  phone: null,
  show_country: false,
  country: null,
  region: null,
  locale: 'en',
  theme: 'system',
  ref_code: null,
  referred_by: null,
  signature: null,
  usdt_wallet: null,
  age_confirmed_at: null,
  terms_version: null,
  email_confirmed_at: null,
  email_trusted_from: null,
  password_changed_at: null,
  premium_until: null,
  premium_end_announced: null,
  verified_at: null,
  noty_email: true,
  noty_push: true,
  noty_premium_guest: true,
  noty_wanted_girl: true,
  safe_video: false,
  auto_accept: false,
  available: true,
  hide_countries: [],
  quiet_hours: null,
  premium_calls_only: false,
  next_avatar_id: null,
  shows_adult: false,
  default_pay_system: null,
  fingerprint: null,
  registered_at: null,
  last_visit: null,
  deletion_asked_at: null,
  second_factor: false,
} satisfies Updateable<Users> & Record<Exclude<keyof Users, Kept>, unknown>

/** Stores the wish of a member to leave. */
export async function askDeletion(tx: Tx, id: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set({ deletion_asked_at: tx.now })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .execute()
  tx.afterCommit(() => forgetUser(tx.app, id))
}

/** Takes the wish back; false if there was none, or if the account is closed. */
export async function withdrawDeletion(tx: Tx, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ deletion_asked_at: null })
    .where('id', '=', id)
    .where('deletion_asked_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) tx.afterCommit(() => forgetUser(tx.app, id))
  return numUpdatedRows === 1n
}

/** Marks the account of a member who still wants to leave as closed; false if the wish was taken back. */
export async function closeUser(tx: Tx, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ erased_at: tx.now })
    .where('id', '=', id)
    .where('deletion_asked_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  tx.afterCommit(() => forgetUser(tx.app, id))
  return numUpdatedRows === 1n
}

/** Clears everything personal of a closed account. */
export async function clearUser(tx: Tx, id: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set(CLEARED)
    .where('id', '=', id)
    .where('erased_at', 'is not', null)
    .execute()
  tx.afterCommit(() => forgetUser(tx.app, id))
}
