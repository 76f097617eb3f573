import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { assert } from '../../lib/assert.ts'
import { isHeld } from '../privacy/index.ts'
import type { Audience, StoredProduct, UploadState } from './rules.ts'

/** An upload whose files are stored; its row is still to be written. */
export interface StoredPicture {
  readonly id: string
  readonly width: number
  readonly height: number
  /** Of all of its files. */
  readonly bytes: number
}

export interface NewPicture {
  readonly owner_id: UserId
  readonly product: StoredProduct
  readonly picture: StoredPicture
  readonly status: Exclude<UploadState, 'removed' | 'failed'>
  readonly reason?: string | null
  readonly audience?: Audience
  readonly kind?: 'photo' | 'video'
}

/** Registers files that are about to be stored: until `addPicture`, or until the sweep deletes them. */
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

/** Writes the row of an upload whose files are stored, and returns its id. */
export async function addPicture(tx: Tx, added: NewPicture): Promise<string> {
  const { owner_id, product, picture, status } = added
  const { id, width, height, bytes } = picture
  assert(
    await removeDraft(tx, id),
    'the files of an upload have a draft until their row is written',
  )
  const { reason = null, audience = 'everyone', kind = 'photo' } = added
  await tx
    .insertInto('media')
    .values({
      id,
      owner_id,
      product,
      kind,
      width,
      height,
      bytes,
      status,
      reason,
      audience,
      created_at: tx.now,
    })
    .execute()
  return id
}

export interface ReviewedMedia {
  readonly id: string
  readonly owner_id: UserId
  readonly product: string
  readonly status: string
  readonly reason: string | null
}

/** The state of an upload, which no other transaction changes until this one ends. */
export function lockMedia(
  tx: Tx,
  id: string,
): Promise<Pick<ReviewedMedia, 'status' | 'reason'> | undefined> {
  return tx
    .selectFrom('media')
    .select(['status', 'reason'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns the row after the change; undefined if there is none. A video that is not converted yet is not reviewed. */
export function setMediaStatus(
  tx: Tx,
  id: string,
  status: 'ready' | 'removed',
  reason: string | null,
): Promise<ReviewedMedia | undefined> {
  return tx
    .updateTable('media')
    .set({ status, reason, reviewed_at: tx.now })
    .where('id', '=', id)
    .where('status', 'in', ['ready', 'pending', 'removed'])
    .returning(['id', 'owner_id', 'product', 'status', 'reason'])
    .executeTakeFirst()
}

/** Changes who may see an upload; `status` also, where the new audience needs a review. */
export async function setAudience(
  tx: Tx,
  id: string,
  change: { readonly audience: Audience; readonly status?: 'pending' },
): Promise<void> {
  await tx.updateTable('media').set(change).where('id', '=', id).execute()
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

export interface SharedPicture {
  readonly id: string
  readonly receiver_id: UserId
}

/** Locked uploads are carried by messages to these receivers from now on. */
export async function shareInDialogs(tx: Tx, pictures: readonly SharedPicture[]): Promise<void> {
  if (pictures.length === 0) return
  await sql`
    update media set audience = 'dialog', receiver_id = shared.receiver_id
    from unnest(${pictures.map(({ id }) => id)}::uuid[], ${pictures.map(({ receiver_id }) => receiver_id)}::bigint[])
      as shared (id, receiver_id)
    where media.id = shared.id`.execute(tx)
}

/** Serialises what counts the uploads of one user. */
export async function lockUploads(tx: Tx, owner_id: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${owner_id}`}, 0))`.execute(tx)
}

/** Returns the ids of those that were there. */
export async function removeRows(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .deleteFrom('media')
    .where('id', 'in', [...ids])
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes uploads out of every use, and keeps them. */
export async function withdrawRows(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('media')
    .set({ status: 'removed', audience: 'owner', reviewed_at: tx.now })
    .where('id', 'in', [...ids])
    .execute()
}

/**
 * Removes the uploads of this user and returns their ids; pictures that are evidence of their receivers are withdrawn. One
 * statement: with two, a picture whose hold is placed between them would be neither.
 */
export async function removeOrWithdrawUserRows(
  tx: Tx,
  owner_id: UserId,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select id, ${isHeld('media.receiver_id')} as is_held from media where owner_id = ${owner_id}
    ), withdrawn as (
      update media set status = 'removed', audience = 'owner', reviewed_at = ${tx.now}
      from own where media.id = own.id and own.is_held and media.audience = 'dialog'
    )
    delete from media using own where media.id = own.id and not own.is_held returning media.id`.execute(
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
