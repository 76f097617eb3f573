import type { App } from '../../../core/app.ts'
import { enqueueInBackground, offers } from '../enqueue.ts'
import { isAvailable, matchmakingState, type SearchSession } from '../search-sessions.ts'

/**
 * Runs `work` while no offer is created from this search. A search that goes on afterwards waits again, with the same
 * start of its wait. Runs inside `runExclusive` of the user.
 */
export async function holdSearch<T>(
  app: App,
  search: SearchSession,
  work: () => Promise<T>,
): Promise<T> {
  search.is_held = true
  try {
    await matchmakingState(app).queue.remove(search.user_id)
    // An offer that is being created is there, or is not created, when this event has had its turn.
    if (search.pair) await offers(app).dispatch(search.pair.pair_id, { type: 'time_came' })
    return await work()
  } finally {
    search.is_held = false
    if (isAvailable(search)) enqueueInBackground(app, search)
  }
}
