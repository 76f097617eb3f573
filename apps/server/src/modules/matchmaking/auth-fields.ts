import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { setActivity } from '../presence/index.ts'
import { previewCard, previewState } from './preview.ts'
import { inTurn, searchOf } from './search-sessions.ts'
import { showDoing, stateOf } from './state.ts'
import { openSearchPair } from './views.ts'

/** The state of the viewer's search, for a page that connects. */
export function authFields(app: App, viewer: Guest | Member): Promise<Record<string, unknown>> {
  // In his turn: what this line's coming means for a search (another tab ends it) has happened then.
  return inTurn(app, viewer.id, () => fieldsOf(app, viewer))
}

async function fieldsOf(app: App, viewer: Guest | Member): Promise<Record<string, unknown>> {
  if (viewer.kind === 'guest') {
    const pair = previewCard(app, viewer.id)
    return { search: { ...previewState(app, viewer.id), ...(pair && { pair }) } }
  }
  const search = searchOf(app, viewer.id)
  const { db } = app
  const state = await stateOf(app, db, viewer.id)
  // Who comes back is only here, until this says that the search or the break still stands.
  if (search) showDoing(app, viewer.id, 'searching')
  else if (state.state === 'break') setActivity(app, viewer.id, 'break')
  const pair = search?.pair_id && (await openSearchPair(app, db, search.pair_id, search.side))
  return {
    search: { ...state, ...(pair && { pair }) },
  }
}
