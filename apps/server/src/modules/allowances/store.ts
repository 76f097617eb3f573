import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

/** Once per user; a second grant changes nothing. */
export async function insertQuota(tx: Tx, user_id: UserId, seconds: number): Promise<void> {
  await tx
    .insertInto('free_quotas')
    .values({ user_id, seconds })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether this is the first quota of the device. */
export async function claimDevice(tx: Tx, device: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('quota_devices')
    .values({ device, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Takes at most what is left. Returns the rest; undefined when nothing was taken. */
export async function subtractQuota(
  tx: Tx,
  user_id: UserId,
  seconds: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    update free_quotas set seconds = seconds - least(seconds, ${seconds}::integer)
    where user_id = ${user_id} and seconds > 0 and ${seconds}::integer > 0
    returning seconds`.execute(tx)
  return rows[0]?.seconds
}

/** Counts at most `uses_max` free starts of a pair on a day. */
export async function insertFreeStart(
  tx: Tx,
  {
    guy_id,
    girl_id,
    day,
    uses_max,
  }: { guy_id: UserId; girl_id: UserId; day: Temporal.PlainDate; uses_max: number },
): Promise<void> {
  await sql`
    insert into free_starts (guy_id, day, girl_id, uses) values (${guy_id}, ${day}, ${girl_id}, 1)
    on conflict (guy_id, day, girl_id) do update set uses = free_starts.uses + 1
    where free_starts.uses < ${uses_max}`.execute(tx)
}

/**
 * Takes a free message of the day from each of these guys who has one left. Returns how many messages those
 * guys have used. A guy who is not in the result has no free message left.
 */
export async function takeFreeMessages(
  tx: Tx,
  guyIds: readonly UserId[],
  { day, most }: { readonly day: Temporal.PlainDate; readonly most: number },
): Promise<readonly { user_id: UserId; used: number }[]> {
  const { rows } = await sql<{ user_id: UserId; used: number }>`
    insert into free_messages as taken (user_id, day, used)
    select user_id, ${day}::date, 1 from unnest(${[...guyIds]}::bigint[]) user_id
    where ${most}::integer > 0 order by user_id
    on conflict (user_id, day) do update set used = taken.used + 1 where taken.used < ${most}::integer
    returning user_id, used`.execute(tx)
  return rows
}
