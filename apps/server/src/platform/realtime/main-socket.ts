import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { open, seal } from '../../lib/cipher.ts'
import type { RateLimit, RateLimiter } from '../../lib/rate-limit.ts'
import {
  type DispatchRequest,
  getFailure,
  type DispatchFailure,
  type DispatchResult,
} from '../dispatch/dispatcher.ts'
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

/** Actions of a socket whose AUTH has not succeeded. */
const ACTIONS_BEFORE_AUTH: ReadonlySet<string> = new Set(['AUTH', 'CAPTCHA'])
/** They change the identity of the socket: one at a time, in the order sent. */
const IDENTITY_ACTIONS: ReadonlySet<string> = new Set(['AUTH', 'LOGOUT'])
const KNOWN_EVENTS: ReadonlySet<string> = new Set(['message_main'])
const RATED_USERS_MAX = 100_000
export const ACTION_LIMIT: RateLimit = {
  burst: limits.main_actions_burst,
  per_second: limits.main_actions_a_second,
}

type Acknowledge = (packet: string) => void

/** Handles main sockets: packets in, answers and events out. The dispatcher decides what a packet means. */
export function createMainSocketHandler(
  transport: TransportContext,
  places: ConnectionLimiter,
): (socket: Socket, client: ConnectedClient) => void {
  const limiter = transport.app.createRateLimiter(RATED_USERS_MAX)
  return (socket, client) => {
    const connection = new SocketConnection(socket, {
      kind: 'main',
      ...client,
      log: transport.app.log,
    })
    const page = new MainSocketPage(transport, limiter, connection, places)
    trackSocket(transport.app, socket, 'main', KNOWN_EVENTS)
    socket.on('message_main', (packet: unknown, ack?: unknown) => {
      page.receive(packet, typeof ack === 'function' ? (ack as Acknowledge) : undefined)
    })
    socket.on('disconnect', () => page.disconnected())
  }
}

/** One page on its main socket. */
class MainSocketPage {
  readonly #transport: TransportContext
  readonly #limiter: RateLimiter
  readonly #connection: SocketConnection
  readonly #deadline: AuthDeadline
  readonly #isGarbage = createGarbageGuard()
  readonly #identityInOrder = createSerialRunner()
  readonly #places: ConnectionLimiter
  #running = 0

  constructor(
    transport: TransportContext,
    limiter: RateLimiter,
    connection: SocketConnection,
    places: ConnectionLimiter,
  ) {
    this.#places = places
    this.#transport = transport
    this.#limiter = limiter
    this.#connection = connection
    this.#deadline = createAuthDeadline(transport.app, connection)
  }

  receive(packet: unknown, ack: Acknowledge | undefined): void {
    if (!this.#connection.canAnswer()) return
    const { app, socket_key } = this.#transport
    const nowMs = app.clock.now().epochMilliseconds
    const request = open(socket_key, packet, limits.main_packet_bytes)
    if (!isActionPacket(request) || !isModest(request)) {
      this.#answer(getFailure('unreadable'), undefined, ack)
      if (this.#isGarbage(nowMs)) this.#connection.close()
      return
    }
    const handled = this.#handle(request, nowMs).then((result) =>
      this.#answer(result, request.action, ack),
    )
    app.background('answering a packet', handled, { action: request.action })
  }

  disconnected(): void {
    this.#deadline.cancel()
    this.#transport.app.realtime.local.socketClosed(this.#connection)
  }

  #answer(result: DispatchResult, action: string | undefined, ack: Acknowledge | undefined): void {
    if (!result.ok) {
      if (result.refusal === 'captcha_required')
        this.#deadline.extend(limits.auth_wait_after_captcha_seconds)
      this.#connection.send(`error_${result.failure.code}`, { ...result.failure, action })
    }
    if (ack) this.#connection.acknowledge(ack, this.#sealed(result, action))
  }

