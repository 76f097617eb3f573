import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import type { EngineClock } from '../ports.ts'
import type {
  CandidateSignal,
  PeerMessage,
  SessionDescriptionSignal,
} from '../signaling/signaling-port.ts'

export interface NegotiationParts {
  connection: RTCPeerConnection
  /** True for the `initiator`. If two offers collide, its offer counts. The other side rolls its own offer back. */
  impolite: boolean
  clock: EngineClock
  send(signal: PeerMessage): void
  /** The partner's offer is set, ours is not answered yet: the moment to put our media into it. */
  beforeAnswer(): void
  log(text: string): void
}

/**
 * Perfect negotiation assumes that signals arrive. Our signals can be lost with a socket on either side. After this
 * time without an answer the offer is sent again. If the partner already has the offer, the partner only answers once
 * more.
 */
export const REPEAT_OFFER_MS = 4_000
/** A partner may send fifty candidates for a connection. */
const EARLY_CANDIDATES_MAX = 50

/**
 * Perfect negotiation over one connection. Until it is stopped, only this code uses `onnegotiationneeded` and
 * `onicecandidate`.
 */
export class Negotiation {
  #parts: NegotiationParts
  #makingOffer = false
  #ignoreOffer = false
  #stopped = false
  readonly #inOrder = createSerialRunner()
  #forgetRepeat = () => {}
  /** Candidates that came before the description that they belong to. */
  #early: (RTCIceCandidateInit | null)[] = []

  constructor(parts: NegotiationParts) {
    this.#parts = parts
    parts.connection.onnegotiationneeded = () => this.#offer()
    parts.connection.onicecandidate = ({ candidate }) => {
      // Some browsers end each generation with an empty candidate, before the null that ends all generations.
      if (candidate?.candidate !== '')
        parts.send({ type_signal: 'ice-candidate', data: candidate?.toJSON() ?? null })
    }
  }

  /**
   * Handles the partner's signals one after the other, in the order of arrival. Settles when this signal is handled,
   * and never rejects. A candidate must not overtake its description. An offer must not be judged while an answer is
   * being set, so the third flag of the textbook is unnecessary.
   */
  receive(signal: SessionDescriptionSignal | CandidateSignal): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#stopped) return
      try {
        if (signal.type_signal === 'offer') await this.#takeDescription(signal.data)
        else await this.#takeCandidate(signal.data)
      } catch (error) {
        this.#complain(`${signal.type_signal} from the partner`, error)
      }
    })
  }

  /** If an offer is open, sends the offer again, because the partner may not have received it. */
  repeatOffer(): void {
    if (!this.#makingOffer && this.#parts.connection.signalingState === 'have-local-offer')
      this.#sendDescription()
  }

  stop(): void {
    this.#stopped = true
    this.#forgetRepeat()
    this.#parts.connection.onnegotiationneeded = null
    this.#parts.connection.onicecandidate = null
  }

  async #offer() {
    const { connection } = this.#parts
    // Fresh credentials of a relay make Chromium ask for an offer, also of the side that waits for the first offer. It has
    // no media yet, and the failure of an offer without media would stay with the connection.
    if (!this.#parts.impolite && connection.getTransceivers().length === 0) return
    try {
      this.#makingOffer = true
      await connection.setLocalDescription()
      if (connection.signalingState === 'have-local-offer') this.#sendDescription()
    } catch (error) {
      this.#complain('the offer', error)
    } finally {
      this.#makingOffer = false
    }
  }

  #sendDescription() {
    const description = this.#parts.connection.localDescription
    if (
      this.#stopped ||
      !description ||
      (description.type !== 'offer' && description.type !== 'answer')
    )
      return
    this.#parts.send({
      type_signal: 'offer',
      data: { type: description.type, sdp: description.sdp, ...this.#getAnswered(description) },
    })
    this.#forgetRepeat()
    if (description.type === 'offer') {
      this.#forgetRepeat = this.#parts.clock.after(
        REPEAT_OFFER_MS,
        () => !this.#stopped && this.repeatOffer(),
      )
    }
  }

  /** An answer names its offer. */
  #getAnswered({ type }: RTCSessionDescription): { answers?: string | undefined } {
    if (type !== 'answer') return {}
    return { answers: findIceName(this.#parts.connection.remoteDescription) }
  }

  async #takeDescription(description: SessionDescriptionSignal['data']) {
    const { connection, impolite, beforeAnswer } = this.#parts
    if (description.type === 'answer') {
      // In any other state it answers an offer that was sent twice, or rolled back in the meantime.
      if (connection.signalingState !== 'have-local-offer') return
      // An answer to the offer before a restart.
      const { answers } = description
      if (answers !== undefined && answers !== findIceName(connection.localDescription)) return
      this.#forgetRepeat()
      await connection.setRemoteDescription(description)
      return this.#addEarlyCandidates()
    }
    this.#ignoreOffer = impolite && (this.#makingOffer || connection.signalingState !== 'stable')
    if (this.#ignoreOffer) return
    this.#forgetRepeat()
    await connection.setRemoteDescription(description)
    await this.#addEarlyCandidates()
    beforeAnswer()
    await connection.setLocalDescription()
    this.#sendDescription()
  }

  async #addEarlyCandidates() {
    for (const candidate of this.#early.splice(0)) await this.#takeCandidate(candidate)
  }

  async #takeCandidate(candidate: RTCIceCandidateInit | null) {
    if (!this.#parts.connection.remoteDescription) {
      if (this.#early.length < EARLY_CANDIDATES_MAX) this.#early.push(candidate)
      return
    }
    try {
      await this.#parts.connection.addIceCandidate(candidate)
    } catch (error) {
      if (!this.#ignoreOffer) throw error
    }
  }

  #complain(what: string, error: unknown) {
    if (!this.#stopped) this.#parts.log(`${what} failed: ${String(error)}`)
  }
}

/** The ICE user name of a description, which is new after each restart. */
function findIceName(description: RTCSessionDescription | null): string | undefined {
  return /^a=ice-ufrag:(\S+)/m.exec(description?.sdp ?? '')?.[1]
}
