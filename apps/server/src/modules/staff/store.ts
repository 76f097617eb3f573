import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import { inKeys } from '../../platform/database/statements/batched-read.ts'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import { NO_PASSWORD } from '../logins/index.ts'
import { setting } from '../settings/index.ts'
import { removeClaims } from './claims-store.ts'
import { behindMaker } from './independence.ts'
import { removeBrowsers } from './push-store.ts'
import { endSessions, type MemberRow } from './sessions-store.ts'

/** The reads and writes of members of staff and their links. */

export type { MemberRow }

export function memberById(db: Db, id: number): Promise<MemberRow | undefined> {
  return openMembers(db).where('id', '=', id).executeTakeFirst()
}

export function memberByEmail(db: Db, email: string): Promise<MemberRow | undefined> {
  return openMembers(db).where('email', '=', email.toLowerCase()).executeTakeFirst()
}

export function readMembers(db: Db): Promise<MemberRow[]> {
  return openMembers(db).orderBy('email').execute()
}

/** The addresses of these members, also of those who left. */
export async function readEmails(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('staff_members')
    .select(['id', 'email'])
    .where('id', '=', inKeys(ids))
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

function openMembers(db: Db) {
  return db.selectFrom('staff_members').selectAll().where('ended_at', 'is', null)
}

/** Stores a member with this role. A member who had left returns without a factor. */
export async function putMember(tx: Tx, email: string, role: StaffRole): Promise<MemberRow> {
  const values = { email: email.toLowerCase(), role, created_at: tx.now }
  return tx
    .insertInto('staff_members')
    .values(values)
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ role, ended_at: null }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends a membership with its factors, link, sessions and claims. */
export async function endMember(tx: Tx, id: number): Promise<void> {
  await removeFactors(tx, id)
  await removeClaims(tx, id)
  await tx.updateTable('staff_members').set({ ended_at: tx.now }).where('id', '=', id).execute()
}

async function removeFactors(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('staff_members')
    .set({ password_hash: NO_PASSWORD, totp_secret: null, totp_step: 0 })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('staff_passkeys').where('staff_id', '=', id).execute()
  await tx.deleteFrom('staff_links').where('staff_id', '=', id).execute()
  await endSessions(tx, id)
  await removeBrowsers(tx, id)
}

export interface MadeLink {
  readonly totp_secret: Buffer
  /** Null: the operator's shell. */
  readonly made_by: number | null
}

/** Makes the one-time link of a member; a former link ends. Returns its token. */
export async function newLink(tx: Tx, staff_id: number, link: MadeLink): Promise<string> {
  const token = newToken()
  const values = {
    ...link,
    token_hash: hashToken(token),
    expires_at: tx.now.add({ hours: setting(tx.app, 'staff_link_hours') }),
  }
  await tx
    .insertInto('staff_links')
    .values({ staff_id, ...values })
    .onConflict((conflict) => conflict.column('staff_id').doUpdateSet(values))
    .execute()
  return token
}

/** The member and secret of an open link. */
export function readLink(db: Db, token: string, now: Temporal.Instant) {
  return db
    .selectFrom('staff_links as link')
    .innerJoin('staff_members as member', 'member.id', 'link.staff_id')
    .select(['member.id', 'member.email', 'link.totp_secret'])
    .where('link.token_hash', '=', hashToken(token))
    .where('link.expires_at', '>', now)
    .where('member.ended_at', 'is', null)
    .executeTakeFirst()
}

/** Replaces the secret of an open link; false if the link has been used or replaced. */
export async function setLinkSecret(tx: Tx, token: string, totp_secret: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_links')
    .set({ totp_secret })
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', tx.now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses a link; undefined if it has been used or replaced. The former factors and sessions of its member end. */
export async function useLink(
  tx: Tx,
  staff_id: number,
  token: string,
): Promise<Pick<MadeLink, 'made_by'> | undefined> {
  const link = await tx
    .deleteFrom('staff_links')
    .where('staff_id', '=', staff_id)
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', tx.now)
    .returning('made_by')
    .executeTakeFirst()
  if (!link) return undefined
  await removeFactors(tx, staff_id)
  // Read before the row of the member loses its former setup, which may be a part of the answer.
  const set_up_behind = [...(await behindMaker(tx, link.made_by))]
  await tx
    .updateTable('staff_members')
    .set({ set_up_by: link.made_by, set_up_behind, set_up_at: tx.now })
    .where('id', '=', staff_id)
    .execute()
  return link
}

export async function setPasswordAndCode(
  tx: Tx,
  id: number,
  factors: { password_hash: string; totp_secret: Buffer; totp_step: number },
): Promise<void> {
  await tx.updateTable('staff_members').set(factors).where('id', '=', id).execute()
}

/** Uses the code of a time step; false if a code of this step or a later one was used. */
export async function useStep(tx: Tx, id: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_members')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where('totp_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores a new passkey; false if it is stored already. */
export async function addPasskey(
  tx: Tx,
  staff_id: number,
  { id: passkey_id, publicKey, counter }: NewPasskey,
): Promise<boolean> {
  const public_key = Buffer.from(publicKey)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('staff_passkeys')
    .values({ passkey_id, staff_id, public_key, counter, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

interface NewPasskey {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
}

/** The passkey of a member who has not left. */
export function passkeyById(db: Db, passkey_id: string) {
  return db
    .selectFrom('staff_passkeys as passkey')
    .innerJoin('staff_members as member', 'member.id', 'passkey.staff_id')
    .selectAll('passkey')
    .where('passkey.passkey_id', '=', passkey_id)
    .where('member.ended_at', 'is', null)
    .executeTakeFirst()
}

export async function setPasskeyCounter(tx: Tx, passkey_id: string, counter: number) {
  await tx
    .updateTable('staff_passkeys')
    .set({ counter })
    .where('passkey_id', '=', passkey_id)
    .execute()
}
