import { plusMs } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { ConnectionChange } from '../../core/realtime.ts'
import { setting } from '../settings/index.ts'
import { enqueueInBackground, offers } from './enqueue.ts'
import { pairPreparation } from './pair-preparation.ts'
import { endPreview, findPreview, type Preview } from './preview.ts'
import {
  matchmakingState,
  runInBackground,
  findSearchSession,
  type SearchSession,
} from './search-sessions.ts'
import { endSearch } from './stop-search.ts'

/** A search lasts as long as the tab that began it is connected, and a grace time longer. */
export function followConnections(app: App): () => void {
  return app.realtime.local.onConnectionChange((change) => {
    const { user_id, socket } = change
    if (socket === 'signal' && change.state === 'up') prepareAgain(app, user_id)
    if (
      socket !== 'main' ||
      !(findSearchSession(app, user_id) ?? findPreview(app, user_id) ?? change.state === 'down')
    )
      return
    runInBackground(app, user_id, 'following a connection', async () => {
      const preview = findPreview(app, user_id)
      if (preview) updatePreview(app, preview, change)
      const search = findSearchSession(app, user_id)
      if (search) await updateSearch(app, search, change)
    })
  })
}

/** A page that opens its signaling socket during an offer has no prepared connection yet, or has lost it. */
function prepareAgain(app: App, user_id: UserId): void {
  const pair = findSearchSession(app, user_id)?.pair
  const offer = pair && offers(app).get(pair.pair_id)?.offer
  if (offer?.state !== 'open') return
  pairPreparation.get(app).cancel(app, offer)
  pairPreparation.get(app).prepare(app, offer)
}

/** Uses the connection of this moment: between the change and now the user may have reconnected. */
async function updateSearch(
  app: App,
  search: SearchSession,
  change: ConnectionChange,
): Promise<void> {
  if (isReplaced(app, search, change)) return endSearch(app, search, 'stopped')
  if (app.realtime.local.isConnected(search.user_id)) return reconnect(app, search)
  if (search.cancelGrace) return
  search.cancelGrace = startGrace(app, search, () => endSearch(app, search, 'went_offline'))
  await matchmakingState(app).queue.remove(search.user_id)
}

function updatePreview(app: App, preview: Preview, change: ConnectionChange): void {
  if (isReplaced(app, preview, change)) return endPreview(app, preview, 'cancelled')
  if (app.realtime.local.isConnected(preview.user_id)) {
    preview.cancelGrace?.()
    preview.cancelGrace = undefined
  } else {
    preview.cancelGrace ??= startGrace(app, preview, async () =>
      endPreview(app, preview, 'cancelled'),
    )
  }
}

/** Another tab or identity has the connection: the search belonged to the former connection. */
function isReplaced(app: App, of: SearchSession | Preview, change: ConnectionChange): boolean {
  if (change.state === 'down' && change.tab_id === of.tab_id && change.reason !== 'closed')
    return true
  const active = app.realtime.local.activeConnection(of.user_id)
  return active !== undefined && active.tab_id !== of.tab_id
}

function reconnect(app: App, search: SearchSession): void {
  if (!search.cancelGrace) return
  search.cancelGrace()
  search.cancelGrace = undefined
  if (search.pair === undefined) enqueueInBackground(app, search)
}

function startGrace(app: App, of: SearchSession | Preview, end: () => Promise<void>): () => void {
  return app.clock.at(plusMs(app.clock.now(), setting(app, 'search_grace') * 1000), () =>
    runInBackground(app, of.user_id, 'ending a search without its page', async () => {
      if (of.cancelGrace && !of.is_over) await end()
    }),
  )
}
