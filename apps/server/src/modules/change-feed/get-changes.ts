import type { Ack, Input } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { changesSince, readHead, newestChanges } from './queries.ts'
import { renderChanges } from './render-changes.ts'

/** Returns the changes after the last change that the client applied, rendered as they are now. */
export async function getChanges(
  app: App,
  viewer: Member,
  { since }: Input<'GET_CHANGES'>,
): Promise<Ack<'GET_CHANGES'>> {
  const head = await readHead(app.db, viewer.id)
  const rows = await changesSince(app.db, viewer.id, since, limits.changes + 1)
  // The month of a missing row was dropped; a client ahead of the log has a state that does not exist.
  const isTooOld = since < head && rows.at(-1)?.change_id !== since + rows.length
  if (since > head || isTooOld) {
    // The newest change tells the client where to continue after the reload. Without a stored change the client
    // continues from the number of its login.
    return {
      changes: await renderChanges(app, viewer.id, await newestChanges(app.db, viewer.id, 1)),
      next: false,
      reset: true,
    }
  }
  const changes = await renderChanges(app, viewer.id, rows.slice(0, limits.changes))
  return { changes, next: rows.length > limits.changes, reset: false }
}
