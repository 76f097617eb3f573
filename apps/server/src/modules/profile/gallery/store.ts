import { sql } from 'kysely'
import type { UserId } from '../../../core/ids.ts'
import type { Tx } from '../../../core/app.ts'

/** All writes of galleries. A like and the count of likes change in one statement. */

export interface NewItem {
  readonly media_id: string
  readonly owner_id: UserId
  readonly kind: 'photo' | 'video'
  readonly title?: string | undefined
  readonly premium_only: boolean
  readonly adult: boolean
  readonly consent_version: string | null
}

/** Adds an item behind the others of its kind. */
export async function addItem(tx: Tx, item: NewItem): Promise<void> {
  const { media_id, owner_id, kind, title, premium_only, adult, consent_version } = item
  await sql`
    insert into gallery_items (media_id, owner_id, kind, title, premium_only, adult, consent_at, consent_version, position)
    select ${media_id}, ${owner_id}, ${kind}, ${title || null}, ${premium_only}, ${adult},
      ${consent_version === null ? null : tx.now}, ${consent_version}, coalesce(max(position) + 1, 0)
    from gallery_items where owner_id = ${owner_id} and kind = ${kind}`.execute(tx)
}

export async function changeItem(
  tx: Tx,
  media_id: string,
  change: { readonly title?: string | null; readonly premium_only?: boolean },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx.updateTable('gallery_items').set(change).where('media_id', '=', media_id).execute()
}

export async function removeItem(tx: Tx, media_id: string): Promise<void> {
  await tx.deleteFrom('gallery_items').where('media_id', '=', media_id).execute()
}

/** Gives these items the positions of their order. */
export async function setOrder(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update gallery_items set position = ordered.place - 1
    from unnest(${[...ids]}::uuid[]) with ordinality as ordered (id, place)
    where media_id = ordered.id and position <> ordered.place - 1`.execute(tx)
}

/** Marks an item as adult. A consent is stored once. */
export async function markItemAdult(
  tx: Tx,
  media_id: string,
  consent_version: string | null,
): Promise<void> {
  await sql`
    update gallery_items set adult = true,
      consent_at = coalesce(consent_at, ${consent_version === null ? null : tx.now}::timestamptz),
      consent_version = coalesce(consent_version, ${consent_version})
    where media_id = ${media_id}`.execute(tx)
}

/** Staff approved or removed an item that is marked as adult. */
export async function setAdultApproval(tx: Tx, media_id: string, approved: boolean): Promise<void> {
  await tx
    .updateTable('gallery_items')
    .set({ adult_approved_at: approved ? tx.now : null })
    .where('media_id', '=', media_id)
    .where('adult', '=', true)
    .execute()
}

/** Adds or removes a like. A user likes an item at most once, however often the like is requested. */
export async function setLike(
  tx: Tx,
  media_id: string,
  user_id: UserId,
  like: boolean,
): Promise<number> {
  const changed = like
    ? sql`insert into gallery_likes (media_id, user_id, at) values (${media_id}, ${user_id}, ${tx.now})
        on conflict do nothing returning 1`
    : sql`delete from gallery_likes where media_id = ${media_id} and user_id = ${user_id} returning 1`
  const { rows } = await sql<{ likes: number }>`
    with changed as (${changed})
    update gallery_items set likes = likes + ${like ? 1 : -1} * (select count(*) from changed)::integer
    where media_id = ${media_id} returning likes`.execute(tx)
  return rows[0]?.likes ?? 0
}

/** Removes every like of a user. */
export async function removeUserLikes(tx: Tx, user_id: UserId): Promise<void> {
  await sql`
    with removed as (delete from gallery_likes where user_id = ${user_id} returning media_id)
    update gallery_items set likes = likes - 1 from removed where removed.media_id = gallery_items.media_id`.execute(
    tx,
  )
}
