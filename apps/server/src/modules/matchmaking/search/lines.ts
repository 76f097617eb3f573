import { plusMs } from '../../../lib/clock.ts'
import type { App } from '../../../core/app.ts'
import type { ConnectionChange } from '../../../platform/realtime/realtime.ts'
import { setting } from '../../settings/index.ts'
import { endSearch } from './end-search.ts'
import { endPreview, previewOf, type Preview } from '../preview.ts'
import { floor, searchOf, soonInTurn, type Search } from '../search-sessions.ts'
import { seatSoon } from '../enqueue.ts'

/** A search lives as long as the tab that wished for it, and a little longer without its socket. */
export function followLines(app: App): () => void {
  return app.realtime.local.onConnectionChange((change) => {
    const { user_id, socket: what } = change
    if (
      what !== 'main' ||
      !(searchOf(app, user_id) ?? previewOf(app, user_id) ?? change.state === 'down')
    )
      return
    soonInTurn(app, user_id, 'hearing a line', async () => {
      const preview = previewOf(app, user_id)
      if (preview) heardPreview(app, preview, change)
      const search = searchOf(app, user_id)
      if (search) await heard(app, search, change)
    })
  })
}

/** What counts is the line as it is when its turn comes: between the news and now it may have come back. */
async function heard(app: App, search: Search, change: ConnectionChange): Promise<void> {
  if (isOver(app, search, change)) return endSearch(app, search, 'stopped')
  if (app.realtime.local.isConnected(search.user_id)) return comeBack(app, search)
  if (search.away) return
  search.away = graceOf(app, search, () => endSearch(app, search, 'went_offline'))
  await floor(app).room.remove(search.user_id)
}

function heardPreview(app: App, preview: Preview, change: ConnectionChange): void {
  if (isOver(app, preview, change)) return endPreview(app, preview, 'cancelled')
  if (app.realtime.local.isConnected(preview.user_id)) {
    preview.away?.()
    preview.away = undefined
  } else preview.away ??= graceOf(app, preview, async () => endPreview(app, preview, 'cancelled'))
}

/** Another tab or identity: the search was the former one's. */
function isOver(app: App, of: Search | Preview, change: ConnectionChange): boolean {
  if (change.state === 'down' && change.tab_id === of.tab_id && change.reason !== 'closed')
    return true
  const line = app.realtime.local.activeConnection(of.user_id)
  return line !== undefined && line.tab_id !== of.tab_id
}

function comeBack(app: App, search: Search): void {
  if (!search.away) return
  search.away()
  search.away = undefined
  if (search.pair_id === undefined) seatSoon(app, search)
}

function graceOf(app: App, of: Search | Preview, end: () => Promise<void>): () => void {
  return app.clock.at(plusMs(app.clock.now(), setting(app, 'search_grace') * 1000), () =>
    soonInTurn(app, of.user_id, 'ending a search', async () => {
      if (of.away && !of.over) await end()
    }),
  )
}
