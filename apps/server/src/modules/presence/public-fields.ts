import type { Payload, UserInterlocutor } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import type { HidingViewer } from '../../core/hiding.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { presenceOf } from './memory-presence.ts'
import type { Activity } from './presence-port.ts'

type StatusFields = Pick<Payload<'update_status_user'>, 'status' | 'sub_status'>

export const OFFLINE: StatusFields = Object.freeze({ status: 'offline', sub_status: null })

/** The status of a user by their activity; undefined stands for a user who is offline. */
export function getStatus(activity: Activity | undefined): StatusFields {
  if (activity === undefined) return OFFLINE
  const isBusy = activity === 'public' || activity === 'private'
  return { status: isBusy ? 'busy' : 'online', sub_status: activity }
}

/** `status` and `sub_status` of these users, for this viewer: a user hidden from the viewer is offline (P2). */
export async function statusFields(
  db: Db,
  viewer: HidingViewer,
  ids: readonly UserId[],
  context: AppContext,
): Promise<Map<UserId, Partial<UserInterlocutor> & StatusFields>> {
  const hidden = await context.hooks.hiddenUsers(db, viewer, ids)
  const online = await presenceOf(context).findOnline(ids)
  return new Map(ids.map((id) => [id, hidden.has(id) ? OFFLINE : getStatus(online.get(id))]))
}
