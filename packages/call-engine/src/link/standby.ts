import type { PreparePeer } from '@duet/protocol/contracts/signaling.ts'
import type { TestPicture, EngineClock, RtcPort } from '../ports.ts'
import { CallLog } from '../signaling/call-log.ts'
import type { SignalingPort } from '../signaling/signaling-port.ts'
import { openPeerLink } from './peer-link.ts'
import type { LinkHolder, PeerLink } from './peer-link-parts.ts'
import { parseTurnParams } from './turn-params.ts'

export interface StandbyParts {
  signaling: SignalingPort
  rtc: RtcPort
  clock: EngineClock
  /** False on a line that is paid by volume, and while the present call needs the line or the processor. */
  mayPrepare(): boolean
}

/** The server ends a preparation after this time. Its word may be lost with the socket. */
export const STANDBY_MAX_MS = 30_000
/** Test pictures build the encoder here and the decoder on the other page. */
export const WARM_UP_MS = 500
/** The other page sends more pictures than one in this time while it warms up. */
export const QUIET_MS = 250

interface PreparedLink {
  readonly prepare_id: string
  readonly link: PeerLink
  readonly tracks: MediaStreamTrack[]
  holder: LinkHolder
  picture: TestPicture | null
  is_complete: boolean
  forget: () => void
}

/**
 * The complete connection to a partner who may come next. Until `take` it carries neither camera nor microphone, only
 * half a second of test pictures. There is one at most.
 */
export class Standby {
  #parts: StandbyParts
  #current: PreparedLink | null = null
  #removeListener: () => void

  constructor(parts: StandbyParts) {
    this.#parts = parts
    this.#removeListener = parts.signaling.listen({
      onPreparePeer: (peer) => this.#prepare(peer),
      onPrepareCancelled: ({ prepare_id }) => {
        if (this.#current?.prepare_id === prepare_id) this.close()
      },
      // A page that opens its socket again is prepared again.
      onLost: () => this.close(),
      onPeerSignal: (signal) => {
        if (signal.prepare_id !== undefined && signal.prepare_id === this.#current?.prepare_id)
          void this.#current.link.receive(signal)
      },
    })
  }

  /** The guid of the connection that `take` gives, if it is this one and complete. */
  findGuid(prepare_id: string): string | undefined {
    const current = this.#current
    const isReady = current?.is_complete === true && current.link.state() === 'connected'
    return isReady && current.prepare_id === prepare_id ? current.link.session_guid : undefined
  }

  /** From now on the connection belongs to the call: its events go to this holder. */
  take(holder: LinkHolder): PeerLink {
    const taken = this.#current
    if (!taken) throw new Error('there is no prepared connection')
    this.#current = null
    taken.forget()
    taken.picture?.stop()
    taken.holder = holder
    for (const track of taken.tracks) holder.onTrack(track)
    taken.link.enterCall()
    return taken.link
  }

  close(): void {
    const ended = this.#current
    this.#current = null
    ended?.forget()
    ended?.picture?.stop()
    ended?.link.close()
  }

  dispose(): void {
    this.close()
    this.#removeListener()
  }

  #prepare({ prepare_id, session_guid, initiator, turn_params }: PreparePeer) {
    this.close()
    const { rtc, clock, signaling, mayPrepare } = this.#parts
    if (!mayPrepare()) return
    const callLog = new CallLog(signaling)
    const log = (text: string) => callLog.warn(text)
    const tracks: MediaStreamTrack[] = []
    const own: LinkHolder = {
      send: (message) => signaling.signal({ ...message, prepare_id, session_guid }),
      onState: (state) => {
        if (state === 'connected')
          this.#warmUp(prepared).catch((error: unknown) => {
            log(`preparing failed: ${String(error)}`)
            if (this.#current === prepared) this.close()
          })
        else if (state === 'failed' && this.#current === prepared) this.close()
      },
      onTrack: () => {},
      log,
    }
    const link = openPeerLink({
      session_guid,
      initiator,
      rests: true,
      turn: parseTurnParams(turn_params),
      rtc,
      clock,
      send: (message) => prepared.holder.send(message),
      onState: (state) => prepared.holder.onState(state),
      onTrack(track) {
        tracks.push(track)
        prepared.holder.onTrack(track)
      },
      log: (text) => prepared.holder.log(text),
    })
    const forget = clock.after(STANDBY_MAX_MS, () => this.close())
    const prepared: PreparedLink = {
      prepare_id,
      link,
      tracks,
      holder: own,
      picture: null,
      is_complete: false,
      forget,
    }
    this.#current = prepared
  }

  async #warmUp(prepared: PreparedLink) {
    if (prepared.picture || this.#current !== prepared) return
    const { rtc, clock } = this.#parts
    const { link } = prepared
    prepared.picture = rtc.openTestPicture()
    await link.warm(prepared.picture.track)
    await passed(clock, WARM_UP_MS)
    prepared.picture.stop()
    if (this.#current !== prepared) return
    await link.rest()
    await this.#untilQuiet(prepared)
    if (this.#current !== prepared) return
    await link.startCounting()
    if (this.#current !== prepared) return
    prepared.is_complete = true
    this.#parts.signaling.prepared({ prepare_id: prepared.prepare_id })
  }

  /** The other page's pictures have arrived and ended: from now on a picture is one of its camera. */
  async #untilQuiet(prepared: PreparedLink) {
    let latestMs: number | null = null
    while (this.#current === prepared) {
      const nowMs = prepared.link.latestFrameMs()
      if (nowMs !== null && nowMs === latestMs) return
      latestMs = nowMs
      await passed(this.#parts.clock, QUIET_MS)
    }
  }
}

function passed(clock: EngineClock, waitMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(waitMs, resolve))
}
