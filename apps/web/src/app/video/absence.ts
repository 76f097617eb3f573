import type { ClientConnection } from '@duet/client'

const TICK_MS = 5_000
/** A search that was lost in a shorter absence goes on by itself. */
export const SHORT_ABSENCE_MS = 60_000
/** Timers of a hidden page may run once a minute; after a longer gap the device slept. */
const SLEPT_MS = SHORT_ABSENCE_MS + TICK_MS

export interface AbsenceWatch {
  /** For how long the server has not reached this page; the next absence is counted from zero. */
  take(): number
}

/** Measures absences by the connection, and by its own timer: a device that sleeps notices the loss only when it wakes. */
export function watchAbsence(
  connection: Pick<ClientConnection, 'subscribe' | 'getSnapshot'>,
): AbsenceWatch {
  let lastMs = Date.now()
  let wokeMs = 0
  let sinceMs: number | null = null

  function look(): void {
    const nowMs = Date.now()
    const isConnected = connection.getSnapshot().phase === 'ready'
    if (nowMs - lastMs > SLEPT_MS) {
      sinceMs ??= lastMs
      wokeMs = nowMs
    } else if (!isConnected) sinceMs ??= nowMs
    // The connection has outlived the sleep.
    else if (nowMs - wokeMs > SHORT_ABSENCE_MS) sinceMs = null
    lastMs = nowMs
  }

  connection.subscribe(() => {
    if (connection.getSnapshot().phase !== 'ready') look()
  })
  setInterval(look, TICK_MS)
  return {
    take() {
      const nowMs = Date.now()
      const fromMs = sinceMs ?? (nowMs - lastMs > SLEPT_MS ? lastMs : nowMs)
      sinceMs = null
      lastMs = nowMs
      return nowMs - fromMs
    },
  }
}
