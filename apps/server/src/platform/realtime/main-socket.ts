import { randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { open, seal } from '../../lib/cipher.ts'
import { createRateLimiter, type RateLimit, type RateLimiter } from '../../lib/rate-limit.ts'
import {
  type DispatchRequest,
  failureOf,
  type DispatchFailure,
  type DispatchResult,
} from '../dispatch/dispatcher.ts'
import { isModest } from '../dispatch/json-guard.ts'
import { Connection } from './connection.ts'
import {
  trackSocket,
  type Deadline,
  type TransportContext,
  createAuthDeadline,
  createFloodGuard,
} from './transport-context.ts'

/** What works on a socket whose AUTH has not succeeded. */
const before_auth: ReadonlySet<string> = new Set(['AUTH', 'CAPTCHA'])
/** They change whose socket it is: one at a time, in the order sent. */
const about_identity: ReadonlySet<string> = new Set(['AUTH', 'LOGOUT'])
const heard_events: ReadonlySet<string> = new Set(['message_main'])
const users_rated_max = 100_000
const action_pace: RateLimit = {
  burst: limits.main_actions_burst,
  per_second: limits.main_actions_a_second,
}

type Acknowledge = (packet: string) => void

/** The main socket: packets in, answers and events out. What they mean is the dispatcher's business. */
export function createMainSocketHandler(
  edge: TransportContext,
): (socket: Socket, address: string) => void {
  const rates = createRateLimiter(users_rated_max)
  return (socket, address) => {
    const page = new MainPage(
      edge,
      rates,
      new Connection(socket, { kind: 'main', address, country: null }),
    )
    trackSocket(edge.app, socket, 'main', heard_events)
    socket.on('message_main', (packet: unknown, ack?: unknown) => {
      page.hear(packet, typeof ack === 'function' ? (ack as Acknowledge) : undefined)
    })
    socket.on('disconnect', () => page.gone())
  }
}

/** One page on its main socket. */
class MainPage {
  readonly #edge: TransportContext
  readonly #rates: RateLimiter
  readonly #connection: Connection
  readonly #deadline: Deadline
  readonly #patience = createFloodGuard(action_pace)
  #identity_turn: Promise<unknown> = Promise.resolve()
  #under_way = 0

  constructor(edge: TransportContext, rates: RateLimiter, connection: Connection) {
    this.#edge = edge
    this.#rates = rates
    this.#connection = connection
    this.#deadline = createAuthDeadline(edge.app, connection)
  }

  hear(packet: unknown, ack: Acknowledge | undefined): void {
    const { app, socket_key } = this.#edge
    const now_ms = app.clock.now().epochMilliseconds
    if (this.#patience.isFlood(now_ms)) return this.#connection.close()
    const asked = open(socket_key, packet, limits.main_packet_bytes)
    if (!isRequest(asked) || !isModest(asked)) {
      this.#answer(failureOf('unreadable'), undefined, ack)
      if (this.#patience.isGarbage(now_ms)) this.#connection.close()
      return
    }
    const slowed = this.#tooFast(now_ms)
    if (slowed) return this.#answer(slowed, asked.action, ack)
    this.#under_way += 1
    void this.#handle(asked.action, asked.data).then((reply) => {
      this.#under_way -= 1
      this.#answer(reply, asked.action, ack)
    })
  }

  gone(): void {
    this.#deadline.cancel()
    this.#edge.app.realtime.socketClosed(this.#connection)
  }

  #answer(reply: DispatchResult, action: string | undefined, ack: Acknowledge | undefined): void {
    if (!reply.ok) {
      if (reply.refusal === 'captcha_required')
        this.#deadline.extend(limits.auth_wait_after_captcha_seconds)
      this.#connection.send(`error_${reply.failure.code}`, { ...reply.failure, action })
    }
    ack?.(
      seal(this.#edge.socket_key, reply.ok ? { data: reply.data ?? {} } : { error: reply.failure }),
    )
  }

  #tooFast(now_ms: number): DispatchFailure | undefined {
    const { identity, id } = this.#connection
    const wait_ms = this.#rates.take(
      identity ? `user ${identity.user_id}` : id,
      action_pace,
      now_ms,
    )
    if (wait_ms === 0 && this.#under_way < limits.main_actions_burst) return undefined
    return failureOf('too_many', { retry_after: Math.max(1, Math.ceil(wait_ms / 1000)) })
  }

  async #handle(action: string, data: unknown): Promise<DispatchResult> {
    const mounted = this.#edge.registry.actions.get(action)
    const name = mounted?.contract.name ?? action
    if (!this.#connection.identity && !before_auth.has(name)) return failureOf('session_invalid')
    const { address, country } = this.#connection
    const context: RequestContext = {
      request_id: randomUUID(),
      address,
      country,
      connection: this.#connection,
    }
    const asked: DispatchRequest = {
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
    const run = () => this.#edge.dispatch(asked, context)
    if (!about_identity.has(name)) return run()
    const turn = this.#identity_turn.then(() => (name === 'AUTH' ? this.#authenticate(run) : run()))
    this.#identity_turn = turn
    return turn
  }

  /** Read anew for each action; AUTH is told who held the socket so far, without asking whether he still may. */
  async #viewer(name: string): Promise<Viewer | undefined> {
    const { identity } = this.#connection
    if (!identity || name === 'AUTH') return identity?.viewer ?? { kind: 'none' }
    return this.#edge.identityProvider?.bySocket(this.#edge.app, identity)
  }

  /** Nothing reaches the new identity before its auth_success; after a failed AUTH the former one goes on. */
  async #authenticate(run: () => Promise<DispatchResult>): Promise<DispatchResult> {
    this.#connection.hold()
    const reply = await run()
    if (reply.ok) this.#connection.sendAuthSuccess(reply.data as object)
    else this.#connection.releaseHeld()
    if (this.#connection.identity) this.#deadline.cancel()
    return reply
  }
}

function isRequest(value: unknown): value is { action: string; data?: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { action?: unknown }).action === 'string'
  )
}
