import type { App } from '../../../core/app.ts'
import { happenTo } from '../offers/offer-process.ts'
import { floor, forget, type Search } from '../search-sessions.ts'
import { showDoing, tellState } from '../state.ts'

/** Why a search ends that its owner did not answer away. */
export type End = 'stopped' | 'went_offline' | 'call'

/** Ends a search; when it resolves, nothing comes of it any more, whatever was under way (MA2). */
export async function endSearch(app: App, search: Search, end: End): Promise<void> {
  const { user_id, side } = search
  const { room } = floor(app)
  forget(app, search)
  await room.remove(user_id)
  await search.under_way
  const { pair_id } = search
  if (pair_id !== undefined) {
    await happenTo(
      app,
      pair_id,
      end === 'call' ? { kind: 'taken', side, by: 'call' } : { kind: end, side },
    )
    // It may have become a call meanwhile: that is told first.
    await search.under_way
  }
  if (floor(app).searches.has(user_id)) return
  showDoing(app, user_id, 'free')
  await tellState(app, user_id, end === 'call' ? 'in_call' : undefined)
}
