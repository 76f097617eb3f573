import type { App } from '../../core/app.ts'
import { followLines } from './search/lines.ts'
import { sweepPreviews } from './preview.ts'
import { floor, settled } from './search-sessions.ts'
import { bringTogether, seatSoon } from './enqueue.ts'
import { cancelOpenOffers } from './store.ts'

const sweep_ms = 1000

/** Waiting was memory, so open offers end as cancelled and count as not missed; from then on time is looked at each second. */
export async function startMatching(app: App): Promise<() => Promise<void>> {
  const cancelled = await cancelOpenOffers(app)
  if (cancelled > 0) app.log.info({ cancelled }, 'offers of before the restart were let go')
  const stopFollowing = followLines(app)
  const stopSweeping = app.clock.every(sweep_ms, () => {
    sweep(app).catch((error: unknown) =>
      app.log.error({ err: error }, 'a sweep of the waiting room failed'),
    )
  })
  return () => {
    stopFollowing()
    stopSweeping()
    return settled(app)
  }
}

/** What time alone brings: pairs, places that could not be taken, somebody for each visitor. */
async function sweep(app: App): Promise<void> {
  const { room, unseated } = floor(app)
  for (const pair of await room.sweep(app.clock.now().epochMilliseconds))
    void bringTogether(app, pair)
  const again = [...unseated]
  unseated.clear()
  for (const search of again) seatSoon(app, search)
  await sweepPreviews(app)
}
