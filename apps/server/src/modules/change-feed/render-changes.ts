import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type ChangeRow, newestChanges } from './queries.ts'

/** More than one transaction stores for a user. A page that misses more sees a gap and fetches it. */
const RESENT_MAX = 10

/** Stored changes as their reader sees them now. */
export function renderChanges(app: App, viewerId: UserId, rows: readonly ChangeRow[]) {
  return Promise.all(
    rows.map(async ({ change_id, event, payload }) => ({
      change_id,
      event,
      payload: {
        ...(await app.hooks.renderChange(app.db, viewerId, event, payload as object)),
        change_id,
      },
    })),
  )
}

/**
 * Sends the newest changes of a user again, because a commit whose answer was lost has sent no events. A
 * page ignores changes whose numbers it has.
 */
export async function resendLastChanges(app: App, user_id: UserId): Promise<void> {
  if (!(await app.realtime.isConnected(user_id))) return
  const rows = await newestChanges(app.db, user_id, RESENT_MAX)
  for (const { event, payload } of await renderChanges(app, user_id, rows.toReversed()))
    app.realtime.send(user_id, event as never, payload as never)
}
