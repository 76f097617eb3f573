import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { statusFields } from './public-fields.ts'
import { statusChannel } from './status-updates.ts'

/** Follows the statuses of these users. A user hidden from the viewer is offline, and no update about them arrives. */
export async function subscribe(
  app: App,
  viewer: Guest | Member,
  { user_ids }: Input<'SUBSCRIBE'>,
  { connection }: RequestContext,
): Promise<Ack<'SUBSCRIBE'>> {
  // Before the statuses are read, so that a change in between arrives as an update.
  if (connection)
    for (const user_id of user_ids) app.realtime.subscribe(connection, statusChannel(user_id))
  const viewerId = viewer.kind === 'member' ? viewer.id : null
  const fields = await statusFields(app.db, viewerId, user_ids, app)
  return { statuses: user_ids.map((user_id) => ({ user_id, ...fields.get(user_id)! })) }
}
