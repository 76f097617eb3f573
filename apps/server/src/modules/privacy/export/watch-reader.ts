import { type Clock, msBetween } from '../../../lib/clock.ts'

/** A reader who takes less than one part in this time loses the place to others. */
const IDLE_MS = 30_000
/** The least speed of a reader, after this time of waiting for the reader. */
const LEAST_BYTES_A_SECOND = 16 * 1024
const SLOW_START_MS = 60_000

/** Measures a reader only while a part is offered: otherwise the reader waits for this server. */
export function watchReader(clock: Pick<Clock, 'now'>) {
  let offered: Temporal.Instant | undefined
  let waitedMs = 0
  let taken = 0
  const waitMs = () => (offered === undefined ? 0 : msBetween(offered, clock.now()))
  return {
    onOffer(bytes: number, isOffered: boolean): void {
      if (!isOffered) {
        waitedMs += waitMs()
        taken += bytes
      }
      offered = isOffered ? clock.now() : undefined
    },
    isTooSlow(): boolean {
      const ms = waitedMs + waitMs()
      return (
        waitMs() > IDLE_MS || (ms > SLOW_START_MS && taken < (ms / 1000) * LEAST_BYTES_A_SECOND)
      )
    },
  }
}
