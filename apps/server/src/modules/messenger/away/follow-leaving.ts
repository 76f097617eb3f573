import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { plusMs } from '../../../lib/clock.ts'
import { lockUnreached } from './away-store.ts'
import { reachAway } from './reach-away.ts'

/** A page that is loaded again or changes its network is connected again within this time. */
const ABSENT_MS = 20_000
const DIALOGS_MAX = 50

const timers = perApp(
  'messenger: users who left',
  'users whose page was closed seconds ago; the mail about unread messages does not depend on them',
  () => new Map<UserId, () => void>(),
)

/** Messages that came while a page was open are pushed when the page is closed and they are unread. */
export function followLeaving(app: App): () => void {
  const waiting = timers(app)
  const stop = app.realtime.local.onConnectionChange(({ user_id, socket, state }) => {
    if (socket !== 'main') return
    waiting.get(user_id)?.()
    waiting.delete(user_id)
    if (state === 'up' || app.realtime.local.isConnected(user_id)) return
    const cancel = app.clock.at(plusMs(app.clock.now(), ABSENT_MS), () => {
      waiting.delete(user_id)
      app.background('reaching a user who left', reachLeft(app, user_id), { user_id })
    })
    waiting.set(user_id, cancel)
  })
  return () => {
    stop()
    for (const cancel of waiting.values()) cancel()
  }
}

async function reachLeft(app: App, user_id: UserId): Promise<void> {
  await app.transact(async (tx) => {
    const unread = await lockUnreached(tx, user_id, DIALOGS_MAX)
    if (unread.length > 0) await reachAway(tx, unread)
  })
}
