import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import { setting } from '../settings/index.ts'

const quotas = batchedRead<UserId, number>(async (db, ids) => {
  const rows = await db
    .selectFrom('free_quotas')
    .select(['user_id', 'seconds'])
    .where('user_id', '=', inKeys(ids))
    .execute()
  return new Map(rows.map(({ user_id, seconds }) => [user_id, seconds]))
})

/** Seconds of public video that somebody may still talk without paying. */
export async function quotaOf(db: Db, user_id: UserId): Promise<number> {
  return (await quotas(db, user_id)) ?? 0
}

/** Uses up to so many seconds of the quota, never more than there are, and tells what is left. */
export async function takeQuota(tx: Tx, user_id: UserId, seconds: number): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    update free_quotas set seconds = seconds - least(seconds, ${seconds}::integer)
    where user_id = ${user_id} and seconds > 0 and ${seconds}::integer > 0
    returning seconds`.execute(tx)
  if (rows[0]) await tellQuota(tx, user_id, rows[0].seconds)
}

/** Given once, at registration, to guys. */
export async function giveQuota(
  tx: Tx,
  { user_id, role }: DomainEvents['registered'],
): Promise<void> {
  if (role !== 'guy') return
  const seconds = setting(tx.app, 'free_quota')
  await tx
    .insertInto('free_quotas')
    .values({ user_id, seconds })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tellQuota(tx, user_id, seconds)
}

function tellQuota(tx: Tx, user_id: UserId, seconds: number): Promise<void> {
  return tx.notify(user_id, 'free_quota', {
    seconds,
    messages: setting(tx.app, 'free_messages_a_day'),
  })
}
