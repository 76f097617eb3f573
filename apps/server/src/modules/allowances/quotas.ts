import type { App, AppContext, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { productDay, startOfProductDay } from '../../lib/clock.ts'
import { cachedUser } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { freeMessagesLeft } from './free-messages.ts'
import { getQuota } from './quota.ts'
import { takeFreeMessages } from './store.ts'

/**
 * Uses a free message of each of these guys. Returns how many are left for each guy who had a free message.
 * The other guys had no free message.
 */
export async function consumeFreeMessages(
  tx: Tx,
  guyIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, number>> {
  if (guyIds.length === 0) return new Map()
  const most = setting(tx.app, 'free_messages_a_day')
  const taken = await takeFreeMessages(tx, guyIds, { day: productDay(tx.now), most })
  for (const { user_id } of taken) {
    tx.afterCommit(() => tx.app.background('sending the quota', sendQuota(tx.app, user_id)))
    tx.inDoubt(() => sendQuota(tx.app, user_id))
  }
  return new Map(taken.map(({ user_id, used }) => [user_id, most - used]))
}

/** The rest of both quotas of a guy. */
export async function readQuotas(
  context: AppContext,
  db: Db,
  guyId: UserId,
): Promise<{ seconds: number; messages: number }> {
  const seconds = await getQuota(db, guyId)
  return { seconds, messages: await freeMessagesLeft(context, db, guyId) }
}

async function sendQuota(app: App, guyId: UserId): Promise<void> {
  if (await app.realtime.isConnected(guyId))
    app.emit(guyId, 'free_quota', await readQuotas(app, app.db, guyId))
}

/** The free messages of a new day begin at midnight of the product: every guy who is here learns of it. */
export function followDays(app: App): () => void {
  let cancel = () => {}
  const awaitMidnight = () => {
    const tomorrow = productDay(app.clock.now()).add({ days: 1 })
    cancel = app.clock.at(startOfProductDay(tomorrow), () => {
      app.background('sending the quotas of a new day', sendAllQuotas(app))
      awaitMidnight()
    })
  }
  awaitMidnight()
  return () => cancel()
}

async function sendAllQuotas(app: App): Promise<void> {
  await Promise.all(
    [...app.realtime.local.connectedUsers()].map(async (id) => {
      const user = await cachedUser(app, app.db, id)
      if (user?.role === 'guy') await sendQuota(app, id)
    }),
  )
}

/** A guest has no allowance; free seconds and free messages are the guys'. */
export async function authFields(
  app: App,
  viewer: Guest | Member,
): Promise<Record<string, unknown>> {
  if (viewer.kind === 'guest' || viewer.role !== 'guy')
    return { free_quota: 0, free_quota_messages: 0 }
  const { seconds, messages } = await readQuotas(app, app.db, viewer.id)
  return { free_quota: seconds, free_quota_messages: messages }
}
