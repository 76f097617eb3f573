import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { ChangeRow } from './queries.ts'

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
