import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import { ANYWHERE } from '../../core/hiding.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { statusFields } from './public-fields.ts'
import { statusChannel } from './status-updates.ts'

/**
 * Follows the statuses of these users. A user who is hidden from the viewer is offline, without updates. A
 * guest follows only users of the catalogue: a block names a member, and the blocked member could return as
 * a guest.
 */
export async function subscribe(
  app: App,
  viewer: Guest | Member,
  { user_ids }: Input<'SUBSCRIBE'>,
  { connection, country }: RequestContext,
): Promise<Ack<'SUBSCRIBE'>> {
  const viewerId = viewer.kind === 'member' ? viewer.id : null
  const catalogue = { id: null, country: ANYWHERE }
  const hidden =
    viewerId === null ? await app.hooks.hiddenUsers(app.db, catalogue, user_ids) : new Set<UserId>()
  // Before the statuses are read, so that a change in between arrives as an update.
  if (connection)
    for (const user_id of user_ids)
      if (!hidden.has(user_id)) app.realtime.subscribe(connection, statusChannel(user_id))
  const fields = await statusFields(app.db, { id: viewerId, country }, user_ids, app)
  return { statuses: user_ids.map((user_id) => ({ user_id, ...fields.get(user_id)! })) }
}
