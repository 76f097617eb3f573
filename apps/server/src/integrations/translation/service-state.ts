import { setNewest } from '../../lib/bounded-map.ts'

interface ServiceStateOptions {
  readonly nowMs: () => number
  /** Asks the service for a short text; the reason if it fails at that too. Never throws. */
  readonly probe: () => Promise<string | undefined>
  /** Called when the service is left alone for a while. */
  readonly onUnavailable: (reason: string) => void
}

/** Whether a service of which texts of users fail is broken: only a text of our own decides that. */
export interface ServiceState {
  /** Whether a text of this user may be sent now. Waits for a probe that runs. */
  mayAsk(user_id: number): Promise<boolean>
  /** A text failed; where it kept the service busy or broke the connection, its user pays with a pause. */
  reportFailure(user_id: number, isCostly: boolean): void
}

/** After a failed probe nothing is sent for this long, after a costly text nothing of its user. */
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
    async mayAsk(user_id) {
      await running
      return nowMs() >= Math.max(pausedUntilMs, pausedUsers.get(user_id) ?? 0)
    },
    reportFailure(user_id, isCostly) {
      if (isCostly) setNewest(pausedUsers, user_id, nowMs() + PAUSE_MS, USERS_MAX)
      if (nowMs() >= Math.max(pausedUntilMs, probedUntilMs)) running ??= decide()
    },
  }
}
