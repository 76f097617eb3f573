import type { App, AppContext } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { msBetween, plusMs } from '../../../lib/clock.ts'
import { usersByIds } from '../../identity/index.ts'
import { readBrowsers } from '../../notices/index.ts'
import { isOnline } from '../../presence/index.ts'
import { setting } from '../../settings/index.ts'

const LEFT_USERS_MAX = 50_000

/** In the order of leaving. A restart forgets them: then the time of the last visit decides. */
const leftAt = perApp(
  'matchmaking: users who left',
  'when users closed their last page; a phone in the pocket rings for a while',
  () => new Map<UserId, Temporal.Instant>(),
)

/** Remembers when users leave, until the returned function is called. */
export function followLeaving(app: App): () => void {
  return app.realtime.local.onConnectionChange(({ user_id, socket, state }) => {
    if (socket !== 'main') return
    const left = leftAt(app)
    left.delete(user_id)
    if (state === 'up') return
    left.set(user_id, app.clock.now())
    for (const oldest of left.keys()) {
      if (left.size <= LEFT_USERS_MAX) break
      left.delete(oldest)
    }
  })
}

/** Users that a ring reaches: those who are online, and those who left lately and take push messages. */
export async function reachableAmong(
  context: AppContext,
  db: Db,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const online = ids.filter((id) => isOnline(context, id))
  const minutes = setting(context, 'ring_away_minutes')
  const away = ids.filter((id) => !isOnline(context, id))
  if (minutes === 0 || away.length === 0) return new Set(online)
  const since = plusMs(context.clock.now(), -minutes * 60_000)
  const rows = await usersByIds(db, away)
  const recent = rows.flatMap(({ id, last_visit }) => {
    const at = leftAt(context).get(id) ?? last_visit
    return at && msBetween(since, at) > 0 ? [id] : []
  })
  if (recent.length === 0) return new Set(online)
  const browsers = await readBrowsers(db, recent)
  return new Set([...online, ...browsers.map(({ user_id }) => user_id)])
}
