import { type Answer, limits, type Query, type UserInterlocutor } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { interlocutors } from '../identity/index.ts'
import { callPermissions } from '../presence/index.ts'
import { type GirlList, openCursor, type Position, sealCursor, toGirlList } from './girl-list.ts'
import { type GirlRow, readGirls, toPosition } from './queries.ts'
import { readSharedPage } from './shared-page.ts'
import { isPremiumViewer, visibleAmong } from './visible-girls.ts'

type Place = Pick<RequestContext, 'country'>
export type GirlsPage = Answer<'GET girls'>
type Girl = GirlsPage['items'][number]

/** Rows beyond the page that are read at once, because some girls are hidden from the viewer. */
const SPARE_ROWS = 8
/** A page reads at most this number of parts, also where nearly every girl is hidden. It then ends early. */
const PARTS_MAX = 10

/** A page of the catalogue. Without Premium it is the first page of a list, with no more than twenty girls. */
export async function girlsPage(
  app: App,
  viewer: Viewer,
  request: Query<'GET girls'>,
  context: RequestContext,
): Promise<GirlsPage> {
  const { page, after } = request
  const perPage = request['per-page']
  const isPremium = isPremiumViewer(viewer)
  if (!isPremium && (page > 1 || after !== undefined || perPage > limits.page_items))
    refuse('premium_only')
  if (after === undefined && page * perPage > limits.numbered_rows)
    refuse('invalid', { fields: [{ path: 'page', message: 'Read pages so far away by `after`' }] })
  const list = toGirlList(request)
  if (request.force_cache === true && isShared(request, list))
    return readSharedPage(app, viewer, context, list, () =>
      readPage(app, NO_ONE, context, list, request),
    )
  return readPage(app, viewer, context, list, request)
}

/** A list has one copy, in the usual size. */
function isShared({ page, after, 'per-page': size }: Query<'GET girls'>, list: GirlList): boolean {
  return page === 1 && after === undefined && size === limits.page_items && list.order !== 'name'
}

/** The reader of a shared copy. */
const NO_ONE: Viewer = { kind: 'none' }

async function readPage(
  app: App,
  viewer: Viewer,
  place: Place,
  list: GirlList,
  request: Query<'GET girls'>,
): Promise<GirlsPage> {
  const { page } = request
  const per_page = request['per-page']
  const start = request.after === undefined ? undefined : openCursor(app, list, request.after)
  // A cursor says where the page begins. A number says how many girls come before.
  const skipped = start ? 0 : (page - 1) * per_page
  const { girls, end } = await collect(app, viewer, place, list, start, skipped + per_page)
  const shown = girls.slice(skipped, skipped + per_page)
  const last = girls.length > skipped + per_page ? toPosition(list, shown.at(-1)!) : end
  return {
    items: await toItems(app, viewer, list, shown),
    page,
    per_page,
    total: null,
    next: last !== undefined,
    ...(last && isPremiumViewer(viewer) && { after: sealCursor(app, list, last) }),
  }
}

/** Reads until one girl more than wanted is found. `end`: where the reading stopped before the end of the list. */
async function collect(
  app: App,
  viewer: Viewer,
  place: Place,
  list: GirlList,
  start: Position | undefined,
  wanted: number,
): Promise<{ girls: GirlRow[]; end?: Position }> {
  const girls: GirlRow[] = []
  let after = start
  for (let part = 0; part < PARTS_MAX && girls.length <= wanted; part += 1) {
    const limit = wanted + SPARE_ROWS - girls.length
    const rows = await readGirls(app.db, list, after, limit)
    girls.push(...(await visibleAmong(app, viewer, place, rows)))
    if (rows.length < limit) return { girls }
    after = toPosition(list, rows.at(-1)!)
  }
  return { girls, ...(after && { end: after }) }
}

async function toItems(
  app: App,
  viewer: Viewer,
  list: GirlList,
  rows: readonly GirlRow[],
): Promise<Girl[]> {
  const items = await toGirls(
    app,
    viewer,
    rows.map(({ girl_id }) => girl_id),
  )
  // She left a moment ago, or is shown as offline to this viewer.
  return list.is_online === true ? items.filter(({ status }) => status !== 'offline') : items
}

/** These girls as the viewer sees them, each with whether the viewer may call her now. */
export async function toGirls(app: App, viewer: Viewer, ids: readonly UserId[]): Promise<Girl[]> {
  const viewerId = viewer.kind === 'member' ? viewer.id : null
  const [girls, permissions] = await Promise.all([
    interlocutors(app, app.db, viewerId, ids),
    viewer.kind === 'member' && viewer.role === 'guy'
      ? callPermissions.get(app)(app, app.db, viewer, ids)
      : undefined,
  ])
  return girls.map((girl: UserInterlocutor) => {
    const can_call = permissions?.get(girl.id)
    return { ...girl, ...(can_call && { can_call }) }
  })
}
