import { setNewest } from '../../lib/bounded-map.ts'
import type { TranslationPause } from './translation.ts'

interface ServiceStateOptions {
  readonly nowMs: () => number
  /** Asks the service for a short text; the reason if it fails at that too. Never throws. */
  readonly probe: () => Promise<string | undefined>
  /** Called when the service is left alone for a while. */
  readonly onUnavailable: (reason: string) => void
}

/** Decides whether a service is broken after texts of users failed: only the probe, a text of our own, says so. */
export interface ServiceState {
  /** Why no text of this user is sent now; undefined: it may be sent. Waits for a probe that runs. */
  pauseFor(user_id: number): Promise<TranslationPause | 'unavailable' | undefined>
  /** A text of this user failed. `pausesUser`: it kept the service busy or broke the connection, so the user has to wait. */
  reportFailure(failure: { readonly user_id: number; readonly pausesUser: boolean }): void
}

/** After a failed probe nothing is sent for this long; after a text that pauses its user, nothing of that user. */
const PAUSE_MS = 30_000
/** An answered probe is good for this long, so that failing texts do not double the requests. */
const PROBED_MS = 5_000
const USERS_MAX = 10_000

export function createServiceState({
  nowMs,
  probe,
  onUnavailable,
}: ServiceStateOptions): ServiceState {
  const pausedUsers = new Map<number, number>()
  let pausedUntilMs = 0
  let probedUntilMs = 0
  let running: Promise<void> | undefined

  async function decide(): Promise<void> {
    const reason = await probe()
    running = undefined
    probedUntilMs = nowMs() + PROBED_MS
    if (reason === undefined) return
    pausedUntilMs = nowMs() + PAUSE_MS
    onUnavailable(reason)
  }

  return {
    async pauseFor(user_id) {
      await running
      const now = nowMs()
      if (now < pausedUntilMs) return 'unavailable'
      const leftMs = (pausedUsers.get(user_id) ?? 0) - now
      return leftMs > 0 ? { retry_after: Math.ceil(leftMs / 1000) } : undefined
    },
    reportFailure({ user_id, pausesUser }) {
      if (pausesUser) setNewest(pausedUsers, user_id, nowMs() + PAUSE_MS, USERS_MAX)
      if (nowMs() >= Math.max(pausedUntilMs, probedUntilMs)) running ??= decide()
    },
  }
}
