import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { inKeys, batchedRead } from '../../platform/database/statements/batched-read.ts'
import { setting } from '../settings/index.ts'
import { freeMessagesLeft } from './free-messages.ts'
import { claimDevice, insertQuota, subtractQuota } from './store.ts'

const quotas = batchedRead<UserId, number>(async (db, ids) => {
  const rows = await db
    .selectFrom('free_quotas')
    .select(['user_id', 'seconds'])
    .where('user_id', '=', inKeys(ids))
    .execute()
  return new Map(rows.map(({ user_id, seconds }) => [user_id, seconds]))
})

/** Seconds of public video that this user may still use without paying. */
export async function getQuota(db: Db, user_id: UserId): Promise<number> {
  return (await quotas(db, user_id)) ?? 0
}

/** Uses up to `seconds` of the quota, never more than there are, and notifies the user of the rest. */
export async function consumeQuota(tx: Tx, user_id: UserId, seconds: number): Promise<void> {
  const left = await subtractQuota(tx, user_id, seconds)
  if (left !== undefined) await notifyQuota(tx, user_id, left)
}

/** A guy gets his quota once, at the registration. A device gets a quota once, for any number of accounts. */
export async function grantQuota(
  tx: Tx,
  { user_id, role, device }: DomainEvents['registered'],
): Promise<void> {
  if (role !== 'guy') return
  const isFirst = device === undefined || (await claimDevice(tx, device))
  const seconds = isFirst ? setting(tx.app, 'free_quota') : 0
  await insertQuota(tx, user_id, seconds)
  await notifyQuota(tx, user_id, seconds)
}

async function notifyQuota(tx: Tx, user_id: UserId, seconds: number): Promise<void> {
  const messages = await freeMessagesLeft(tx.app, tx, user_id)
  await tx.notify(user_id, 'free_quota', { seconds, messages })
}
