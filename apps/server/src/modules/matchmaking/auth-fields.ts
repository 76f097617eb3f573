import type { SearchPair } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { setActivity } from '../presence/index.ts'
import { awaitEndOfPause, getAvailability, getSearchState, showActivity } from './availability.ts'
import { previewCard, previewState } from './preview.ts'
import { runExclusive, findSearchSession, type SearchSession } from './search-sessions.ts'
import { findInvitation, toCard } from './invitations/invitation-process.ts'
import { openSearchPair, readSearchPair } from './views.ts'

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
  const pair = await readOpenPair(app, viewer, search)
  return { search: { ...state, ...(pair && { pair }) } }
}

/** A ring comes before an offer: it lasts longer, and someone waits for this very user. */
async function readOpenPair(
  app: App,
  { id, role }: Member,
  search: SearchSession | undefined,
): Promise<SearchPair | undefined> {
  const invitation = findInvitation(app, id)
  if (invitation) return readSearchPair(app, app.db, toCard(invitation), role)
  return search?.pair && openSearchPair(app, app.db, search.pair.pair_id, search.side)
}

/** After a restart of the server no timer of the pause is left. */
async function followPause(app: App, girl_id: UserId): Promise<void> {
  const row = await getAvailability(app.db, girl_id)
  if (row?.paused_until) awaitEndOfPause(app, girl_id, row.paused_until)
}
