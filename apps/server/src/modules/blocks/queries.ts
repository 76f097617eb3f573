import { refuse } from '../../lib/refusal.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { lockPair } from './store.ts'

/**
 * Somebody whom this viewer may have to do with: a member, not himself, with no block between them, and none until the
 * transaction ends. Refuses not_found, blocked.
 */
export async function findMeetable(
  tx: Tx,
  viewer: { id: UserId },
  user_id: UserId,
): Promise<UserRow> {
  const person = await userById(tx, user_id)
  if (!person?.role || person.erased_at || person.id === viewer.id) refuse('not_found')
  await lockPair(tx, viewer.id, user_id)
  if (await areBlocked(tx, viewer.id, user_id)) refuse('blocked')
  return person
}

/** Whether either blocked the other. */
export async function areBlocked(db: Db, a: UserId, b: UserId): Promise<boolean> {
  return (await blockedAmong(db, a, [b])).has(b)
}

/** Which of these people have a block between them and the viewer, whoever set it. */
export async function blockedAmong(
  db: Db,
  viewer_id: UserId | null,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (viewer_id === null || ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('blocks')
    .select('blocked_id as id')
    .where('owner_id', '=', viewer_id)
    .where('blocked_id', 'in', [...ids])
    .union(
      db
        .selectFrom('blocks')
        .select('owner_id as id')
        .where('blocked_id', '=', viewer_id)
        .where('owner_id', 'in', [...ids]),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Everybody with a block between them and this user: the newest first, so that a bounded reader keeps what matters. */
export async function blockedWith(db: Db, user_id: UserId, most: number): Promise<UserId[]> {
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
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** For each of these people everybody with a block between them. */
export async function blockedPairs(
  db: Db,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, ReadonlySet<UserId>>> {
  const pairs = new Map<UserId, Set<UserId>>()
  if (ids.length === 0) return pairs
  const rows = await db
    .selectFrom('blocks')
    .select(['owner_id', 'blocked_id'])
    .where((where) =>
      where.or([where('owner_id', 'in', [...ids]), where('blocked_id', 'in', [...ids])]),
    )
    .execute()
  const asked = new Set(ids)
  for (const { owner_id, blocked_id } of rows) {
    for (const [id, other] of [
      [owner_id, blocked_id],
      [blocked_id, owner_id],
    ] as const) {
      if (asked.has(id)) pairs.set(id, (pairs.get(id) ?? new Set()).add(other))
    }
  }
  return pairs
}
