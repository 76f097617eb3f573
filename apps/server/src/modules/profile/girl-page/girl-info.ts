import type { Answer, Permission, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { permission, refuse } from '../../../lib/refusal.ts'
import {
  columnsFor,
  interlocutor,
  userById,
  userIdByRefCode,
  type UserRow,
} from '../../identity/index.ts'
import { callPermissions } from '../../presence/index.ts'
import { readGalleries } from '../gallery/queries.ts'
import { girlContact } from './girl-contact.ts'

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
  const [person, galleries, can_call, { likes, liked, can_write }] = await Promise.all([
    interlocutor(app, app.db, viewerId, id),
    readGalleries(app, app.db, viewer.kind === 'none' ? null : viewer.id, id),
    readCallPermission(app, viewer, row),
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
    can_call,
    can_write: strangerPermission(viewer) ?? can_write ?? permission('unknown_call'),
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

async function readCallPermission(app: App, viewer: Viewer, { id }: UserRow): Promise<Permission> {
  const refused = strangerPermission(viewer)
  if (refused || viewer.kind !== 'member') return refused ?? permission('registered_only')
  const permissions = await callPermissions.get(app)(app, app.db, viewer, [id])
  return permissions.get(id) ?? permission('unknown_call')
}

/** Visitors and other girls have no contact with a girl. */
function strangerPermission(viewer: Viewer): Permission | undefined {
  if (viewer.kind !== 'member') return permission('registered_only')
  return viewer.role === 'girl' ? permission('role_forbidden') : undefined
}
