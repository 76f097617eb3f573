import type { Answer, Query, QuietHours } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { refuse } from '../../../lib/refusal.ts'
import {
  columnsFor,
  interlocutor,
  userById,
  userIdByRefCode,
  type UserRow,
} from '../../identity/index.ts'
import { affordable } from '../../ledger/index.ts'
import { getActivity, isOnline } from '../../presence/index.ts'
import { setting } from '../../settings/index.ts'
import { readGalleries } from '../gallery/queries.ts'
import { type ContactFacts, getCallPermission, getWritePermission } from './contact-rules.ts'
import { girlContact } from './girl-contact.ts'
import { quietWindow } from './quiet-hours.ts'

/**
 * The page of a girl by her code. A girl may be hidden from the viewer: by a block, by her hidden
 * countries, because she is not verified, or because she is leaving. The answer for a hidden girl is the
 * same as for an unknown code: not found.
 */
export async function girlInfo(
  app: App,
  viewer: Viewer,
  { ref_code }: Query<'GET girl_info'>,
  context: RequestContext,
): Promise<Answer<'GET girl_info'>> {
  const id = (await userIdByRefCode(app.db, ref_code)) ?? refuse('not_found')
  const row = await visibleGirl(app, viewer, id, context)
  const viewerId = viewer.kind === 'member' ? viewer.id : null
  const member = viewer.kind === 'member' ? viewer : undefined
  const [person, galleries, facts, { likes, liked, can_write }] = await Promise.all([
    interlocutor(app, app.db, viewerId, id),
    readGalleries(app, app.db, viewer.kind === 'none' ? null : viewer.id, id),
    contactFacts(app, viewer, row),
    girlContact.get(app)(app, member, id),
  ])
  return {
    girl: {
      ...person,
      ...columnsFor('page', row),
      // A blocked member who logs out must not follow her.
      ...(!member && { last_visit: null }),
      ...galleries,
      likes,
      liked,
    },
    can_call: getCallPermission(facts),
    can_write: getWritePermission(facts, can_write),
  }
}

/** The row of a girl who is visible to this viewer. A girl sees her own page in any state. Refuses not_found. */
export async function visibleGirl(
  app: App,
  viewer: Viewer,
  id: UserId,
  { country }: Pick<RequestContext, 'country'>,
): Promise<UserRow> {
  const row = await userById(app.db, id)
  if (row?.role !== 'girl' || row.erased_at) refuse('not_found')
  if (viewer.kind === 'member' && viewer.id === id) return row
  if (row.verified_at === null) refuse('not_found')
  const viewerId = viewer.kind === 'member' ? viewer.id : null
  const hidden = await app.hooks.hiddenUsers(app.db, { id: viewerId, country }, [id])
  return hidden.has(id) ? refuse('not_found') : row
}

async function contactFacts(app: App, viewer: Viewer, girl: UserRow): Promise<ContactFacts> {
  const isGuy = viewer.kind === 'member' && viewer.role === 'guy'
  const minute = fromDecimal('diamond', setting(app, 'price_private'))
  const now = app.clock.now()
  const quiet = quietWindow(girl.quiet_hours as QuietHours | null, now)
  const isQuiet = quiet !== undefined && quiet.from_ms <= now.epochMilliseconds
  return {
    viewer: viewer.kind === 'member' ? viewer.role : 'visitor',
    is_premium: viewer.kind === 'member' && viewer.premium,
    premium_calls_only: girl.premium_calls_only,
    takes_calls: isOnline(app, girl.id) && girl.available && !isQuiet,
    is_in_private_call: getActivity(app, girl.id) === 'private',
    can_pay: isGuy && (await affordable(app.db, viewer.id, 'diamond')) >= minute,
  }
}
