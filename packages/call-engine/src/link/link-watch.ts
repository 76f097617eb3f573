import type { DataMode } from '@duet/protocol/kernel/entities.ts'
import type { EngineClock, PagePort } from '../ports.ts'
import { adapt, FIRST_QUALITY, stepAt } from './adaptation.ts'
import { limitStep } from './data-mode.ts'
import { watchFirstFrame } from './first-frame.ts'
import { NO_READING, type LinkReading } from './link-reading.ts'
import type { PeerLink } from './peer-link-parts.ts'
import { startPeerReport } from './peer-report.ts'

/** The state of a connection as screens show it. */
export interface LinkView {
  picture: 'none' | 'live' | 'still'
  weak: boolean
}

export interface LinkWatchParts {
  link: PeerLink
  clock: EngineClock
  page: PagePort
  element(): HTMLVideoElement | null
  /** How much may be sent, whatever the network carries. */
  dataMode(): DataMode
  onFirstFrame(): void
  onView(view: LinkView): void
  /** Every two seconds once `report()` was called. */
  onReport(now: LinkReading): void
  /** Every second once `report()` was called: two readings of this connection to compare. */
  onReading(before: LinkReading, now: LinkReading): void
}

/** The sound goes on without the picture: the partner's camera is off. */
const STILL_AFTER_READINGS = 2
/** Neither goes on: the network is broken, and the browser says so before this time. Otherwise both devices are off. */
const SILENT_AFTER_READINGS = 8

/**
 * Watches a connection until the connection closes: the first frame, then once a second the quality and the fitting
 * bitrate.
 */
export class LinkWatch {
  #parts: LinkWatchParts
  #quality = FIRST_QUALITY
  #still_readings = 0
  #latest = NO_READING
  #stopFrame: () => void
  #stopReport: (() => void) | null = null

  constructor(parts: LinkWatchParts) {
    const { link, clock, page, element } = parts
    this.#parts = parts
    this.#stopFrame = watchFirstFrame({
      clock,
      page,
      element,
      hasFrame: () => link.hasFrame(),
      read: () => link.read(),
      onDecoded: () => parts.onView({ picture: 'live', weak: false }),
      onFrame: () => {
        parts.onView({ picture: link.hasFrame() ? 'live' : 'still', weak: false })
        parts.onFirstFrame()
      },
    })
  }

  /** Starts the reports. More calls change nothing. */
  report(): void {
    const { clock, link, onReport } = this.#parts
    this.#stopReport ??= startPeerReport({
      clock,
      read: (before) => link.read(before),
      onReading: (before, now) => this.#take(before, now),
      onReport,
    })
  }

  reportOnce(): void {
    const { link, onReport } = this.#parts
    link.read().then(onReport, () => {})
  }

  stop(): void {
    this.#stopFrame()
    this.#stopReport?.()
  }

  /** The latest reading, so that the counters of a later reading never fall below its counters. */
  get latest(): LinkReading {
    return this.#latest
  }

  #take(before: LinkReading, now: LinkReading) {
    const { link, dataMode, onView, onReading } = this.#parts
    this.#latest = now
    onReading(before, now)
    this.#still_readings = now.frames_decoded > before.frames_decoded ? 0 : this.#still_readings + 1
    // The bitrate of a broken connection does not predict the bitrate of the next path.
    if (link.state() === 'connected') this.#quality = adapt(this.#quality, before, now)
    link.setStep(limitStep(stepAt(this.#quality.step), dataMode()))
    const isHeard = now.audio_packets_received > before.audio_packets_received
    const stillAfter = isHeard ? STILL_AFTER_READINGS : SILENT_AFTER_READINGS
    onView({
      picture: this.#still_readings >= stillAfter ? 'still' : 'live',
      weak: this.#quality.weak,
    })
  }
}
