import type { App, Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { isPremium, userNow } from '../identity/index.ts'
import { isOnline, onOnlineChange } from '../presence/index.ts'
import { createArrivals, type Arrivals } from './arrivals.ts'
import { setPremiumOfTalks } from './store.ts'

interface OnlineGuys {
  readonly premium: Arrivals
  readonly others: Arrivals
  /** The last reading of each guy whose row is being read. The result of an earlier reading may be older, and is dropped. */
  readonly readings: Map<UserId, object>
}

/** The guys who are online here, in the order in which they came. */
export const onlineGuys = perApp(
  'boys: online',
  'the guys who are online; rebuilt as sockets connect',
  (): OnlineGuys => ({
    premium: createArrivals(),
    others: createArrivals(),
    readings: new Map(),
  }),
)

/** Follows who comes and leaves until the returned function is called. */
export async function followGuys(app: App): Promise<() => void> {
  return onOnlineChange(app, ({ user_id, role, is_online }) => {
    if (role !== 'guy') return
    if (is_online) app.background('listing a guy', place(app, user_id))
    else remove(app, user_id)
  })
}

/** A guy who becomes premium, or no longer is, changes his list and the place of his talks. */
export async function followMember(
  tx: Tx,
  { user_id }: DomainEvents['member_updated'],
): Promise<void> {
  await setPremiumOfTalks(tx, user_id)
  const { premium, others, readings } = onlineGuys(tx.app)
  tx.afterCommit(() => {
    if (premium.has(user_id) || others.has(user_id) || readings.has(user_id))
      return place(tx.app, user_id)
  })
}

async function place(app: App, user_id: UserId): Promise<void> {
  const { premium, others, readings } = onlineGuys(app)
  const reading = {}
  let isLast = true
  readings.set(user_id, reading)
  const row = await userNow(app, user_id).finally(() => {
    if (readings.get(user_id) === reading) readings.delete(user_id)
    else isLast = false
  })
  // The guy may have left while the row was read.
  if (!isLast || row?.role !== 'guy' || !isOnline(app, user_id)) return
  const [list, other] = isPremium(row, app.clock.now()) ? [premium, others] : [others, premium]
  other.remove(user_id)
  list.add(user_id)
}

function remove(app: App, user_id: UserId): void {
  const { premium, others } = onlineGuys(app)
  premium.remove(user_id)
  others.remove(user_id)
}
