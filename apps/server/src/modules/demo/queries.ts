import type { CastMember } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { SystemFields } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import type { Viewer } from '../../core/viewer.ts'
import { interlocutors } from '../identity/index.ts'
import { DEMO_USERS } from './demo-users.ts'

/** The demo users that exist, with their names in `DEMO_USERS`. */
export function demoUsers(db: Db): Promise<{ name: string; user_id: UserId }[]> {
  return db.selectFrom('cast_members').select(['name', 'user_id']).execute()
}

export async function isDemoUser(db: Db, user_id: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('cast_members')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

/** `demo` of GET system: the users that a visitor can sign in as. */
export async function demoSystemFields(app: App, viewer: Viewer): Promise<Partial<SystemFields>> {
  if (!app.config.demo) return {}
  return { demo: { cast: await castSeenBy(app, viewer.kind === 'none' ? null : viewer.id) } }
}

/** In the order of `DEMO_USERS`, with the fields that this viewer may see. */
async function castSeenBy(app: App, viewerId: UserId | null): Promise<CastMember[]> {
  const rows = await demoUsers(app.db)
  const ids = DEMO_USERS.flatMap(({ name }) => rows.find((row) => row.name === name)?.user_id ?? [])
  const users = await interlocutors(app, app.db, viewerId, ids)
  return users.map(({ id, nick, role, avatar, is_premium }) => ({
    user_id: id,
    nick,
    role,
    avatar,
    is_premium,
  }))
}
