import {
  type Answer,
  limits,
  type Payload,
  type Query,
  type UserInterlocutor,
} from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { offsetAndLimit } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type Db, readTogether } from '../../core/db.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { peoplePage, userById, type UserRow } from '../identity/index.ts'
import { callPermissions } from '../presence/index.ts'

/** The viewer's favourites, the newest first. Users who hide from the viewer now are left out. */
export async function favouritesPage(
  app: App,
  viewer: Member,
  request: Query<'GET favourites_pagination'>,
  context: RequestContext,
): Promise<Answer<'GET favourites_pagination'>> {
  const { offset, limit } = offsetAndLimit(request)
  const rows = await app.db
    .selectFrom('favourites')
    .select(['id as favourite_id', 'user_id'])
    .where('owner_id', '=', viewer.id)
    .$if(request.after !== undefined, (kept) => kept.where('id', '<', request.after!))
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(offset < limits.numbered_rows ? limit : 0)
    .execute()
  const total = await favouritesCount(app.db, viewer.id)
  const ids = rows.map((row) => row.user_id)
  const [hidden, calls] = await Promise.all([
    hiddenFromRequest(app, viewer, context, ids),
    callPermissions.get(app)(app, app.db, viewer, ids),
  ])
  const page = await peoplePage(app, viewer.id, request, {
    rows,
    total,
    render: ({ favourite_id, user_id }, user) =>
      user && !hidden.has(user_id)
        ? { ...user, favourite_id, can_call: calls.get(user_id) }
        : undefined,
  })
  const last = page.next ? rows[page.per_page - 1] : undefined
  return { ...page, ...(last && { after: String(last.favourite_id) }) }
}

/** Whether a user is a favourite of the viewer. Refuses `not_found` for a user who is not a member. */
export async function checkFavourite(
  app: App,
  viewer: Member,
  { check_user_id }: Query<'GET check_favourite'>,
): Promise<Answer<'GET check_favourite'>> {
  const user = await userById(app.db, check_user_id)
  if (!user?.role || user.erased_at) refuse('not_found')
  const found = await favouritesAmong(app.db, viewer.id, [check_user_id])
  return { is_favorite: found.has(check_user_id) }
}

export async function countFavourites(
  app: App,
  viewer: Member,
): Promise<Answer<'GET count_favourites'>> {
  return { count: await favouritesCount(app.db, viewer.id) }
}

/** `is_favorite` of these users, for this viewer. */
export async function favouriteFields(
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const found = viewerId === null ? new Set<UserId>() : await favouritesAmong(db, viewerId, ids)
  return new Map(ids.map((id) => [id, { is_favorite: found.has(id) }]))
}

/**
 * Renders `added_your_favorites` with the present nick of the other user. If that user is erased or hides
 * from the reader, the nick is empty.
 */
export async function renderAdded(
  db: Db,
  id: UserId,
  stored: readonly Payload<'added_your_favorites'>[],
  { hooks }: AppContext,
): Promise<Payload<'added_your_favorites'>[]> {
  const ids = [...new Set(stored.map(({ user_id }) => user_id))]
  const users = await readTogether<(UserRow | undefined)[]>(
    db,
    ids.map((user_id) => () => userById(db, user_id)),
  )
  const hidden = await hooks.hiddenUsers(db, { id }, ids)
  const nicks = new Map(
    users.flatMap((user) =>
      user?.erased_at === null && !hidden.has(user.id) ? [[user.id, user.nick] as const] : [],
    ),
  )
  return stored.map(({ user_id }) => ({ user_id, nick: nicks.get(user_id) ?? '' }))
}

/**
 * A girl's online status is announced to guys who have favourited her. A guy's status is announced to the
 * girls he has favourited.
 */
export async function interestedByFavourite(
  db: Db,
  { id, role }: { readonly id: UserId; readonly role: Role },
  { above, limit }: { readonly above: UserId; readonly limit: number },
): Promise<readonly UserId[]> {
  const [own, other] =
    role === 'girl' ? (['user_id', 'owner_id'] as const) : (['owner_id', 'user_id'] as const)
  const rows = await db
    .selectFrom('favourites')
    .select(`${other} as id`)
    .where(own, '=', id)
    .where(other, '>', above)
    .orderBy(other)
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Those of these users who hide from the viewer, by the country of the socket or of this request. */
export async function hiddenFromRequest(
  { db, hooks }: { readonly db: Db; readonly hooks: App['hooks'] },
  { id }: Pick<Member, 'id'>,
  { country }: RequestContext,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const bySocket = await hooks.hiddenUsers(db, { id }, ids)
  const byRequest = await hooks.hiddenUsers(db, { id, country }, ids)
  return new Set([...bySocket, ...byRequest])
}

export async function isFavourite(db: Db, owner_id: UserId, user_id: UserId): Promise<boolean> {
  return (await favouritesAmong(db, owner_id, [user_id])).has(user_id)
}

/** Those of the given users who are favourites of the owner. */
async function favouritesAmong(
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

async function favouritesCount(db: Db, owner_id: UserId): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('favourites_count')
    .where('id', '=', owner_id)
    .executeTakeFirstOrThrow()
  return row.favourites_count
}
