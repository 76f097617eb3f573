import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { listParts, type PictureFindings, type PictureVerdict } from './rules.ts'

export interface NewCheck extends PictureFindings {
  readonly media_id: string
  readonly owner_id: UserId
  readonly product: string
  readonly verdict: PictureVerdict
  readonly hash: string | undefined
}

export async function addCheck(tx: Tx, check: NewCheck): Promise<void> {
  const { media_id, owner_id, product, verdict, hash, known_picture_id, judgement } = check
  await tx
    .insertInto('image_checks')
    .values({
      media_id,
      owner_id,
      product,
      verdict: verdict.type,
      reason: getReason(verdict),
      nudity: judgement?.nudity ?? null,
      model: judgement?.model ?? null,
      model_version: judgement?.version ?? null,
      hash: hash ?? null,
      known_picture_id: known_picture_id ?? null,
      checked_at: tx.now,
    })
    .execute()
}

function getReason(verdict: PictureVerdict): string | null {
  if (verdict.type === 'refused') return verdict.refusal === 'nudity' ? 'nudity' : 'known_image'
  return verdict.type === 'pending' ? verdict.reason : null
}

export interface NewKnownPicture {
  readonly hash: string
  readonly reason: string
  readonly media_id: string
  readonly owner_id: UserId | null
}

/** Refuses this picture from now on; a repeat with another reason changes the reason. */
export async function addKnownPicture(tx: Tx, added: NewKnownPicture): Promise<void> {
  const { hash, reason, media_id, owner_id } = added
  await sql`
    insert into known_pictures (hash, parts, reason, media_id, owner_id, created_at)
    values (${`x${hash}`}::bit(256), ${[...listParts(hash)]}, ${reason}, ${media_id}, ${owner_id}, ${tx.now})
    on conflict (media_id) do update set reason = excluded.reason, owner_id = excluded.owner_id`.execute(
    tx,
  )
}

/** Accepts the picture of an upload again. */
export async function removeKnownPicture(tx: Tx, media_id: string): Promise<void> {
  await tx.deleteFrom('known_pictures').where('media_id', '=', media_id).execute()
}

/** Adds hashes of a list; returns how many are new. */
export async function addListedPictures(
  tx: Tx,
  hashes: readonly string[],
  { list, reason }: { readonly list: string; readonly reason: string },
): Promise<number> {
  const rows = hashes.map(
    (hash) =>
      sql`(${`x${hash}`}::bit(256), ${[...listParts(hash)]}::integer[], ${reason}, ${list}, ${tx.now}::timestamptz)`,
  )
  const { numAffectedRows = 0n } = await sql`
    insert into known_pictures (hash, parts, reason, list, created_at) values ${sql.join(rows)}
    on conflict (hash) where media_id is null do nothing`.execute(tx)
  return Number(numAffectedRows)
}

/** Keeps the hash of a stored upload, by which its copies are found; undefined: it cannot be recognised. */
export async function addHash(tx: Tx, media_id: string, hash: string | undefined): Promise<void> {
  const bits = hash === undefined ? sql`null` : sql`${`x${hash}`}::bit(256)`
  const parts = hash === undefined ? [] : [...listParts(hash)]
  // An upload that was deleted meanwhile needs no hash.
  await sql`
    insert into picture_hashes (media_id, hash, parts)
    select id, ${bits}, ${parts}::integer[] from media where id = ${media_id}
    on conflict (media_id) do nothing`.execute(tx)
}

/** Refuses no picture of this list any more. */
export async function removeListed(tx: Tx, list: string): Promise<void> {
  await tx.deleteFrom('known_pictures').where('list', '=', list).execute()
}

/** These lists refuse these pictures no more; their others stay refused. */
export async function unlistPictures(
  tx: Tx,
  hashes: readonly string[],
  lists: readonly string[],
): Promise<void> {
  await sql`
    delete from known_pictures where list = any(${[...lists]}::text[])
      and encode(substring(bit_send(hash) from 5), 'hex') = any(${[...hashes]}::text[])`.execute(tx)
}

/** Hides uploads from all but their owners until staff decide. Returns those that were visible. */
export async function hideUploads(
  tx: Tx,
  ids: readonly string[],
  reason: string,
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('media')
    .set({ status: 'pending', reason, queued_at: tx.now })
    .where('id', 'in', [...ids])
    .where('status', '=', 'ready')
    .returning(['id', 'owner_id'])
    .execute()
  for (const user_id of new Set(rows.map(({ owner_id }) => owner_id)))
    await tx.publish('member_updated', { user_id })
  return rows.map(({ id }) => id)
}
