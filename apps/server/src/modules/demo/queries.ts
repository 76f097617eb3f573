import { sql } from 'kysely'
import type { CastMember } from '@duet/protocol'
import { toRole } from '@duet/protocol/kernel/roles.ts'
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

/** The name in `DEMO_USERS` of this user; undefined for all others. */
export async function findCastName(db: Db, user_id: UserId): Promise<string | undefined> {
  const row = await db
    .selectFrom('cast_members')
    .select('name')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.name
}

const RANDOM_ID_PREFIX = 'demo-answer-'

/** The random_id of an answer names the message that it answers, so that no message is answered twice. */
export function getRandomId(message_id: number): string {
  return `${RANDOM_ID_PREFIX}${message_id}`
}

/** How often a woman of the demo has answered by herself in a dialog, ever and within the last day. */
export async function answersIn(
  db: Db,
  { dialog_id, girl_id, now }: { dialog_id: number; girl_id: UserId; now: Temporal.Instant },
): Promise<{ sent: number; today: number }> {
  const { rows } = await sql<{ sent: number; today: number }>`
    select count(*)::integer as sent,
      (count(*) filter (where create_time > ${now.subtract({ hours: 24 })}))::integer as today
    from messages
    where dialog_id = ${dialog_id} and sender_id = ${girl_id} and starts_with(random_id, ${RANDOM_ID_PREFIX})`.execute(
    db,
  )
  return rows[0]!
}

/** `demo` of GET system: the users that a visitor can sign in as. */
export async function demoSystemFields(app: App, viewer: Viewer): Promise<Partial<SystemFields>> {
  if (!app.config.demo) return {}
  return { demo: { cast: await castSeenBy(app, viewer.kind === 'none' ? null : viewer.id) } }
}

/** The landing page of a demo shows demo users at once. Their pictures are those of a visitor. */
export async function fillDemoLanding(app: App) {
  if (!app.config.demo) return undefined
  const cast = await castSeenBy(app, null)
  const values: Record<string, string> = { cast: JSON.stringify(cast) }
  // A place without a picture would be drawn in another way by the page.
  if (cast.length < DEMO_USERS.length || cast.some(({ avatar }) => avatar === null))
    return undefined
  for (const role of ['guy', 'girl'] as const)
    for (const [at, { nick, avatar }] of cast.filter((one) => toRole(one.role) === role).entries())
      Object.assign(values, {
        [`${role} ${at} nick`]: nick,
        [`${role} ${at} avatar`]: avatar ?? '',
      })
  return { name: 'demo', values }
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
