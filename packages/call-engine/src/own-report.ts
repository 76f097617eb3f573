import type { PeerState } from '@duet/protocol/contracts/signaling.ts'
import type { LocalMediaSnapshot } from './devices/local-media-snapshot.ts'
import type { LinkReading } from './link/link-reading.ts'
import type { EngineClock } from './ports.ts'

/** Whether the own devices send at this moment. */
export type Sending = Pick<PeerState, 'audio' | 'video'>

export function getSending({ camera, microphone }: LocalMediaSnapshot): Sending {
  return { audio: microphone === 'on', video: camera === 'on' }
}

/** PEER_STATE: the counters of one connection. */
export function getPeerState(
  ids: Pick<PeerState, 'session_id' | 'session_guid'>,
  { frames_decoded, frames_sent, reports_received }: LinkReading,
  sending: Sending,
): PeerState {
  return { ...ids, frames_decoded, frames_sent, reports_received, ...sending }
}

/**
 * Reading the statistics takes some milliseconds. A browser that does not answer must not keep the user in the call.
 */
const LAST_REPORT_MS = 250

/** Resolves when the report was sent, or failed, or took too long. */
export function reportInTime(clock: EngineClock, reported: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      forget()
      resolve()
    }
    const forget = clock.after(LAST_REPORT_MS, resolve)
    reported.then(settle, settle)
  })
}
