import type { Ack, Input, SearchState } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { hasAvatar } from '../profile/index.ts'
import { isInCall } from './in-call.ts'
import { refuseUnpaid } from './money.ts'
import { startPreview } from './preview.ts'
import { wakeUp } from './availability.ts'
import { seat } from './enqueue.ts'
import { endSearch } from './search/end-search.ts'
import { floor, inTurn, searchOf, tabOf, type Search } from './search-sessions.ts'
import { pausedBy, showDoing, stateOf, tellState } from './state.ts'

/** Enters the search, or stays in it: once there, asking again changes nothing. */
export function startSearch(
  app: App,
  viewer: Guest | Member,
  { locales = [] }: Input<'MATCH_AWAIT'>,
  context: RequestContext,
): Promise<Ack<'MATCH_AWAIT'>> {
  return inTurn(app, viewer.id, async () => {
    if (!viewer.age_confirmed) refuse('age_unconfirmed')
    if (viewer.kind === 'guest') return startPreview(app, viewer, locales, context)
    await refuseUnfit(app, viewer)
    if (isInCall(app, viewer.id)) {
      if (viewer.role === 'girl')
        await app.transact((tx) => tx.publish('break_requested', { user_id: viewer.id, on: false }))
      refuse('in_call', { who: 'you' })
    }
    const tab_id = tabOf(app, viewer, context)
    // The page has gone while its wish waited: nobody is there to meet.
    if (tab_id === undefined || searchOf(app, viewer.id)) return stateOf(app, app.db, viewer.id)
    return beginSearch(app, {
      user_id: viewer.id,
      side: viewer.role === 'girl' ? 'girl' : 'guy',
      tab_id,
      locales,
    })
  })
}

async function refuseUnfit(app: App, viewer: Member): Promise<void> {
  if (viewer.role === 'guy') return refuseUnpaid(app, app.db, viewer.id)
  if (!viewer.verified) refuse('verification_required')
  if (!(await hasAvatar(app.db, viewer.id))) refuse('avatar_required')
}

/** In the user's turn, when no search of his goes on. Answers where it stands: waiting, offered, or paused. */
export async function beginSearch(
  app: App,
  of: Pick<Search, 'user_id' | 'side' | 'tab_id' | 'locales'>,
): Promise<SearchState> {
  const paused_until = of.side === 'girl' ? await wakeUp(app, of.user_id) : undefined
  if (paused_until) return pausedBy(paused_until)
  const search: Search = {
    ...of,
    locales: [...new Set(of.locales)],
    waiting_since: app.clock.now(),
    pair_id: undefined,
    away: undefined,
    over: false,
    under_way: Promise.resolve(),
  }
  floor(app).searches.set(of.user_id, search)
  showDoing(app, of.user_id, 'searching')
  await tellState(app, of.user_id)
  try {
    await seat(app, search)
  } catch (error) {
    await endSearch(app, search, 'stopped')
    throw error
  }
  return stateOf(app, app.db, of.user_id)
}
