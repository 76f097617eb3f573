import type { App, UserId } from '../../context.ts'
import { perApp } from '../../platform/module.ts'

/** Who talks now. Memory: whoever keeps the calls states each open one again when the server comes back. */
const talking = perApp(() => new Set<UserId>())

export function isInCall(app: App, user_id: UserId): boolean {
  return talking(app).has(user_id)
}

export function nowTalks(app: App, user_id: UserId): void {
  talking(app).add(user_id)
}

export function talksNoMore(app: App, user_id: UserId): void {
  talking(app).delete(user_id)
}
