import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { statusChannel } from './status-updates.ts'

export async function unsubscribe(
  app: App,
  _viewer: Guest | Member,
  { user_ids }: Input<'UNSUBSCRIBE'>,
  { connection }: RequestContext,
): Promise<Ack<'UNSUBSCRIBE'>> {
  if (connection)
    for (const user_id of user_ids) app.realtime.unsubscribe(connection, statusChannel(user_id))
  return {}
}
