import type { App } from '../../core/app.ts'
import { plusMs } from '../../lib/clock.ts'
import { girlRank } from '../matchmaking/index.ts'
import { setting } from '../settings/index.ts'
import { moveRank } from './store.ts'

const DAY_MS = 86_400_000
const GIRLS_PER_STEP = 500

/** Girls who are not new any more get the rank of girls without a score. */
export async function endTrials(app: App): Promise<void> {
  const before = plusMs(app.clock.now(), -setting(app, 'camscore_trial') * DAY_MS)
  const from = girlRank({ is_top: false, camscore: 'new' })
  const to = girlRank({ is_top: false, camscore: 'none' })
  const step = () => app.transact((tx) => moveRank(tx, { from, to, before, limit: GIRLS_PER_STEP }))
  while ((await step()) === GIRLS_PER_STEP) continue
}
