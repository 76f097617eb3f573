import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { userById } from '../../identity/index.ts'
import { isInCall, whenFree } from '../in-call.ts'
import { lacking, lastLocales, mayBeMet } from '../queries.ts'
import { restOf } from '../availability.ts'
import { searchOf, soonInTurn } from '../search-sessions.ts'
import { beginSearch } from '../start-search.ts'
import { tellState } from '../state.ts'
import type { Side } from '../queue/pairing-rules.ts'

/**
 * Back into search at once, with the languages of last time and a wait that begins anew. Called when the end of the call
 * is committed; who has no live page, rests or cannot pay is not put back.
 */
export function putBack(app: App, user_id: UserId): void {
  whenFree(app, user_id, () =>
    soonInTurn(app, user_id, 'putting somebody back into search', () => tryAgain(app, user_id)),
  )
}

async function tryAgain(app: App, user_id: UserId): Promise<void> {
  const line = app.realtime.local.activeConnection(user_id)
  if (!line?.main || searchOf(app, user_id) || isInCall(app, user_id)) return
  const row = await userById(app.db, user_id)
  if (!row?.role || row.erased_at) return
  const side: Side = row.role === 'girl' ? 'girl' : 'guy'
  if (side === 'guy') {
    if ((await lacking(app, app.db, user_id)) > 0n) return tellState(app, user_id, 'no_balance')
  } else if (!(await mayBeMet(app.db, row)) || (await restOf(app.db, user_id))?.on_break) {
    return tellState(app, user_id)
  }
  const locales = await lastLocales(app.db, user_id, side)
  const { state } = await beginSearch(app, { user_id, side, tab_id: line.tab_id, locales })
  if (state === 'paused') await tellState(app, user_id)
}
