import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { presenceOf } from './memory-presence.ts'
import type { Activity, OnlineFigures } from './presence-port.ts'
import { publishStatusSoon } from './status-updates.ts'

/** Records what a user is doing, online or not, and publishes it to their followers. Matchmaking and calls report it. */
export function setActivity(app: App, user_id: UserId, activity: Activity): void {
  if (!presenceOf(app).setActivity(user_id, activity)) return
  const role = presenceOf(app).onlineRole(user_id)
  if (role) publishStatusSoon(app, user_id, role)
}

export function getActivity(app: AppContext, user_id: UserId): Activity {
  return presenceOf(app).getActivity(user_id)
}

export function isInCall(app: AppContext, user_id: UserId): boolean {
  const activity = getActivity(app, user_id)
  return activity === 'public' || activity === 'private'
}

export function isOnline(app: AppContext, user_id: UserId): boolean {
  return presenceOf(app).onlineRole(user_id) !== undefined
}

/** Counts of the users who are online. */
export function readOnlineFigures(app: AppContext): Promise<OnlineFigures> {
  return presenceOf(app).onlineFigures()
}

export function countGirlsOnline(app: AppContext): Promise<number> {
  return presenceOf(app).girlsOnline()
}
