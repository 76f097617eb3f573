import { sql } from 'kysely'
import type { DocumentSide } from '@duet/protocol/contracts/verification.ts'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { WrappedKey } from '../../integrations/document-keys/document-keys.ts'
import type { StoredChallenge } from './queries.ts'
import { isHeld } from '../privacy/index.ts'

/** The writes of challenges, documents and views; those of checks are in check/check-store.ts. */

/**
 * Stores a challenge, unless the user has a challenge that is valid until `longEnough`. Returns the valid
 * challenge.
 */
export async function keepChallenge(
  tx: Tx,
  user_id: UserId,
  challenge: StoredChallenge,
  longEnough: Temporal.Instant,
): Promise<StoredChallenge> {
  const { rows } = await sql<StoredChallenge>`
    insert into identity_challenges as kept (user_id, challenge_id, gesture, expires_at)
    values (${user_id}, ${challenge.challenge_id}, ${challenge.gesture}, ${challenge.expires_at})
    on conflict (user_id) do update set
      challenge_id = case when kept.expires_at >= ${longEnough} then kept.challenge_id else excluded.challenge_id end,
      gesture = case when kept.expires_at >= ${longEnough} then kept.gesture else excluded.gesture end,
      expires_at = case when kept.expires_at >= ${longEnough} then kept.expires_at else excluded.expires_at end
    returning challenge_id, gesture, expires_at`.execute(tx)
  return rows[0]!
}

/** Uses up a challenge: true once, for the user it was made for and before it expires. */
export async function useChallenge(
  tx: Tx,
  user_id: UserId,
  challenge_id: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('identity_challenges')
    .where('user_id', '=', user_id)
    .where('challenge_id', '=', challenge_id)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export interface NewDocument {
  readonly document_id: string
  readonly side: string
  readonly wrapped: WrappedKey
}

/** Writes the rows of documents before their files are stored, so that no file is without a row. */
export async function addDocuments(
  tx: Tx,
  user_id: UserId,
  documents: readonly NewDocument[],
): Promise<void> {
  await tx
    .insertInto('identity_documents')
    .values(
      documents.map(({ document_id, side, wrapped }) => ({
        document_id,
        user_id,
        side,
        ...wrapped,
        created_at: tx.now,
      })),
    )
    .execute()
}

/** Gives unused documents of a user to the check that they were sent for. Returns the documents that were there. */
export function attachDocuments(
  tx: Tx,
  check: { readonly check_id: number; readonly user_id: UserId },
  ids: readonly string[],
): Promise<StoredDocument[]> {
  return tx
    .updateTable('identity_documents')
    .set({ check_id: check.check_id })
    .where('document_id', 'in', [...ids])
    .where('user_id', '=', check.user_id)
    .where('check_id', 'is', null)
    .returning(['document_id', 'side'])
    .execute()
}

export async function documentsDecided(tx: Tx, check_id: number): Promise<void> {
  await tx
    .updateTable('identity_documents')
    .set({ decided_at: tx.now })
    .where('check_id', '=', check_id)
    .where('decided_at', 'is', null)
    .execute()
}

export interface StoredDocument {
  readonly document_id: string
  readonly side: string
}

/** Deletes rows, and with them the keys of their files. */
export async function deleteDocuments(tx: Tx, ids: readonly string[]): Promise<StoredDocument[]> {
  if (ids.length === 0) return []
  return tx
    .deleteFrom('identity_documents')
    .where('document_id', 'in', [...ids])
    .returning(['document_id', 'side'])
    .execute()
}

export async function deleteUserDocuments(tx: Tx, user_id: UserId): Promise<StoredDocument[]> {
  return tx
    .deleteFrom('identity_documents')
    .where('user_id', '=', user_id)
    .returning(['document_id', 'side'])
    .execute()
}

/** Deletes at most `limit` documents that were decided before this time and that no hold keeps. */
export async function deleteDecidedDocuments(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<StoredDocument[]> {
  const { rows } = await sql<StoredDocument>`
    delete from identity_documents where document_id = any(array(
      select document_id from identity_documents
      where (decided_at < ${before}
          or check_id in (select check_id from identity_checks where closed_at < ${before})) and not ${isHeld('identity_documents.user_id')} limit ${limit}))
    returning document_id, side`.execute(tx)
  return rows
}

/**
 * Deletes at most `limit` closed checks. If a hold or their own time keeps its documents, a check stays
 * with them.
 */
export async function deleteClosedChecks(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from identity_checks where check_id = any(array(
      select check_id from identity_checks
      where closed_at < ${before} and not exists (
        select from identity_documents where identity_documents.check_id = identity_checks.check_id)
      limit ${limit}))`.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes the documents of a side that were stored before this time and that no request of the user has taken. */
export function deleteUnusedSide(
  tx: Tx,
  user_id: UserId,
  side: DocumentSide,
  before: Temporal.Instant,
): Promise<StoredDocument[]> {
  return tx
    .deleteFrom('identity_documents')
    .where('user_id', '=', user_id)
    .where('side', '=', side)
    .where('check_id', 'is', null)
    .where('created_at', '<', before)
    .returning(['document_id', 'side'])
    .execute()
}

/** Deletes at most `limit` documents that no request ever took: their upload did not end. */
export async function deleteUnusedDocuments(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<StoredDocument[]> {
  const { rows } = await sql<StoredDocument>`
    delete from identity_documents where document_id = any(array(
      select document_id from identity_documents where check_id is null and created_at < ${before}
      limit ${limit}))
    returning document_id, side`.execute(tx)
  return rows
}

export async function recordView(
  tx: Tx,
  view: { readonly check_id: number; readonly user_id: UserId; readonly viewer: string },
): Promise<void> {
  await tx
    .insertInto('identity_document_views')
    .values({ ...view, at: tx.now })
    .execute()
}

/** The one lock of the keys: uploads share it, the end of a rotation takes it alone. */
const KEYS_LOCK = 4_205_058

/** Until this transaction ends, no former key is removed. */
export async function keepKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${KEYS_LOCK}::bigint)`.execute(tx)
}

export async function lockKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${KEYS_LOCK}::bigint)`.execute(tx)
}

export interface StoredKey extends WrappedKey {
  readonly document_id: string
  readonly user_id: UserId
}

/** At most `limit` documents whose key is wrapped by another key than this, locked until the transaction ends. */
export async function lockOtherKeys(tx: Tx, key_id: string, limit: number): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select document_id, user_id, key_id, wrapped_key from identity_documents
    where key_id <> ${key_id} order by document_id limit ${limit} for update`.execute(tx)
  return rows
}

export async function rewrapKeys(tx: Tx, keys: readonly StoredKey[]): Promise<void> {
  await sql`
    update identity_documents as document set key_id = rewrapped.key_id, wrapped_key = rewrapped.wrapped_key
    from unnest(${keys.map((one) => one.document_id)}::uuid[], ${keys.map((one) => one.key_id)}::text[],
      ${keys.map((one) => one.wrapped_key)}::bytea[]) as rewrapped (document_id, key_id, wrapped_key)
    where document.document_id = rewrapped.document_id`.execute(tx)
}
