import type { Tx } from '../../../core/app.ts'
import type { UserRow } from '../../identity/index.ts'
import {
  readFormerEmails,
  FORMER_EMAIL_DAYS,
  keepFormerEmail,
  removeFormerEmails,
} from './former-emails-store.ts'

type AddressRow = Pick<UserRow, 'id' | 'email' | 'email_confirmed_at' | 'email_trusted_from'>
type AddressState = Pick<UserRow, 'email_confirmed_at' | 'email_trusted_from'>

export function isSameEmail(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/**
 * Whether the present address belongs to the owner, as far as the server can know. The address is
 * confirmed, and it is either the first address of the account or confirmed for as long as a former address
 * is kept. So the owner's way back ends before a thief's address is trusted.
 */
export function isTrustedEmail(row: AddressRow, now: Temporal.Instant): boolean {
  const { email_confirmed_at, email_trusted_from } = row
  if (email_confirmed_at === null) return false
  return email_trusted_from === null || Temporal.Instant.compare(email_trusted_from, now) <= 0
}

/**
 * Replaces the address of this locked row. Only a trusted address is kept as a way back. So several changes
 * in a row can neither add a way back for a thief nor end the owner's. An address that returns is confirmed
 * and trusted as before. Returns the state of the new address.
 */
export async function replaceEmail(
  tx: Tx,
  before: UserRow,
  email: string,
): Promise<AddressState | undefined> {
  // Another page has made the same change, or only capital letters differ.
  if (isSameEmail(before.email, email)) return undefined
  const isKept = isTrustedEmail(before, tx.now)
  const isReturn =
    !isKept &&
    (await readFormerEmails(tx, before.id, tx.now)).some((former) => isSameEmail(former, email))
  if (isKept || isReturn) await removeFormerEmails(tx, before.id)
  if (isReturn) return { email_confirmed_at: tx.now, email_trusted_from: null }
  if (isKept) await keepFormerEmail(tx, before.id, before.email!)
  return { email_confirmed_at: null, email_trusted_from: trustedFrom(tx.now) }
}

/** The state of the present address after its mail arrived. The time of an address that replaced another begins here. */
export function confirmedEmail(row: AddressRow, now: Temporal.Instant): AddressState {
  const { email_confirmed_at, email_trusted_from } = row
  if (email_confirmed_at !== null) return { email_confirmed_at, email_trusted_from }
  return {
    email_confirmed_at: now,
    email_trusted_from: email_trusted_from === null ? null : trustedFrom(now),
  }
}

/** After a new password: at an address that is not trusted it may be a thief's, and the owner's way back stays. */
export async function forgetFormerEmails(tx: Tx, row: AddressRow): Promise<void> {
  if (isTrustedEmail(row, tx.now)) await removeFormerEmails(tx, row.id)
}

function trustedFrom(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: FORMER_EMAIL_DAYS * 24 })
}
