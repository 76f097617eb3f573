import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { Payload, UserInterlocutor } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { perApp } from '../../core/module.ts'

/** What somebody online is doing; `free` when nothing. */
export type Doing = 'free' | 'searching' | 'public' | 'private' | 'break'
type Shown = Pick<Payload<'update_status_user'>, 'status' | 'sub_status'>

export interface Present {
  readonly role: Role
  leaving?: () => void
}

/**
 * Memory form of the presence port; a Redis form keeps the same maps by instance. What somebody does (free is kept as
 * nothing) is apart from whether he is here: a call goes on while one side is away, and outlives a restart.
 */
export const port = perApp(
  'presence: people',
  'who is online and what they do; rebuilt as sockets connect',
  () => ({
    people: new Map<UserId, Present>(),
    doings: new Map<UserId, Doing>(),
    women: 0,
  }),
)

export function isOnline(app: AppContext, user_id: UserId): boolean {
  return port(app).people.has(user_id)
}

export function doing(app: AppContext, user_id: UserId): Doing {
  return port(app).doings.get(user_id) ?? 'free'
}

export function womenOnline(app: AppContext): number {
  return port(app).women
}

export function statusOf(app: AppContext, user_id: UserId): Shown {
  if (!isOnline(app, user_id)) return { status: 'offline', sub_status: null }
  const now = doing(app, user_id)
  return { status: now === 'public' || now === 'private' ? 'busy' : 'online', sub_status: now }
}

export async function facesOf(
  db: Db,
  viewer_id: UserId | null,
  ids: readonly UserId[],
  app: AppContext,
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const hidden = await app.hooks.hiddenUsers(db, viewer_id, ids)
  return new Map(
    ids.map((id) => [
      id,
      hidden.has(id) ? { status: 'offline', sub_status: null } : statusOf(app, id),
    ]),
  )
}
