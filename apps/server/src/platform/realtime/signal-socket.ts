import { randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { signalSent, type SignalSentName } from '@duet/protocol/contracts/signaling.ts'
import type { RequestContext } from '../../core/request-context.ts'
import { key_bytes, open } from '../../lib/cipher.ts'
import { createTokenBucket, type RateLimit } from '../../lib/rate-limit.ts'
import { failureOf, type DispatchFailure } from '../dispatch/dispatcher.ts'
import { isModest } from '../dispatch/json-guard.ts'
import { Connection } from './connection.ts'
import {
  trackSocket,
  type Deadline,
  type TransportContext,
  createAuthDeadline,
  createFloodGuard,
} from './transport-context.ts'

const signal_pace: RateLimit = {
  burst: limits.signal_events_burst,
  per_second: limits.signal_events_a_second,
}
const names = Object.keys(signalSent) as SignalSentName[]
const known: ReadonlySet<string> = new Set(names)

/** The signalling socket: named events, sealed with its own key once AUTH is through, answered only when refused. */
export function createSignalSocketHandler(
  edge: TransportContext,
): (socket: Socket, address: string) => void {
  return (socket, address) => {
    const peer = new SignalPeer(
      edge,
      new Connection(socket, { kind: 'signal', address, country: null }),
    )
    trackSocket(edge.app, socket, 'signal', known)
    for (const name of names) socket.on(name, (packet: unknown) => peer.hear(name, packet))
    socket.on('disconnect', () => peer.gone())
  }
}

/** One page on its signalling socket. */
class SignalPeer {
  readonly #edge: TransportContext
  readonly #connection: Connection
  readonly #deadline: Deadline
  readonly #patience = createFloodGuard(signal_pace)
  readonly #take = createTokenBucket(signal_pace)
  /** Signals of one peer keep their order: an answer never overtakes the candidates before it. */
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(edge: TransportContext, connection: Connection) {
    this.#edge = edge
    this.#connection = connection
    this.#deadline = createAuthDeadline(edge.app, connection)
  }

  hear(name: SignalSentName, packet: unknown): void {
    const { app } = this.#edge
    const now_ms = app.clock.now().epochMilliseconds
    if (this.#patience.isFlood(now_ms)) return this.#connection.close()
    if (!this.#connection.identity && name !== 'AUTH')
      return this.#say(failureOf('session_invalid'), name)
    const payload = this.#opened(packet, name)
    if (payload === undefined || !isModest(payload)) {
      this.#say(failureOf('unreadable'), name)
      if (this.#patience.isGarbage(now_ms)) this.#connection.close()
      return
    }
    const wait_ms = this.#take(now_ms)
    if (wait_ms > 0 || this.#waiting >= limits.signal_events_burst) {
      return this.#say(
        failureOf('too_many', { retry_after: Math.max(1, Math.ceil(wait_ms / 1000)) }),
        name,
      )
    }
    this.#waiting += 1
    this.#turn = this.#turn
      .then(() => this.#handle(name, payload))
      .catch((error: unknown) => app.log.error({ err: error, signal: name }, 'a signal failed'))
      .finally(() => (this.#waiting -= 1))
  }

  gone(): void {
    this.#deadline.cancel()
    this.#edge.app.realtime.socketClosed(this.#connection)
  }

  #opened(packet: unknown, name: SignalSentName): unknown {
    const { cipher_key } = this.#connection
    if (cipher_key) return open(cipher_key, packet, limits.signal_packet_bytes)
    return name === 'AUTH' && typeof packet === 'object' && packet !== null ? packet : undefined
  }

  #say({ failure }: DispatchFailure, action: string): void {
    this.#connection.send(`error_${failure.code}`, { ...failure, action })
  }

  async #handle(name: SignalSentName, payload: unknown): Promise<void> {
    if (!this.#connection.isOpen) return
    if (name === 'AUTH') return this.#authenticate(payload)
    const { identity, address, country } = this.#connection
    if (!identity) {
      this.#say(failureOf('session_invalid'), name)
      return this.#connection.close()
    }
    const { app, registry: book, dispatch, identityProvider: identities } = this.#edge
    const { contract, handler } = book.signals.get(name)!
    const context: RequestContext = {
      request_id: randomUUID(),
      address,
      country,
      connection: this.#connection,
    }
    const reply = await dispatch(
      {
        kind: 'signal',
        name,
        contract: { who: 'guest', refuses: ['not_found'] },
        handler,
        answers: undefined,
        viewer: async () => identities?.bySocket(app, identity),
        parse: () => {
          const parsed = contract.payload.safeParse(payload)
          return parsed.success ? { input: parsed.data } : { issues: parsed.error.issues }
        },
      },
      context,
    )
    if (!reply.ok) this.#say(reply, name)
  }

  async #authenticate(payload: unknown): Promise<void> {
    const { app, identityProvider: identities } = this.#edge
    const parsed = signalSent.AUTH.payload.safeParse(payload)
    const holder = parsed.success
      ? await identities?.byOrtcToken(app, parsed.data.ortc_token)
      : undefined
    if (parsed.success && holder) {
      // What is sent to the line from here on waits until the page has the key to read it.
      this.#connection.hold()
      if (
        await app.realtime.attachSignal(this.#connection, { ...holder, tab_id: parsed.data.tab_id })
      ) {
        this.#deadline.cancel()
        return this.#connection.sendAuthSuccess({
          cipher_key: randomBytes(key_bytes).toString('base64'),
        })
      }
      this.#connection.releaseHeld()
    }
    this.#say(failureOf('session_invalid'), 'AUTH')
    this.#connection.close()
  }
}
