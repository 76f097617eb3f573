import type { Ack, Input } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { App, Member } from '../../context.ts'
import { changesSince, headOf } from './queries.ts'

/** Everything durable since the last change that the client applied, rendered for him as it is now. */
export async function getChanges(
  app: App,
  viewer: Member,
  { since }: Input<'GET_CHANGES'>,
): Promise<Ack<'GET_CHANGES'>> {
  const head = await headOf(app.db, viewer.id)
  const rows = await changesSince(app.db, viewer.id, since, limits.changes + 1)
  // A hole before the first row is what the purge took; a client ahead of us has a state that never was.
  const reset = since > head || (since < head && rows[0]?.change_id !== since + 1)
  if (reset) return { changes: [], next: false, reset: true }
  const shown = rows.slice(0, limits.changes)
  const changes = await Promise.all(
    shown.map(async ({ change_id, event, payload }) => ({
      change_id,
      event,
      payload: { ...(await app.render(app.db, viewer.id, event, payload as object)), change_id },
    })),
  )
  return { changes, next: rows.length > limits.changes, reset: false }
}
