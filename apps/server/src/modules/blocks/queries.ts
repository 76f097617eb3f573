import { type RawBuilder, sql } from 'kysely'
import type { Answer, Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit } from '../../lib/paging/pagination.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import type { Member } from '../../core/viewer.ts'
import { peoplePage } from '../identity/index.ts'

/** The users that the viewer has blocked, the newest block first: only what the viewer needs to unblock them. */
export async function blockedPage(
  app: App,
  viewer: Member,
  request: Query<'GET blocked'>,
): Promise<Answer<'GET blocked'>> {
  const { offset, limit } = offsetAndLimit(request)
  const rows = await app.db
    .selectFrom('blocks')
    .select(['blocked_id as user_id', 'at'])
    .where('owner_id', '=', viewer.id)
    .orderBy('at', 'desc')
    .orderBy('blocked_id')
    .offset(offset)
    .limit(limit)
    .execute()
  return peoplePage(app, viewer.id, request, {
    rows,
    render: ({ user_id, at }, user) => ({
      id: user_id,
      nick: user?.nick ?? '',
      avatar: user?.avatar ?? null,
      create_time: wireTime(at),
    }),
  })
}

/** The condition of a statement that one of two users has blocked the other. */
export function isBlockedPair(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from blocks where (owner_id, blocked_id) in ((${a}, ${b}), (${b}, ${a})))`
}

/** Whether one of the two has blocked the other. */
export async function areBlocked(db: Db, a: UserId, b: UserId): Promise<boolean> {
  return (await blockedAmong(db, a, [b])).has(b)
}

function selectBlockedBy(db: Db, owner_id: UserId, ids: readonly UserId[]) {
  return db
    .selectFrom('blocks')
    .select('blocked_id as id')
    .where('owner_id', '=', owner_id)
    .where('blocked_id', 'in', [...ids])
}

/** Those of the given users who are blocked by the viewer. */
export async function blockedBy(
  db: Db,
  viewerId: UserId,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const rows = await selectBlockedBy(db, viewerId, ids).execute()
  return new Set(rows.map((row) => row.id))
}

/** Those of the given users who have blocked the viewer or are blocked by the viewer. */
export async function blockedAmong(
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (viewerId === null || ids.length === 0) return new Set()
  const rows = await selectBlockedBy(db, viewerId, ids)
    .union(
      db
        .selectFrom('blocks')
        .select('owner_id as id')
        .where('blocked_id', '=', viewerId)
        .where('owner_id', 'in', [...ids]),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** The users who have blocked this user or are blocked by them: at most `limit`, the newest blocks first. */
export async function blockedWith(db: Db, user_id: UserId, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('blocks')
        .select(['blocked_id as id', 'at'])
        .where('owner_id', '=', user_id)
        .unionAll(
          from
            .selectFrom('blocks')
            .select(['owner_id as id', 'at'])
            .where('blocked_id', '=', user_id),
        )
        .as('between'),
    )
    .select('id')
    .groupBy('id')
    .orderBy((order) => order.fn.max('at'), 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** For each of the given users, the users with a block between them. */
export async function blockedPairs(
  db: Db,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, { readonly users: ReadonlySet<UserId> }>> {
  const pairs = new Map<UserId, { users: Set<UserId> }>()
  if (ids.length === 0) return pairs
  const rows = await db
    .selectFrom('blocks')
    .select(['owner_id', 'blocked_id'])
    // One parameter for all ids: after a reconnect of everybody there are more than a statement has parameters.
    .where(
      sql<boolean>`(owner_id = any(${[...ids]}::bigint[]) or blocked_id = any(${[...ids]}::bigint[]))`,
    )
    .execute()
  const wanted = new Set(ids)
  for (const { owner_id, blocked_id } of rows) {
    for (const [id, other] of [
      [owner_id, blocked_id],
      [blocked_id, owner_id],
    ] as const) {
      if (!wanted.has(id)) continue
      const { users } = pairs.get(id) ?? { users: new Set() }
      pairs.set(id, { users: users.add(other) })
    }
  }
  return pairs
}
