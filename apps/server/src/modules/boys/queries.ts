import { type Answer, limits, type Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { permission } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { isPremium, peoplePage, usersByIds } from '../identity/index.ts'
import { readWritePermissions } from '../messenger/index.ts'
import { callPermissions } from '../presence/index.ts'
import { onlineGuys } from './online-guys.ts'
import { chooseSections, readSections, type Section } from './rules.ts'

export const TALKED_DAYS = 30
/** Few girls talk with more guys in the days. The earlier guys are in the girl's history. */
const TALKS_READ_MAX = 1000

/** Guys who are online, or who talked with her lately. A guy who is hidden from her, or she from him, is left out. */
export async function boysPage(
  app: App,
  viewer: Member,
  request: Query<'GET boys'>,
): Promise<Answer<'GET boys'>> {
  const { premium, others } = onlineGuys(app)
  const talks = await readTalks(app.db, viewer.id, app.clock.now())
  const withPresence = talks.map(({ user_id, ...talk }) => {
    return { user_id, ...talk, is_online: premium.has(user_id) || others.has(user_id) }
  })
  const sections = chooseSections({ premium, others, talks: withPresence }, request.filter)
  const ids = await readVisible(app, viewer.id, sections, request)
  const [calls, writing] = await Promise.all([
    callPermissions.get(app)(app, app.db, viewer, ids),
    readWritePermissions(app, viewer, ids),
  ])
  const lastTalks = new Map(talks.map(({ user_id, last_talk }) => [user_id, last_talk]))
  return peoplePage(app, viewer.id, request, {
    rows: ids.map((user_id) => ({ user_id })),
    render({ user_id }, user) {
      if (!user) return undefined
      const last_talk = lastTalks.get(user_id)
      return {
        ...user,
        ...(last_talk && { last_talk: wireTime(last_talk) }),
        can_write: writing.get(user_id) ?? permission('not_found'),
        can_invite: calls.get(user_id) ?? permission('not_found'),
      }
    },
  })
}

/** Guys who are read at once beyond the page, because some are hidden. */
const SPARE_GUYS = 8
/** A page reads at most this number of parts, also where nearly every guy is hidden. It then ends early. */
const PARTS_MAX = 10
const GUYS_PER_PART = 500

/**
 * The guys of a page, and one more if there is a next page. Hidden guys are left out before they are counted: a gap would
 * show that one of them is online.
 */
async function readVisible(
  app: App,
  girl_id: UserId,
  sections: readonly Section[],
  { page, 'per-page': size }: Query<'GET boys'>,
): Promise<UserId[]> {
  const end = Math.min(page * size + 1, limits.numbered_rows)
  const visible = new Set<UserId>()
  let offset = 0
  for (let part = 0; part < PARTS_MAX && visible.size < end; part += 1) {
    const limit = part === 0 ? end + SPARE_GUYS : GUYS_PER_PART
    const ids = readSections(sections, { offset, limit })
    const [hidden, unseeing] = await Promise.all([
      app.hooks.hiddenUsers(app.db, { id: girl_id }, ids),
      readUnseeing(app, girl_id, ids),
    ])
    for (const id of ids) if (!hidden.has(id) && !unseeing.has(id)) visible.add(id)
    if (ids.length < limit) break
    offset += limit
  }
  return [...visible].slice((page - 1) * size, end)
}

interface LastTalk {
  readonly user_id: UserId
  readonly last_talk: Temporal.Instant
  readonly is_premium: boolean
}

/** The guys of her last talks, the latest first, from one index. */
async function readTalks(db: Db, girl_id: UserId, now: Temporal.Instant): Promise<LastTalk[]> {
  const rows = await db
    .selectFrom('talks')
    .select(['guy_id as user_id', 'last_at as last_talk', 'premium_until'])
    .where('girl_id', '=', girl_id)
    .where('last_at', '>', now.subtract({ hours: 24 * TALKED_DAYS }))
    .orderBy('last_at', 'desc')
    .limit(TALKS_READ_MAX)
    .execute()
  return rows.map(({ premium_until, ...talk }) =>
    Object.assign(talk, { is_premium: isPremium({ premium_until }, now) }),
  )
}

/** Those of these guys who may not see the girl: she hides from their country. */
async function readUnseeing(
  app: App,
  girl_id: UserId,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { users, countries } = (await app.hooks.hiddenFrom(app.db, [girl_id])).get(girl_id) ?? {}
  const hidden = new Set(ids.filter((id) => users?.has(id)))
  if (!countries?.size || ids.length === 0) return hidden
  for (const { id, country } of await usersByIds(app.db, ids))
    if (country === null || countries.has(country)) hidden.add(id)
  return hidden
}
