import type { Answer, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { countOpen, openDates, pastDates } from './queries.ts'
import { dateViews } from './views.ts'

/** The viewer's own dates: the open ones, the next first, then the past ones, the last first. */
export async function listDates(
  app: App,
  viewer: Member,
  request: Query<'GET dates'>,
  context: RequestContext,
): Promise<Answer<'GET dates'>> {
  const party = { user_id: viewer.id, side: viewer.role }
  const { offset, limit } = offsetAndLimit(request)
  const open = await openDates(app.db, party, { offset, limit })
  // The number of open dates is bounded, and only a page beyond them needs it.
  const openCount = open.length > 0 ? offset + open.length : await countOpen(app.db, party)
  const left = limit - open.length
  const past =
    left === 0
      ? []
      : await pastDates(app.db, party, { offset: Math.max(0, offset - openCount), limit: left })
  const page = paginate(request, [...open, ...past])
  const items = await dateViews(app, app.db, viewer.id, page.items, context)
  return { ...page, items, now: wireTime(app.clock.now()) }
}
