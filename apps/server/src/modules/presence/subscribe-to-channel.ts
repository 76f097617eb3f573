import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { presenceOf } from './memory-presence.ts'

/** Follows a public channel, or stops. The contract lists the channels, so that a client cannot follow any other. */
export async function subscribeToChannel(
  app: App,
  viewer: Guest | Member,
  { room, on }: Input<'SUBSCRIBTION_ROOM'>,
  { connection }: RequestContext,
): Promise<Ack<'SUBSCRIBTION_ROOM'>> {
  if (!connection) return {}
  if (!on) {
    app.realtime.unsubscribe(connection, room)
    return {}
  }
  app.realtime.subscribe(connection, room)
  if (room === 'online')
    app.emit(viewer.id, 'online.count', { woman: await presenceOf(app).girlsOnline() })
  return {}
}
