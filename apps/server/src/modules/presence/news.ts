import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { plusMs } from '../../lib/clock.ts'
import { perApp } from '../../core/module.ts'
import { statusOf, womenOnline } from './status.ts'

/** News is gathered for so long before it is sent. */
const news_ms = 250

const gathered = perApp(
  'presence: news',
  'status changes that wait to be published together',
  () => ({
    roles: new Map<UserId, Role>(),
    women: 0,
    waits: false,
  }),
)

/** Who follows somebody stands in this room. */
export function roomOf(user_id: UserId): string {
  return `user:${user_id}`
}

/** Gathers what changed and tells, for each person once, those who look and may see it. */
export function tellSoon(app: App, user_id: UserId, role: Role): void {
  const news = gathered(app)
  news.roles.set(user_id, role)
  if (news.waits) return
  news.waits = true
  app.clock.at(plusMs(app.clock.now(), news_ms), () => {
    news.waits = false
    const changed = new Map(news.roles)
    news.roles.clear()
    tell(app, changed).catch((error: unknown) =>
      app.log.error({ err: error }, 'news of presence could not be told'),
    )
  })
}

async function tell(app: App, changed: ReadonlyMap<UserId, Role>): Promise<void> {
  const hidden_from = await app.hooks.hiddenFrom(app.db, [...changed.keys()])
  for (const [user_id, role] of changed) {
    const shown = statusOf(app, user_id)
    const except = hidden_from.get(user_id)
    app.realtime.broadcast(roomOf(user_id), 'update_status_user', { user_id, ...shown }, except)
    if (role === 'girl')
      app.realtime.broadcast(
        'girls',
        'update_status_girl',
        { user_id, status: shown.status },
        except,
      )
  }
  const news = gathered(app)
  const woman = womenOnline(app)
  if (woman === news.women) return
  news.women = woman
  app.realtime.broadcast('online', 'online.count', { woman })
}

/** From this moment the viewer may not see the other: whoever looked sees him go, and hears no more. */
export function tellGone(app: App, viewer_id: UserId, user_id: UserId): void {
  if (isIn(app, roomOf(user_id), viewer_id))
    app.emit(viewer_id, 'update_status_user', { user_id, status: 'offline', sub_status: null })
  if (isIn(app, 'girls', viewer_id))
    app.emit(viewer_id, 'update_status_girl', { user_id, status: 'offline' })
}

function isIn(app: App, room: string, user_id: UserId): boolean {
  for (const member of app.realtime.members(room)) if (member === user_id) return true
  return false
}
