import type { AppContext } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { productDay } from '../../lib/clock.ts'
import { batchedRead, inKeys } from '../../platform/database/statements/batched-read.ts'
import { setting } from '../settings/index.ts'

const usedToday = perApp(
  'allowances: used free messages',
  'reads that are waiting for their statement; nothing is lost',
  ({ clock }) => batchedRead<UserId, number>((db, ids) => readUsed(db, ids, clock.now())),
)

async function readUsed(
  db: Db,
  ids: readonly UserId[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<UserId, number>> {
  const rows = await db
    .selectFrom('free_messages')
    .select(['user_id', 'used'])
    .where('user_id', '=', inKeys(ids))
    .where('day', '=', productDay(now))
    .execute()
  return new Map(rows.map(({ user_id, used }) => [user_id, used]))
}

/** Free messages that a guy may still send today. */
export async function freeMessagesLeft(
  context: AppContext,
  db: Db,
  guyId: UserId,
): Promise<number> {
  const used = (await usedToday(context)(db, guyId)) ?? 0
  return Math.max(0, setting(context, 'free_messages_a_day') - used)
}
