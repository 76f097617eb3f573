import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import { z } from 'zod'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Id } from '@duet/protocol/kernel/primitives.ts'
import { signalSent, type SignalSentName } from '@duet/protocol/contracts/signaling.ts'
import type { RequestContext } from '../../core/request-context.ts'
import { KEY_BYTES, open } from '../../lib/cipher.ts'
import { createTokenBucket, type RateLimit } from '../../lib/rate-limit.ts'
import { getFailure, type DispatchFailure } from '../dispatch/dispatcher.ts'
import { isModest } from '../dispatch/json-guard.ts'
import type { ConnectedClient } from '../http/client-address.ts'
import { SocketConnection } from './connection.ts'
import type { ConnectionLimiter } from './socket-server.ts'
import {
  type AuthDeadline,
  createAuthDeadline,
  createGarbageGuard,
  trackSocket,
  type TransportContext,
} from './transport-context.ts'

export const SIGNAL_LIMIT: RateLimit = {
  burst: limits.signal_events_burst,
  per_second: limits.signal_events_a_second,
}
const SessionIdOf = z.object({ session_id: Id })
const SIGNAL_NAMES = Object.keys(signalSent) as SignalSentName[]
const KNOWN_EVENTS: ReadonlySet<string> = new Set(SIGNAL_NAMES)

/** Handles signaling sockets: named events, sealed with the socket's own key after AUTH, answered only when refused. */
export function createSignalSocketHandler(
  transport: TransportContext,
  places: ConnectionLimiter,
): (socket: Socket, client: ConnectedClient) => void {
  return (socket, client) => {
    const connection = new SocketConnection(socket, {
      kind: 'signal',
      ...client,
      log: transport.app.log,
    })
    const peer = new SignalPeer(transport, connection, places)
    trackSocket(transport.app, socket, 'signal', KNOWN_EVENTS)
    for (const name of SIGNAL_NAMES)
      socket.on(name, (packet: unknown) => peer.receive(name, packet))
    socket.on('disconnect', () => peer.disconnected())
  }
}

/** One page on its signaling socket. */
class SignalPeer {
  readonly #transport: TransportContext
  readonly #connection: SocketConnection
  readonly #deadline: AuthDeadline
  readonly #isGarbage = createGarbageGuard()
  readonly #takeToken = createTokenBucket(SIGNAL_LIMIT)
  /** Signals of one peer keep their order: an answer never overtakes the candidates before it. */
  readonly #inOrder = createSerialRunner()
  readonly #places: ConnectionLimiter
  #waiting = 0

  constructor(
    transport: TransportContext,
    connection: SocketConnection,
    places: ConnectionLimiter,
  ) {
    this.#places = places
    this.#transport = transport
    this.#connection = connection
    this.#deadline = createAuthDeadline(transport.app, connection)
  }

  receive(name: SignalSentName, packet: unknown): void {
    const { app } = this.#transport
    const nowMs = app.clock.now().epochMilliseconds
    if (!this.#connection.identity && name !== 'AUTH')
      return this.#refuse(getFailure('session_invalid'), name)
    const payload = this.#decrypt(packet, name)
    if (payload === undefined || !isModest(payload)) {
      this.#refuse(getFailure('unreadable'), name)
      if (this.#isGarbage(nowMs)) this.#connection.close()
      return
    }
    const waitMs = this.#takeToken(nowMs)
    if (waitMs > 0 || this.#waiting >= limits.signal_events_burst) {
      return this.#refuse(
        getFailure('too_many', { retry_after: Math.max(1, Math.ceil(waitMs / 1000)) }),
        name,
        payload,
      )
    }
    this.#waiting += 1
    const handled = this.#inOrder(() =>
      this.#handle(name, payload).finally(() => (this.#waiting -= 1)),
    )
    app.background('handling a signal', handled, { signal: name })
  }

  disconnected(): void {
    this.#deadline.cancel()
    this.#transport.app.realtime.local.socketClosed(this.#connection)
  }

  #decrypt(packet: unknown, name: SignalSentName): unknown {
    const { cipher_key } = this.#connection
    if (cipher_key) return open(cipher_key, packet, limits.signal_packet_bytes)
    return name === 'AUTH' && typeof packet === 'object' && packet !== null ? packet : undefined
  }

  /** With the call that the event named: a late refusal about a former call must not end the next call. */
  #refuse({ failure }: DispatchFailure, action: string, payload?: unknown): void {
    const named = SessionIdOf.safeParse(payload)
    this.#connection.send(`error_${failure.code}`, { ...failure, action, ...named.data })
  }

  async #handle(name: SignalSentName, payload: unknown): Promise<void> {
    if (!this.#connection.isOpen) return
    if (name === 'AUTH') return this.#authenticate(payload)
    const { identity, address, country, region, user_agent } = this.#connection
    if (!identity) {
      this.#refuse(getFailure('session_invalid'), name, payload)
      return this.#connection.close()
    }
    const { app, registry, dispatch, identityProvider } = this.#transport
    const { contract, handler } = registry.signals.get(name)!
    const context: RequestContext = {
      request_id: randomUUID(),
      address,
      country,
      region,
      user_agent,
      connection: this.#connection,
    }
    const result = await dispatch(
      {
        kind: 'signal',
        name,
        contract: { who: 'guest', refuses: ['not_found'] },
        handler,
        answers: undefined,
        viewer: async () => identityProvider?.bySocket(app, identity),
        parse: () => {
          const parsed = contract.payload.safeParse(payload)
          return parsed.success ? { input: parsed.data } : { issues: parsed.error.issues }
        },
      },
      context,
    )
    if (!result.ok) this.#refuse(result, name, payload)
  }

  async #authenticate(payload: unknown): Promise<void> {
    const { app, identityProvider } = this.#transport
    const parsed = signalSent.AUTH.payload.safeParse(payload)
    const subject = parsed.success
      ? await identityProvider?.byOrtcToken(app, parsed.data.ortc_token)
      : undefined
    if (subject?.login_id === null && this.#places.isReserved()) {
      app.metrics.turned_away.inc({ reason: 'full' })
      this.#refuse(getFailure('too_many', { retry_after: limits.auth_wait_seconds }), 'AUTH')
      return this.#connection.close()
    }
    if (parsed.success && subject) {
      // Events to this socket wait from here until the page has the key to read them.
      this.#connection.hold()
      if (
        await app.realtime.attachSignal(this.#connection, {
          ...subject,
          tab_id: parsed.data.tab_id,
        })
      ) {
        this.#deadline.cancel()
        return this.#connection.sendAuthSuccess({
          cipher_key: randomBytes(KEY_BYTES).toString('base64'),
        })
      }
      this.#connection.releaseHeld()
    }
    this.#refuse(getFailure('session_invalid'), 'AUTH')
    this.#connection.close()
  }
}
