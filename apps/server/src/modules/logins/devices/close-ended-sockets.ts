import type { App } from '../../../core/app.ts'
import { forgetUser } from '../../identity/index.ts'
import { loginsEndedSince } from './queries.ts'

/** A token of an ended login is dead at once; its open sockets close within this. */
const WATCH_MS = 1000
/** Longer than a transaction may take, and than the clocks of two machines may differ. */
const OVERLAP_SECONDS = 60

/**
 * Closes the sockets of logins that ended without the effects of this process: another process ended them,
 * or the answer to our own commit was lost. Returns how to stop.
 */
export function closeEndedSockets(app: App): () => void {
  let isRunning = false
  const close = async () => {
    isRunning = true
    try {
      await closeEnded(app)
    } finally {
      isRunning = false
    }
  }
  return app.clock.every(WATCH_MS, () => {
    if (!isRunning) app.background('closing the sockets of ended logins', close())
  })
}

async function closeEnded(app: App): Promise<void> {
  const since = app.clock.now().subtract({ seconds: OVERLAP_SECONDS })
  for (const { id, user_id } of await loginsEndedSince(app.db, since)) {
    if (app.realtime.local.activeConnection(user_id)?.login_id !== id) continue
    forgetUser(app, user_id)
    await app.realtime.endLogin({ user_id, login_id: id })
  }
}
