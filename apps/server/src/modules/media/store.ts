import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { assert } from '../../lib/assert.ts'
import { isHeld } from '../privacy/index.ts'
import { addHash } from './checks/store.ts'
import type { PictureIds } from './media-url.ts'
import { WAITS_FOR_DESK } from './queries.ts'
import type { Audience, StoredProduct, UploadState } from './rules.ts'

/** The stored files of an upload whose row is still to be written. */
export interface StoredFiles {
  readonly id: string
  readonly width: number
  readonly height: number
  /** Of all of its files. */
  readonly bytes: number
  /** Null: it has too little in it to be recognised. Undefined: a video that is still to be converted. */
  readonly hash?: string | null | undefined
}

export interface NewRow {
  readonly owner_id: UserId
  readonly product: StoredProduct
  readonly files: StoredFiles
  readonly status: Exclude<UploadState, 'removed' | 'failed'>
  readonly reason?: string | null
  readonly audience: Audience
  readonly kind: 'photo' | 'video'
}

/** An upload with the row that this transaction has written. */
export interface StoredUpload extends PictureIds, StoredFiles, Pick<NewRow, 'kind' | 'status'> {}

/** Registers files that are about to be stored: until `addUpload`, or until the sweep deletes them. */
export async function addDraft(tx: Tx, id: string): Promise<void> {
  await tx.insertInto('media_drafts').values({ id, created_at: tx.now }).execute()
}

/** True for the first caller: from here on the files belong to the caller. */
export async function removeDraft(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('media_drafts')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Writes the row of an upload whose files are stored. */
export async function addUpload(tx: Tx, { files, ...row }: NewRow): Promise<StoredUpload> {
  assert(
    await removeDraft(tx, files.id),
    'the files of an upload have a draft until their row is written',
  )
  const { hash, ...stored } = files
  const { blurred_id } = await tx
    .insertInto('media')
    .values({
      ...stored,
      ...row,
      created_at: tx.now,
      queued_at: row.status === 'pending' ? tx.now : null,
    })
    .returning('blurred_id')
    .executeTakeFirstOrThrow()
  if (hash !== undefined) await addHash(tx, files.id, hash ?? undefined)
  return { ...files, blurred_id, kind: row.kind, status: row.status }
}

export interface ReviewedMedia {
  readonly id: string
  readonly owner_id: UserId
  readonly product: string
  readonly status: string
  readonly reason: string | null
}

/** The state of an upload, which no other transaction changes until this one ends. */
export function lockMedia(tx: Tx, id: string): Promise<ReviewedMedia | undefined> {
  return tx
    .selectFrom('media')
    .select(['id', 'owner_id', 'product', 'status', 'reason'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Returns the row after the change; undefined if there is none. A video that is not converted yet is not reviewed. A verdict
 * about an upload that did not wait is no answer of the queue.
 */
export function setMediaStatus(
  tx: Tx,
  id: string,
  status: 'ready' | 'removed',
  reason: string | null,
): Promise<ReviewedMedia | undefined> {
  return tx
    .updateTable('media')
    .set({
      status,
      reason,
      reviewed_at: tx.now,
      queued_at: sql<Temporal.Instant | null>`case when ${WAITS_FOR_DESK} then queued_at end`,
    })
    .where('id', '=', id)
    .where('status', 'in', ['ready', 'pending', 'removed'])
    .returning(['id', 'owner_id', 'product', 'status', 'reason'])
    .executeTakeFirst()
}

/** An upload of this user, which no other command of the user and no review changes until this transaction ends. */
export async function lockUpload(tx: Tx, owner_id: UserId, id: string): Promise<void> {
  await lockUploads(tx, owner_id)
  await lockMedia(tx, id)
}

/** An upload as a message that is to carry it needs it. */
export interface SendablePicture {
  readonly id: string
  readonly owner_id: UserId
  readonly status: string
  /** Equal for uploads that look the same. */
  readonly look: string
}

/** Locks those of these uploads that no message carries yet, until the transaction ends. */
export async function lockSendable(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SendablePicture>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('media')
    .select(['id', 'owner_id', 'status'])
    .select(
      sql<string>`coalesce((select hash from image_checks where media_id = media.id order by image_checks.id desc limit 1),
        width || 'x' || height || ' ' || bytes)`.as('look'),
    )
    .where('id', 'in', [...ids])
    .where('product', '=', 'messenger')
    .where('audience', '=', 'owner')
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** An upload that gets another use. An upload in a dialog has a receiver. */
export interface AttachedUpload {
  readonly id: string
  readonly receiver_id?: UserId
}

/** Changes who may see uploads. An upload that becomes adult waits for staff again. */
export async function attachUploads(
  tx: Tx,
  uploads: readonly AttachedUpload[],
  audience: Audience,
): Promise<void> {
  if (uploads.length === 0) return
  const ids = uploads.map(({ id }) => id)
  const receivers = uploads.map(({ receiver_id = null }) => receiver_id)
  const waits = audience === 'adult' ? sql`audience <> 'adult' and status = 'ready'` : sql`false`
  await sql`
    update media set audience = ${audience}, receiver_id = attached.receiver_id,
      status = case when ${waits} then 'pending' else status end,
      queued_at = case when ${waits} then ${tx.now} else queued_at end
    from unnest(${ids}::uuid[], ${receivers}::bigint[]) as attached (id, receiver_id)
    where media.id = attached.id`.execute(tx)
}

/** Serialises what counts the uploads of one user. */
export async function lockUploads(tx: Tx, owner_id: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${owner_id}`}, 0))`.execute(tx)
}

/**
 * Removes uploads and returns their ids. An upload that a hold of owner or receiver keeps is taken out of every use instead.
 * One statement: with two, a picture whose hold is placed between them would be neither.
 */
export async function removeOrWithdraw(
  tx: Tx,
  which: { readonly ids: readonly string[] } | { readonly owner_id: UserId },
): Promise<readonly string[]> {
  const chosen =
    'ids' in which ? sql`id = any(${which.ids}::uuid[])` : sql`owner_id = ${which.owner_id}`
  const { rows } = await sql<{ id: string }>`
    with chosen as materialized (
      select id, ${isHeld('media.owner_id')} or ${isHeld('media.receiver_id')} as is_held from media where ${chosen}
    ), withdrawn as (
      update media set status = 'removed', audience = 'owner', reviewed_at = ${tx.now}, queued_at = null
      from chosen where media.id = chosen.id and chosen.is_held and media.audience <> 'owner'
    )
    delete from media using chosen where media.id = chosen.id and not chosen.is_held returning media.id`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Removes uploads that nothing uses any more and no hold of owner or receiver keeps, the oldest first; returns their ids. */
export async function removeAged(
  tx: Tx,
  kind: 'removed' | 'private',
  before: Temporal.Instant,
  limit: number,
): Promise<readonly string[]> {
  const aged =
    kind === 'removed'
      ? sql`status = 'removed' and reviewed_at < ${before}`
      : sql`audience = 'owner' and created_at < ${before}`
  const { rows } = await sql<{ id: string }>`
    delete from media where id in (
      select id from media where ${aged}
        and not ${isHeld('media.owner_id')} and not ${isHeld('media.receiver_id')} limit ${limit}
      for update skip locked)
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
