import type { App } from '../../../core/app.ts'
import { companionSource, isCompanion } from './companion-source.ts'
import { readSearcher } from '../queries.ts'
import { matchmakingState, runExclusive, type SearchSession } from '../search-sessions.ts'
import { endSearch } from '../stop-search.ts'

/**
 * Ends the search of each companion whose partner in an open offer could meet a real user who waits now. The partner keeps
 * waiting and meets the real user.
 */
export async function releaseCompanions(app: App): Promise<void> {
  if (!companionSource.get(app)) return
  for (const { guy, girl } of [...matchmakingState(app).pairs.values()]) {
    if (!guy || !girl) continue
    const companion = [guy, girl].find((search) => isCompanion(app, search))
    if (companion && (await hasRealPartner(app, companion === guy ? girl : guy)))
      await runExclusive(app, companion.user_id, () => endSearch(app, companion, 'stopped'))
  }
}

async function hasRealPartner(app: App, search: SearchSession): Promise<boolean> {
  const searcher = await readSearcher(app, search)
  if (!searcher) return false
  const nowMs = app.clock.now().epochMilliseconds
  return (await matchmakingState(app).queue.findPartner(searcher, nowMs)) !== undefined
}
