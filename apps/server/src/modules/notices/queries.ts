import { sql } from 'kysely'
import type { Answer, Notice, Payload, Query, UserInterlocutor } from '@duet/protocol'
import type { App, AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { inKeys } from '../../platform/database/statements/batched-read.ts'
import { interlocutors } from '../identity/index.ts'
import type { NoticeFacts } from './kinds.ts'

const UNREAD_MAX = 100
const COLUMNS = ['id', 'kind', 'about_id', 'facts', 'at', 'read_at'] as const

interface NoticeRow {
  readonly id: number
  readonly kind: string
  readonly about_id: UserId | null
  readonly facts: unknown
  readonly at: Temporal.Instant
  readonly read_at: Temporal.Instant | null
}

/** Whether the bell of a user has a notice with this key. */
export async function hasNotice(db: Db, user_id: UserId, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('notices')
    .select('id')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/** The bell, the newest first. */
export async function noticesPage(
  app: App,
  viewer: Member,
  request: Query<'GET notices'>,
): Promise<Answer<'GET notices'>> {
  const { offset, limit } = offsetAndLimit(request)
  const rows = await app.db
    .selectFrom('notices')
    .select(COLUMNS)
    .where('user_id', '=', viewer.id)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const page = paginate(request, rows)
  const items = await rendered(app, app.db, viewer.id, page.items)
  return { ...page, items, unread: await unreadCount(app.db, viewer.id) }
}

/** At most `UNREAD_MAX`: above it the bell shows that there are more. */
async function unreadCount(db: Db, user_id: UserId): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::integer as unread from (
      select from notices where user_id = ${user_id} and read_at is null limit ${UNREAD_MAX}) counted`.execute(
    db,
  )
  return rows[0]!.unread
}

/** Notices as their reader sees them now. If a notice is deleted, the stored notice is shown. */
export async function renderNotices(
  db: Db,
  viewerId: UserId,
  stored: readonly Payload<'notice'>[],
  context: AppContext,
): Promise<Payload<'notice'>[]> {
  const rows = await db
    .selectFrom('notices')
    .select(COLUMNS)
    .where('user_id', '=', viewerId)
    .where('id', '=', inKeys(stored.map(({ notice }) => notice.id)))
    .execute()
  const notices = await rendered(context, db, viewerId, rows)
  const byId = new Map(notices.map((notice) => [notice.id, notice]))
  return stored.map((one) => ({ ...one, notice: byId.get(one.notice.id) ?? one.notice }))
}

/** Notices of this user that name no user, or a user who may be shown. */
export async function noticesByIds(
  context: AppContext,
  db: Db,
  user_id: UserId,
  ids: readonly number[],
): Promise<Notice[]> {
  const rows = await db
    .selectFrom('notices')
    .select(COLUMNS)
    .where('user_id', '=', user_id)
    .where('id', 'in', [...ids])
    .orderBy('id', 'desc')
    .execute()
  const notices = await rendered(context, db, user_id, rows)
  return notices.filter(({ user }, index) => user || rows[index]!.about_id === null)
}

export interface DigestNotices {
  readonly user_id: UserId
  /** The oldest first. */
  readonly ids: readonly number[]
}

/** Unread notices for a digest. Only for users without a digest since a time, the longest waiting users first. */
export async function digestsDue(
  db: Db,
  {
    kinds,
    before,
    since,
    limit,
  }: {
    readonly kinds: readonly string[]
    readonly before: Temporal.Instant
    readonly since: Temporal.Instant
    readonly limit: number
  },
): Promise<readonly DigestNotices[]> {
  const { rows } = await sql<DigestNotices>`
    select waiting.user_id, array_agg(waiting.id order by waiting.id)::float8[] as ids
    from notices waiting
    where waiting.read_at is null and waiting.mailed_at is null and waiting.at < ${before}
      and waiting.kind = any(${[...kinds]})
      and not exists (
        select from notices former
        where former.user_id = waiting.user_id and former.kind = any(${[...kinds]}) and former.mailed_at > ${since})
    group by waiting.user_id order by min(waiting.at) limit ${limit}`.execute(db)
  return rows
}

/** The user of a notice is shown as long as the reader may see them. */
async function rendered(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  rows: readonly NoticeRow[],
): Promise<Notice[]> {
  const ids = [...new Set(rows.flatMap(({ about_id }) => about_id ?? []))]
  const users = await interlocutors(context, db, viewerId, ids)
  const hidden = await context.hooks.hiddenUsers(db, { id: viewerId }, ids)
  const shown = new Map(
    users.flatMap((user) => (hidden.has(user.id) ? [] : [[user.id, user] as const])),
  )
  return rows.map((row) => {
    const user = row.about_id === null ? undefined : shown.get(row.about_id)
    return {
      id: row.id,
      kind: row.kind as Notice['kind'],
      create_time: wireTime(row.at),
      read: row.read_at !== null,
      facts: row.facts as NoticeFacts,
      ...(user && { user }),
    }
  })
}

/** `is_wanted` of these users, for this viewer. */
export async function wantedFields(
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  if (viewerId === null || ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('wanted_girls')
    .select('girl_id')
    .where('guy_id', '=', viewerId)
    .where('girl_id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ girl_id }) => [girl_id, { is_wanted: true }]))
}

/** The guys who asked for this girl, by id, from above an id. */
export async function guysWanting(
  db: Db,
  girl_id: UserId,
  above: UserId,
  limit: number,
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('wanted_girls')
    .select('guy_id')
    .where('girl_id', '=', girl_id)
    .where('guy_id', '>', above)
    .orderBy('guy_id')
    .limit(limit)
    .execute()
  return rows.map(({ guy_id }) => guy_id)
}
