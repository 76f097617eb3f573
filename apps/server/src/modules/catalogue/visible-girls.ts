import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { quietWindow } from '../profile/index.ts'
import type { ListedGirl } from './queries.ts'

type Place = Pick<RequestContext, 'country'>

/**
 * The girls among these that this viewer sees in a list now (CT1). The same rules decide who may meet: without those who
 * hide from the viewer, take calls of premium guys only, or have quiet hours.
 */
export async function visibleAmong<Girl extends ListedGirl>(
  app: App,
  viewer: Viewer,
  place: Place,
  girls: readonly Girl[],
): Promise<Girl[]> {
  const open = girls.filter(
    (girl) =>
      girl.is_listed &&
      (!girl.premium_calls_only || isPremiumViewer(viewer)) &&
      !isQuiet(app, girl),
  )
  const hidden = await hiddenAmong(
    app,
    viewer,
    place,
    open.map(({ girl_id }) => girl_id),
  )
  return open.filter(({ girl_id }) => !hidden.has(girl_id))
}

export function isPremiumViewer(viewer: Viewer): boolean {
  return viewer.kind === 'member' && viewer.premium
}

/**
 * Of a member, the country of the request and that of the last AUTH count. An answer without a token may be shared by
 * readers of every country, so a girl who hides from any country is not in it.
 */
async function hiddenAmong(
  app: App,
  viewer: Viewer,
  { country }: Place,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (viewer.kind === 'none') return app.hooks.hiddenUsers(app.db, { id: null, country: null }, ids)
  if (viewer.kind === 'guest') return app.hooks.hiddenUsers(app.db, { id: null, country }, ids)
  const [bySocket, byRequest] = await Promise.all([
    app.hooks.hiddenUsers(app.db, { id: viewer.id }, ids),
    app.hooks.hiddenUsers(app.db, { id: viewer.id, country }, ids),
  ])
  return new Set([...bySocket, ...byRequest])
}

function isQuiet({ clock }: AppContext, { quiet_hours }: ListedGirl): boolean {
  const now = clock.now()
  const quiet = quietWindow(quiet_hours, now)
  return quiet !== undefined && quiet.from_ms <= now.epochMilliseconds
}
