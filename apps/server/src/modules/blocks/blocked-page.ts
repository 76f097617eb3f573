import type { Answer, Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { paginate, offsetAndLimit } from '../../lib/pagination.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { interlocutors } from '../identity/index.ts'

/** One's own block list: only what is needed to take somebody off it. */
export async function blockedPage(
  app: App,
  viewer: Member,
  asked: Query<'GET blocked'>,
): Promise<Answer<'GET blocked'>> {
  const { offset, limit } = offsetAndLimit(asked)
  const rows = await app.db
    .selectFrom('blocks')
    .select(['blocked_id', 'at'])
    .where('owner_id', '=', viewer.id)
    .orderBy('at', 'desc')
    .orderBy('blocked_id')
    .offset(offset)
    .limit(limit)
    .execute()
  const people = await interlocutors(
    app,
    app.db,
    viewer.id,
    rows.map((row) => row.blocked_id),
  )
  const faces = new Map(people.map((person) => [person.id, person]))
  const shown = rows.map(({ blocked_id, at }) => {
    const face = faces.get(blocked_id)
    return {
      id: blocked_id,
      nick: face?.nick ?? '',
      avatar: face?.avatar ?? null,
      create_time: wireTime(at),
    }
  })
  return paginate(asked, shown)
}
