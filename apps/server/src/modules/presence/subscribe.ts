import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { roomOf } from './news.ts'
import { statusOf, womenOnline } from './status.ts'

/** The public rooms; the names are the contract's, so nobody enters another's. */
export async function subscribeRoom(
  app: App,
  viewer: Guest | Member,
  { room, on }: Input<'SUBSCRIBTION_ROOM'>,
  { connection }: RequestContext,
): Promise<Ack<'SUBSCRIBTION_ROOM'>> {
  if (!connection) return {}
  if (!on) app.realtime.unsubscribe(connection, room)
  else {
    app.realtime.subscribe(connection, room)
    if (room === 'online') app.emit(viewer.id, 'online.count', { woman: womenOnline(app) })
  }
  return {}
}

/** Follows these people. Whoever the viewer may not see is offline, and no news of him comes while that is so. */
export async function subscribe(
  app: App,
  viewer: Guest | Member,
  { user_ids }: Input<'SUBSCRIBE'>,
  { connection }: RequestContext,
): Promise<Ack<'SUBSCRIBE'>> {
  // First of all: what happens while we look is told as news.
  if (connection)
    for (const user_id of user_ids) app.realtime.subscribe(connection, roomOf(user_id))
  const hidden = await app.hooks.hiddenUsers(
    app.db,
    viewer.kind === 'member' ? viewer.id : null,
    user_ids,
  )
  const statuses = user_ids.map((user_id) => ({
    user_id,
    ...(hidden.has(user_id)
      ? { status: 'offline' as const, sub_status: null }
      : statusOf(app, user_id)),
  }))
  return { statuses }
}

export async function unsubscribe(
  app: App,
  _: Guest | Member,
  { user_ids }: Input<'UNSUBSCRIBE'>,
  { connection }: RequestContext,
): Promise<Ack<'UNSUBSCRIBE'>> {
  if (connection)
    for (const user_id of user_ids) app.realtime.unsubscribe(connection, roomOf(user_id))
  return {}
}
