import type { Selectable } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'

export type SubscribedBrowser = Pick<
  Selectable<Tables['push_subscriptions']>,
  'user_id' | 'endpoint' | 'p256dh' | 'auth' | 'unreachable_since'
>

/** The browser of a login that has not ended. */
export function subscriptionById(db: Db, id: number): Promise<SubscribedBrowser | undefined> {
  return db
    .selectFrom('push_subscriptions')
    .innerJoin('logins', 'logins.id', 'push_subscriptions.login_id')
    .select(['push_subscriptions.user_id', 'endpoint', 'p256dh', 'auth', 'unreachable_since'])
    .where('push_subscriptions.id', '=', id)
    .where('logins.ended_at', 'is', null)
    .executeTakeFirst()
}

/** The browsers of those of these users who want push messages, where they are logged in. */
export function readBrowsers(
  db: Db,
  ids: readonly UserId[],
): Promise<{ id: number; user_id: UserId }[]> {
  return db
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .innerJoin('logins', 'logins.id', 'push_subscriptions.login_id')
    .select(['push_subscriptions.id', 'push_subscriptions.user_id'])
    .where('push_subscriptions.user_id', 'in', [...ids])
    .where('users.noty_push', '=', true)
    .where('logins.ended_at', 'is', null)
    .execute()
}

/** A notice of this user. */
export function noticeById(
  db: Db,
  user_id: UserId,
  id: number,
): Promise<Selectable<Tables['notices']> | undefined> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
}
