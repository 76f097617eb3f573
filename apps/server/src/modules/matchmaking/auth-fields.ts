import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { setActivity } from '../presence/index.ts'
import { awaitEndOfPause, getAvailability, getSearchState, showActivity } from './availability.ts'
import { previewCard, previewState } from './preview.ts'
import { runExclusive, findSearchSession } from './search-sessions.ts'
import { openSearchPair } from './views.ts'

/** The state of the viewer's search, for a page that connects. */
export function authFields(app: App, viewer: Guest | Member): Promise<Record<string, unknown>> {
  // In the order of the user's commands: what this connection means for a search (another tab ends it) comes first.
  return runExclusive(app, viewer.id, () => readFields(app, viewer))
}

async function readFields(app: App, viewer: Guest | Member): Promise<Record<string, unknown>> {
  if (viewer.kind === 'guest') {
    const pair = previewCard(app, viewer.id)
    return { search: { ...previewState(app, viewer.id), ...(pair && { pair }) } }
  }
  const search = findSearchSession(app, viewer.id)
  const state = await getSearchState(app, viewer.id)
  // A user who reconnects is only online until the search or the break is reported again.
  if (search) showActivity(app, viewer.id, 'searching')
  else if (state.state === 'break') setActivity(app, viewer.id, 'break')
  else if (state.until !== undefined) await followPause(app, viewer.id)
  const pair = search?.pair && (await openSearchPair(app, app.db, search.pair.pair_id, search.side))
  return { search: { ...state, ...(pair && { pair }) } }
}

/** After a restart of the server no timer of the pause is left. */
async function followPause(app: App, girl_id: UserId): Promise<void> {
  const row = await getAvailability(app.db, girl_id)
  if (row?.paused_until) awaitEndOfPause(app, girl_id, row.paused_until)
}
