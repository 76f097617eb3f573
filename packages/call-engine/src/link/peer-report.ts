import { NO_READING } from './link-reading.ts'
import type { LinkReading } from './link-reading.ts'
import type { EngineClock } from '../ports.ts'

export interface PeerReportParts {
  clock: EngineClock
  read(before: LinkReading): Promise<LinkReading>
  /** Every second: two readings to compare. */
  onReading(before: LinkReading, now: LinkReading): void
  /** At once, and then every two seconds: the content of PEER_STATE. */
  onReport(now: LinkReading): void
}

const READ_EVERY_MS = 1_000
const READINGS_A_REPORT = 2

/** Reads a connection's statistics until it is stopped. The clock sets the interval, not the duration of a reading. */
export function startPeerReport({ clock, read, onReading, onReport }: PeerReportParts): () => void {
  let before = NO_READING
  let readings = 0
  let stopped = false
  let forget = () => {}

  async function look() {
    forget = clock.after(READ_EVERY_MS, look)
    const now = await read(before).catch(() => null)
    if (stopped || !now) return
    onReading(before, now)
    if (readings % READINGS_A_REPORT === 0) onReport(now)
    before = now
    readings += 1
  }

  void look()
  return () => {
    stopped = true
    forget()
  }
}
