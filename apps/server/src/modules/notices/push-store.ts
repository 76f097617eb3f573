import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'

/** A browser belongs to the user who uses it last: it must not show the notices of the user before. */
export async function storeSubscription(
  tx: Tx,
  { id: user_id, login_id }: Pick<Member, 'id' | 'login_id'>,
  target: { readonly endpoint: string; readonly p256dh: string; readonly auth: string },
): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', target.endpoint)
    .where('login_id', '<>', login_id)
    .execute()
  await tx
    .insertInto('push_subscriptions')
    .values({ user_id, login_id, ...target, at: tx.now })
    .onConflict((conflict) =>
      conflict.column('login_id').doUpdateSet({
        ...target,
        at: tx.now,
        // Only another address is another chance.
        unreachable_since: sql<Temporal.Instant | null>`
          case when push_subscriptions.endpoint = excluded.endpoint then push_subscriptions.unreachable_since end`,
      }),
    )
    .execute()
}

export async function removeSubscription(tx: Tx, login_id: number): Promise<void> {
  await tx.deleteFrom('push_subscriptions').where('login_id', '=', login_id).execute()
}

/** Removes a browser that takes no more messages, unless its address has changed since the message was sent. */
export async function removeGone(tx: Tx, id: number, endpoint: string): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .execute()
}

/** The address answered nothing. It is removed after this time without an answer, so that no further messages are written. */
export async function recordUnreachable(
  tx: Tx,
  id: number,
  { endpoint, hoursMax }: { readonly endpoint: string; readonly hoursMax: number },
): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .where('unreachable_since', '<=', tx.now.subtract({ hours: hoursMax }))
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return
  await tx
    .updateTable('push_subscriptions')
    .set({ unreachable_since: tx.now })
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .where('unreachable_since', 'is', null)
    .execute()
}

export async function recordReached(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('push_subscriptions')
    .set({ unreachable_since: null })
    .where('id', '=', id)
    .execute()
}