  /** An answer that JSON cannot express is a bug of its handler: the client gets the failure, and the log the reason. */
  #sealed(result: DispatchResult, action: string | undefined): string {
    const { app, socket_key } = this.#transport
    try {
      return seal(socket_key, result.ok ? { data: result.data ?? {} } : { error: result.failure })
    } catch (error) {
      const id = randomUUID()
      app.log.error({ error_id: id, action, err: error }, 'an answer could not be written')
      const { failure } = getFailure('internal', { id })
      this.#connection.send(`error_${failure.code}`, { ...failure, action })
      return seal(socket_key, { error: failure })
    }
  }

  async #handle({ action, data }: ActionPacket, nowMs: number): Promise<DispatchResult> {
    const isFull = this.#running >= limits.main_actions_burst
    this.#running += 1
    try {
      const { identity, id } = this.#connection
      const key = identity ? `user ${identity.user_id}` : id
      const waitMs = await this.#limiter.take(key, ACTION_LIMIT, nowMs)
      return waitMs > 0 || isFull ? tooMany(waitMs) : await this.#dispatch(action, data)
    } finally {
      this.#running -= 1
    }
  }

  async #dispatch(action: string, data: unknown): Promise<DispatchResult> {
    const mounted = this.#transport.registry.actions.get(action)
    const name = mounted?.contract.name ?? action
    const { identity, address, country, region, user_agent } = this.#connection
    if (!identity && !ACTIONS_BEFORE_AUTH.has(name)) return getFailure('session_invalid')
    const context: RequestContext = {
      request_id: randomUUID(),
      address,
      country,
      region,
      user_agent,
      connection: this.#connection,
    }
    const request: DispatchRequest = {
      kind: 'action',
      name,
      contract: mounted?.contract,
      handler: mounted?.handler,
      answers: mounted?.contract.ack,
      viewer: () => this.#viewer(name),
      parse: () => {
        const parsed = mounted!.contract.data.safeParse(data ?? {})
        return parsed.success ? { input: parsed.data } : { issues: parsed.error.issues }
      },
    }
    const run = () => this.#transport.dispatch(request, context)
    if (!IDENTITY_ACTIONS.has(name)) return run()
    return this.#identityInOrder(() => (name === 'AUTH' ? this.#authenticate(run) : run()))
  }

  /** Read again for each action. AUTH gets the former identity of the socket, without asking whether it still holds. */
  async #viewer(name: string): Promise<Viewer | undefined> {
    const { identity } = this.#connection
    if (!identity || name === 'AUTH') return identity?.viewer ?? { kind: 'none' }
    return this.#transport.identityProvider?.bySocket(this.#transport.app, identity)
  }

  /**
   * Nothing reaches the new identity before its auth_success. After a failed AUTH the former identity
   * continues. The last places of the server are for members: a guest is closed.
   */
  async #authenticate(run: () => Promise<DispatchResult>): Promise<DispatchResult> {
    this.#connection.hold()
    const result = await run()
    const { identity, address } = this.#connection
    if (result.ok && identity?.viewer.kind === 'member') this.#places.rememberMember(address)
    if (result.ok && identity?.viewer.kind === 'guest' && this.#places.isReserved()) {
      this.#transport.app.metrics.turned_away.inc({ reason: 'full' })
      this.#connection.close()
      return tooMany(limits.auth_wait_seconds * 1000)
    }
    if (result.ok) this.#connection.sendAuthSuccess(result.data as object)
    else this.#connection.releaseHeld()
    if (this.#connection.identity) this.#deadline.cancel()
    return result
  }
}

function tooMany(waitMs: number): DispatchFailure {
  return getFailure('too_many', { retry_after: Math.max(1, Math.ceil(waitMs / 1000)) })
}

interface ActionPacket {
  readonly action: string
  readonly data?: unknown
}

function isActionPacket(value: unknown): value is ActionPacket {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { action?: unknown }).action === 'string'
  )
}
