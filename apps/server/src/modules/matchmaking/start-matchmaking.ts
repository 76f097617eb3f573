import { singleRun } from '../../lib/single-run.ts'
import type { App } from '../../core/app.ts'
import { createOffer, enqueueInBackground, offers } from './enqueue.ts'
import { followCallers } from './invitations/end-invitations.ts'
import { invitations } from './invitations/invitation-process.ts'
import { followLeaving } from './invitations/reachable.ts'
import { followConnections } from './on-connection-change.ts'
import { sweepPreviews } from './preview.ts'
import { releaseCompanions } from './offers/release-companions.ts'
import { drain, matchmakingState } from './search-sessions.ts'

const SWEEP_MS = 1000

/** Recovers offers and invitations (those of a dead server process end as cancelled and do not count as missed), then sweeps each second. */
export async function startMatchmaking(app: App): Promise<() => Promise<void>> {
  await offers(app).start()
  await invitations(app).start()
  const stops = [followConnections(app), followCallers(app), followLeaving(app)]
  const sweepOnce = singleRun(() => sweep(app))
  const stopSweeping = app.clock.every(SWEEP_MS, () =>
    app.background('sweeping the match queue', sweepOnce()),
  )
  return async () => {
    for (const stop of stops) stop()
    stopSweeping()
    await drain(app)
    await offers(app).stop()
    await invitations(app).stop()
  }
}

/** Creates the offers that time alone made possible, enqueues searches that are in no queue, and shows previews. */
async function sweep(app: App): Promise<void> {
  const { queue, unqueued } = matchmakingState(app)
  for (const matched of await queue.sweep(app.clock.now().epochMilliseconds))
    app.background('creating an offer', createOffer(app, matched))
  const again = [...unqueued]
  unqueued.clear()
  for (const search of again) enqueueInBackground(app, search)
  await releaseCompanions(app)
  await sweepPreviews(app)
}
