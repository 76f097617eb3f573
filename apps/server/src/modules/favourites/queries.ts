import type { Answer, Payload, Query, UserInterlocutor } from '@duet/protocol'
import { paginate, offsetAndLimit } from '../../lib/pagination.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { interlocutors, userById } from '../identity/index.ts'

async function isFavourite(db: Db, owner_id: UserId, user_id: UserId): Promise<boolean> {
  return (await favouriteIds(db, owner_id, [user_id])).has(user_id)
}

/** Which of these people the owner keeps. */
async function favouriteIds(
  db: Db,
  owner_id: UserId,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('favourites')
    .select('user_id')
    .where('owner_id', '=', owner_id)
    .where('user_id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

/** The heart on everybody's face, as this viewer sees it. */
export async function facesOf(
  db: Db,
  viewer_id: UserId | null,
  ids: readonly UserId[],
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const kept = viewer_id === null ? new Set<UserId>() : await favouriteIds(db, viewer_id, ids)
  return new Map(ids.map((id) => [id, { is_favorite: kept.has(id) }]))
}

/** Who keeps me, by the name that they have now. */
export async function addedNow(
  db: Db,
  _: UserId,
  { user_id }: Payload<'added_your_favorites'>,
): Promise<Payload<'added_your_favorites'>> {
  const person = await userById(db, user_id)
  return { user_id, nick: (person?.erased_at === null && person.nick) || '' }
}

/** Whom one keeps, newest first. */
export async function favouritesPage(
  app: App,
  viewer: Member,
  asked: Query<'GET favourites_pagination'>,
): Promise<Answer<'GET favourites_pagination'>> {
  const { offset, limit } = offsetAndLimit(asked)
  const rows = await app.db
    .selectFrom('favourites')
    .select(['id', 'user_id'])
    .where('owner_id', '=', viewer.id)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const people = await interlocutors(
    app,
    app.db,
    viewer.id,
    rows.map((row) => row.user_id),
  )
  const faces = new Map(people.map((person) => [person.id, person]))
  const shown = rows.flatMap(({ id, user_id }) => {
    const face = faces.get(user_id)
    return face ? [{ ...face, favourite_id: id }] : []
  })
  return {
    ...paginate(asked, shown, await countOf(app.db, viewer.id)),
    next: rows.length === limit,
  }
}

export async function checkFavourite(
  app: App,
  viewer: Member,
  { check_user_id }: Query<'GET check_favourite'>,
): Promise<Answer<'GET check_favourite'>> {
  const person = await userById(app.db, check_user_id)
  if (!person?.role || person.erased_at) refuse('not_found')
  return { is_favorite: await isFavourite(app.db, viewer.id, check_user_id) }
}

export async function countFavourites(
  app: App,
  viewer: Member,
): Promise<Answer<'GET count_favourites'>> {
  return { count: await countOf(app.db, viewer.id) }
}

async function countOf(db: Db, owner_id: UserId): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('favourites_count')
    .where('id', '=', owner_id)
    .executeTakeFirstOrThrow()
  return row.favourites_count
}
