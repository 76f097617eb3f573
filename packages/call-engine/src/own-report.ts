import type { DataMode } from '@duet/protocol/kernel/entities.ts'
import type { PeerState } from '@duet/protocol/contracts/signaling.ts'
import type { LocalMedia, LocalMediaSnapshot } from './devices/local-media-snapshot.ts'
import { lowerMode } from './link/data-mode.ts'
import { NO_READING, type LinkReading } from './link/link-reading.ts'
import type { PeerLink } from './link/peer-link-parts.ts'
import type { EngineClock } from './ports.ts'
import type { SignalingPort } from './signaling/signaling-port.ts'

/** The devices that send at this moment, how much of the partner's picture this page wants, and the own network. */
type Sending = Pick<PeerState, 'audio' | 'video'> & { data_mode: DataMode; weak: boolean }

/**
 * Reading the statistics takes some milliseconds. A browser that does not answer must not keep the user in the call.
 */
const LAST_REPORT_MS = 250

interface OwnReportParts {
  signaling: SignalingPort
  media: LocalMedia
  clock: EngineClock
}

/** How much data the present call uses, and how much each of its two pages wants to use. */
export interface DataUse {
  /** Bytes sent and received since the call began, over all its connections. */
  readonly used_bytes: number
  /** The wish of this page, for this call and the next calls. The partner's page learns it with the next report. */
  want(mode: DataMode): void
  /** The wish of the partner's page, for this call. */
  ask(mode: DataMode): void
}

/** PEER_STATE of the own page. */
export class OwnReports implements DataUse {
  #parts: OwnReportParts
  #isWeak: () => boolean
  #reported: Sending | null = null
  #wanted: DataMode = 'full'
  #asked: DataMode = 'full'
  #bytes = { before: 0, now: 0 }

  /** @param isWeak whether the own network carries only a small picture */
  constructor(parts: OwnReportParts, isWeak: () => boolean) {
    this.#parts = parts
    this.#isWeak = isWeak
  }

  /** How much this page may send: the lower of the two wishes. */
  get data_mode(): DataMode {
    return lowerMode(this.#wanted, this.#asked)
  }

  get used_bytes(): number {
    return this.#bytes.before + this.#bytes.now
  }

  want(mode: DataMode): void {
    this.#wanted = mode
  }

  ask(mode: DataMode): void {
    this.#asked = mode
  }

  /** Another call begins. */
  begin(): void {
    this.#reported = null
    this.#asked = 'full'
    this.#bytes = { before: 0, now: 0 }
  }

  note({ used_bytes }: LinkReading): void {
    this.#bytes.now = used_bytes
  }

  /** A connection of the call is closed. The next connection counts from zero. */
  endLink(): void {
    this.#bytes = { before: this.used_bytes, now: 0 }
  }

  sending(): Sending {
    const devices = getDevices(this.#parts.media.getSnapshot())
    return { ...devices, data_mode: this.#wanted, weak: this.#isWeak() }
  }

  /** Whether the last report says otherwise. */
  get is_outdated(): boolean {
    const [said, now] = [this.#reported, this.sending()]
    if (said === null) return false
    return said.audio !== now.audio || said.video !== now.video || said.data_mode !== now.data_mode
  }

  send(
    session_id: number | null,
    link: PeerLink,
    now: LinkReading,
    sending = this.sending(),
  ): void {
    if (session_id === null || !this.#parts.signaling.isReady()) return
    const { frames_decoded, frames_sent, reports_received } = now
    const { session_guid } = link
    const counters = { frames_decoded, frames_sent, reports_received }
    this.#reported = sending
    this.#parts.signaling.peerState({ session_id, session_guid, ...counters, ...sending })
  }

  /** Reads the counters and sends them. Resolves when that is done, or failed, or took too long. */
  async sendNow(session_id: number | null, link: PeerLink, before = NO_READING): Promise<void> {
    const sending = this.sending()
    // Several changes at once are one report.
    this.#reported = sending
    const sent = link.read(before).then((now) => this.send(session_id, link, now, sending))
    await inTime(this.#parts.clock, sent)
  }
}

function getDevices({ camera, microphone }: LocalMediaSnapshot): Pick<Sending, 'audio' | 'video'> {
  return { audio: microphone === 'on', video: camera === 'on' }
}

function inTime(clock: EngineClock, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      forget()
      resolve()
    }
    const forget = clock.after(LAST_REPORT_MS, resolve)
    work.then(settle, settle)
  })
}
