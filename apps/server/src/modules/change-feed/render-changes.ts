import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type ChangeRow, newestChanges } from './queries.ts'

/** More than one transaction stores for a user. A page that misses more sees a gap and fetches it. */
const RESENT_MAX = 10

/** Stored changes as their reader sees them now, in their order. The changes of one event are rendered together. */
export async function renderChanges(app: App, viewerId: UserId, rows: readonly ChangeRow[]) {
  const parts = await Promise.all(
    [...Map.groupBy(rows, ({ event }) => event)].map(async ([event, changes]) => {
      const stored = changes.map(({ payload }) => payload as object)
      const payloads = await app.hooks.renderChanges(app.db, viewerId, event, stored)
      return changes.map(({ change_id }, at) => ({
        change_id,
        event,
        payload: { ...payloads[at], change_id },
      }))
    }),
  )
  const rendered = new Map(parts.flat().map((change) => [change.change_id, change]))
  return rows.map(({ change_id }) => rendered.get(change_id)!)
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
