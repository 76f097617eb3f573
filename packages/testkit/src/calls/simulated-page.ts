import type { CallEvent } from '@duet/server/modules/calls/rules/call-events.ts'
import type { Side } from '@duet/server/modules/calls/rules/call.ts'

/** How one page behaves for some time. */
interface PageBehavior {
  reports: boolean
  frames: boolean
  video: boolean
  sends: boolean
}

/** For simulations: a page that reports by its current behavior. */
export class SimulatedPage {
  readonly side: Side
  readonly #random: () => number
  behavior: PageBehavior = { reports: true, frames: true, video: true, sends: true }
  present = true
  next_report_ms = 0
  decoded = 0
  sent = 0
  received = 0

  constructor(side: Side, random: () => number) {
    this.side = side
    this.#random = random
  }

  change(): void {
    const often = () => this.#random() < 0.8
    this.behavior = { reports: often(), frames: often(), video: often(), sends: often() }
    if (this.#random() < 0.5)
      this.behavior = { reports: true, frames: true, video: true, sends: true }
  }

  fresh(): void {
    this.decoded = 0
    this.sent = 0
    this.received = 0
  }

  report(atMs: number, session_guid: string): CallEvent | undefined {
    if (atMs < this.next_report_ms) return undefined
    this.next_report_ms =
      atMs + (this.#random() < 0.85 ? 2000 : 100 * Math.floor(this.#random() * 60))
    const { reports, frames, video, sends } = this.behavior
    if (frames) this.decoded += 1 + Math.floor(this.#random() * 60)
    if (sends) this.sent += 60
    if (sends) this.received += 2
    if (!reports || !this.present) return undefined
    const counters = {
      frames_decoded: this.decoded,
      frames_sent: this.sent,
      reports_received: this.received,
    }
    return { type: 'reported', side: this.side, session_guid, ...counters, audio: true, video }
  }
}
