import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { Connection, SocketIdentity } from '../../core/realtime.ts'
import type { Log } from '../database/log.ts'
import { seal } from '../../lib/cipher.ts'
import { terminate, queuedBytes } from './send-queue.ts'

/** Events that may wait for auth_success. */
const HELD_EVENTS_MAX = 200
/** A reader that lost this many events in a row gets a new socket: GET_CHANGES repairs faster than a slow stream does. */
const DROPPED_EVENTS_MAX = 100
/** Engine.IO and ws would wait half a minute for the other side's closing frame. */
const CLOSING_MS = 2000

/**
 * One open socket, main or signaling: its identity, how to write to it, the two ways to close it.
 * Nothing else touches Socket.IO's sockets.
 */
export class SocketConnection implements Connection {
  readonly id: string
  readonly kind: 'main' | 'signal'
  readonly address: string
  readonly country: string | null
  readonly region: string | null
  readonly user_agent: string
  identity: SocketIdentity | undefined
  cipher_key: Buffer | undefined
  readonly #socket: Socket
  readonly #log: Pick<Log, 'error'>
  #held: (readonly [event: string, payload: object])[] | undefined
  #dropped = 0
  #isClosed = false

  constructor(
    socket: Socket,
    of: {
      kind: 'main' | 'signal'
      address: string
      country: string | null
      region: string | null
      user_agent: string
      log: Pick<Log, 'error'>
    },
  ) {
    this.#socket = socket
    this.id = socket.id
    this.kind = of.kind
    this.address = of.address
    this.country = of.country
    this.region = of.region
    this.user_agent = of.user_agent
    this.#log = of.log
  }

  /** False once either side has closed it. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#socket.connected
  }

  /** How many events in a row this reader was too slow for. */
  get dropped(): number {
    return this.#dropped
  }

  /** Sends an event, sealed when the client asked for that. A slow reader loses it and finds it by GET_CHANGES. */
  send(event: string, payload: object): void {
    if (!this.isOpen) return
    if (this.#held) {
      if (this.#held.length < HELD_EVENTS_MAX) this.#held.push([event, payload])
      else this.close()
      return
    }
    this.#write(event, payload)
  }

  /**
   * False for a reader that is too slow for answers: such a connection is closed. An answer is not dropped,
   * because its client would wait for the answer.
   */
  canAnswer(): boolean {
    if (this.isOpen && this.#isTooSlow()) this.close()
    return this.isOpen
  }

  /** Sends the answer of a request, unless the reader is too slow for answers. */
  acknowledge(write: (packet: string) => void, packet: string): void {
    if (this.canAnswer()) write(packet)
  }

  /** Holds events until `sendAuthSuccess` or `releaseHeld`: nothing may reach a client before its auth_success. */
  hold(): void {
    this.#held ??= []
  }

  /** Sends auth_success, switches to its `cipher_key`, then sends the held events. */
  sendAuthSuccess(payload: object & { readonly cipher_key?: string | undefined }): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (!this.isOpen) return
    this.#write('auth_success', payload)
    this.cipher_key =
      payload.cipher_key === undefined ? undefined : Buffer.from(payload.cipher_key, 'base64')
    for (const [event, heldPayload] of held) this.#write(event, heldPayload)
  }

  /**
   * Drops the held events when another user takes the socket over. The events are in the log of the former
   * user.
   */
  dropHeld(): void {
    if (this.#held) this.#held = []
  }

  /** After a failed AUTH: sends the held events, which belong to the identity that stays. */
  releaseHeld(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const [event, heldPayload] of held) this.#write(event, heldPayload)
  }

  /** Closes the transport: the client reconnects by itself. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // A client that reads gets the events already queued. A client that does not read, or does not answer,
    // is cut off.
    if (this.#isTooSlow()) return terminate(this.#socket)
    this.#socket.conn.close()
    setTimeout(() => terminate(this.#socket), CLOSING_MS).unref()
  }

  /** Sends `io server disconnect`, after which the client does not reconnect: another tab or device took over. */
  disconnect(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.disconnect(true)
    setTimeout(() => terminate(this.#socket), CLOSING_MS).unref()
  }

  #isTooSlow(): boolean {
    return queuedBytes(this.#socket) > limits.slow_reader_bytes
  }

  #write(event: string, payload: object): void {
    if (this.#isTooSlow()) {
      this.#dropped += 1
      if (this.#dropped >= DROPPED_EVENTS_MAX) this.close()
      return
    }
    this.#dropped = 0
    try {
      this.#socket.emit(event, this.cipher_key ? seal(this.cipher_key, payload) : payload)
    } catch (error) {
      // JSON cannot express the payload: a bug of one sender, which must not end the work of the caller.
      this.#log.error({ event, err: error }, 'an event could not be written')
    }
  }
}
