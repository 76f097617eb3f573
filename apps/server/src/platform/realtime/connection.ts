import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { UserId } from '../../core/ids.ts'
import type { Viewer } from '../../core/viewer.ts'
import { seal } from '../../lib/cipher.ts'
import { cutOff, queuedBytes } from './send-queue.ts'

/** Who a socket belongs to once AUTH succeeded. */
export interface SocketIdentity {
  readonly user_id: UserId
  /** Null for a guest. */
  readonly login_id: number | null
  readonly tab_id: string
  /** As AUTH knew him. For a guest without a row this is all there is to know. */
  readonly viewer: Viewer
}

/** Events that wait for auth_success to leave first. */
const held_max = 200
/** A reader who let so many events fall gets a new socket: GET_CHANGES repairs faster than trickling does. */
const dropped_max = 100
/** Engine.IO and ws would wait half a minute for the other side's closing frame. */
const closing_ms = 2000

/**
 * One open socket, main or signalling: whose it is, how to write to it, the two ways to close it.
 * Nothing else in the house touches Socket.IO's sockets.
 */
export class Connection {
  readonly id: string
  readonly kind: 'main' | 'signal'
  readonly address: string
  readonly country: string | null
  identity: SocketIdentity | undefined
  cipher_key: Buffer | undefined
  readonly #socket: Socket
  #held: (readonly [event: string, payload: object])[] | undefined
  #dropped = 0
  #over = false

  constructor(
    socket: Socket,
    of: { kind: 'main' | 'signal'; address: string; country: string | null },
  ) {
    this.#socket = socket
    this.id = socket.id
    this.kind = of.kind
    this.address = of.address
    this.country = of.country
  }

  /** False once it is closed, whoever closed it. */
  get isOpen(): boolean {
    return !this.#over && this.#socket.connected
  }

  /** How many events this reader was too slow for. */
  get dropped(): number {
    return this.#dropped
  }

  /** Sends an event, sealed when the client asked for that. A slow reader loses it (`wire.md`: he asks GET_CHANGES). */
  send(event: string, payload: object): void {
    if (!this.isOpen) return
    if (this.#held) {
      if (this.#held.length < held_max) this.#held.push([event, payload])
      else this.close()
      return
    }
    this.#write(event, payload)
  }

  /** Keeps events back until `welcome`: nothing may reach a client before his auth_success. */
  hold(): void {
    this.#held ??= []
  }

  /** Sends auth_success, switches to its `cipher_key`, then lets out what was held back. */
  sendAuthSuccess(payload: object & { readonly cipher_key?: string | undefined }): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (!this.isOpen) return
    this.#write('auth_success', payload)
    this.cipher_key =
      payload.cipher_key === undefined ? undefined : Buffer.from(payload.cipher_key, 'base64')
    for (const [event, said] of held) this.#write(event, said)
  }

  /** AUTH failed half way: what was held back belongs to the identity that stays. */
  releaseHeld(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const [event, said] of held) this.#write(event, said)
  }

  /** The client sees a transport close and comes back by itself. */
  close(): void {
    if (this.#over) return
    this.#over = true
    // Whoever reads gets our last words; who does not read, or does not answer the closing, is cut off.
    if (queuedBytes(this.#socket) > limits.slow_reader_bytes) return cutOff(this.#socket)
    this.#socket.conn.close()
    setTimeout(() => cutOff(this.#socket), closing_ms).unref()
  }

  /** The client sees `io server disconnect` and does not come back: another tab or device took over. */
  disconnect(): void {
    if (this.#over) return
    this.#over = true
    this.#socket.disconnect(true)
    setTimeout(() => cutOff(this.#socket), closing_ms).unref()
  }

  #write(event: string, payload: object): void {
    if (queuedBytes(this.#socket) > limits.slow_reader_bytes) {
      this.#dropped += 1
      if (this.#dropped >= dropped_max) this.close()
      return
    }
    this.#dropped = 0
    this.#socket.emit(event, this.cipher_key ? seal(this.cipher_key, payload) : payload)
  }
}
