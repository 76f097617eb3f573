import { sql } from 'kysely'
import type { Reader, Tx, UserId } from '../../context.ts'
import type { Facts } from '../../domain-events.ts'
import { anyOf, gathered } from '../../platform/db/gathered.ts'
import { setting } from '../settings/index.ts'

const quotas = gathered<UserId, number>(async (reader, ids) => {
  const rows = await reader
    .selectFrom('free_quotas')
    .select(['user_id', 'seconds'])
    .where('user_id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ user_id, seconds }) => [user_id, seconds]))
})

/** Seconds of public video that somebody may still talk without paying. */
export async function quotaOf(reader: Reader, user_id: UserId): Promise<number> {
  return (await quotas(reader, user_id)) ?? 0
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
export async function giveQuota(tx: Tx, { user_id, role }: Facts['registered']): Promise<void> {
  if (role !== 'men') return
  const seconds = setting(tx.app, 'free_quota')
  await tx
    .insertInto('free_quotas')
    .values({ user_id, seconds })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tellQuota(tx, user_id, seconds)
}

function tellQuota(tx: Tx, user_id: UserId, seconds: number): Promise<void> {
  return tx.tell(user_id, 'free_quota', { seconds, messages: setting(tx.app, 'free_messages_a_day') })
}
