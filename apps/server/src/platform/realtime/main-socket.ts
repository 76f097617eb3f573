import { randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/limits.ts'
import type { App, Call } from '../../context.ts'
import { open, seal } from '../../lib/cipher.ts'
import { plusMs } from '../../lib/clock.ts'
import { makeBucket, makeRates, type Pace, type Rates } from '../../lib/rate.ts'
import type { Book } from '../book.ts'
import { type Dispatcher, failureOf, type FailedReply, type Reply } from '../dispatch.ts'
import { isModest } from '../guard-json.ts'
import type { Identities } from '../module.ts'
import { Connection } from './connection.ts'

export interface Edge {
  readonly app: App
  readonly book: Book
  readonly dispatch: Dispatcher
  readonly identities: Identities | undefined
  /** Of `message_main`; public by nature. */
  readonly socket_key: Buffer
  readonly isDraining: () => boolean
}

/** What works on a socket whose AUTH has not succeeded. */
const before_auth: ReadonlySet<string> = new Set(['AUTH', 'CAPTCHA'])
/** They change whose socket it is: one at a time, in the order sent. */
const about_identity: ReadonlySet<string> = new Set(['AUTH', 'LOGOUT'])
const users_rated_max = 100_000
const unreadable_pace: Pace = {
  burst: limits.unreadable_packets_a_minute,
  a_second: limits.unreadable_packets_a_minute / 60,
}
const action_pace: Pace = { burst: limits.main_actions_burst, a_second: limits.main_actions_a_second }

type Acknowledge = (packet: string) => void

/** The main socket: packets in, answers and events out. What they mean is the dispatcher's business. */
export function makeMainSocket(edge: Edge): (socket: Socket, address: string) => void {
  const rates = makeRates(users_rated_max)
  return (socket, address) => {
    const { app } = edge
    const connection = new Connection(socket, { kind: 'main', address, country: null })
    const deadline = makeAuthDeadline(app, connection)
    const isFlood = makeBucket(timesFaster(action_pace))
    const isGarbage = makeBucket(unreadable_pace)
    let identity_turn: Promise<unknown> = Promise.resolve()
    let under_way = 0
    app.metrics.sockets.inc({ kind: 'main' })

    function answer(reply: Reply, action: string | undefined, ack: Acknowledge | undefined): void {
      if (!reply.ok) {
        if (reply.refusal === 'captcha_required') deadline.extend(limits.auth_wait_after_captcha_seconds)
        connection.send(`error_${reply.failure.code}`, { ...reply.failure, action })
      }
      ack?.(seal(edge.socket_key, reply.ok ? { data: reply.data ?? {} } : { error: reply.failure }))
    }

    function unreadable(action: string | undefined, ack: Acknowledge | undefined): void {
      answer(failureOf('unreadable'), action, ack)
      if (isGarbage(app.clock.now().epochMilliseconds) > 0) connection.close()
    }

    async function handle(action: string, data: unknown): Promise<Reply> {
      const call: Call = { request_id: randomUUID(), address, connection, country: connection.country }
      const mounted = edge.book.actions.get(action)
      const name = mounted?.contract.name ?? action
      if (!connection.identity && !before_auth.has(name)) return failureOf('session_invalid')
      const asked = {
        kind: 'action' as const,
        name,
        contract: mounted?.contract,
        handler: mounted?.handler,
        answers: mounted?.contract.ack,
        viewer: async () => {
          const { identity } = connection
          if (!identity || name === 'AUTH') return identity?.viewer ?? { kind: 'none' as const }
          return edge.identities?.ofLine(app, identity)
        },
        parse: () => {
          const parsed = mounted!.contract.data.safeParse(data ?? {})
          return parsed.success ? { input: parsed.data } : { issues: parsed.error.issues }
        },
      }
      const run = () => edge.dispatch(asked, call)
      if (!about_identity.has(name)) return run()
      const turn = identity_turn.then(() => (name === 'AUTH' ? authenticate(run) : run()))
      identity_turn = turn
      return turn
    }

    /** Nothing reaches the new identity before its auth_success; after a failed AUTH the former one goes on. */
    async function authenticate(run: () => Promise<Reply>): Promise<Reply> {
      connection.hold()
      const reply = await run()
      if (reply.ok) connection.welcome(reply.data as object)
      else connection.letGo()
      if (connection.identity) deadline.cancel()
      return reply
    }

    socket.on('message_main', async (packet: unknown, maybeAck?: unknown) => {
      const ack = typeof maybeAck === 'function' ? (maybeAck as Acknowledge) : undefined
      const now_ms = app.clock.now().epochMilliseconds
      if (isFlood(now_ms) > 0) return connection.close()
      const asked = open(edge.socket_key, packet, limits.main_packet_bytes)
      if (!isRequest(asked) || !isModest(asked)) return unreadable(undefined, ack)
      const slowed =
        tooFast(rates, connection, now_ms) ?? (under_way >= limits.main_actions_burst ? tooMany(1000) : undefined)
      if (slowed) return answer(slowed, asked.action, ack)
      under_way += 1
      const reply = await handle(asked.action, asked.data).finally(() => (under_way -= 1))
      answer(reply, asked.action, ack)
    })
    ignoreInvented(app, socket, new Set(['message_main']))
    socket.on('disconnect', () => {
      deadline.cancel()
      app.metrics.sockets.dec({ kind: 'main' })
      app.realtime.lost(connection)
    })
  }
}

function isRequest(value: unknown): value is { action: string; data?: unknown } {
  return typeof value === 'object' && value !== null && typeof (value as { action?: unknown }).action === 'string'
}

function tooFast(rates: Rates, connection: Connection, now_ms: number): FailedReply | undefined {
  const wait_ms = rates.take(
    connection.identity ? `user ${connection.identity.user_id}` : connection.id,
    action_pace,
    now_ms,
  )
  return wait_ms > 0 ? tooMany(wait_ms) : undefined
}

function tooMany(wait_ms: number): FailedReply {
  return failureOf('too_many', { retry_after: Math.ceil(wait_ms / 1000) })
}

export function timesFaster({ burst, a_second }: Pace): Pace {
  return { burst: burst * limits.flood_factor, a_second: a_second * limits.flood_factor }
}

/** Event names that nobody listens to are ignored and counted; the counter is what an operator sees of a fuzzer. */
export function ignoreInvented(app: App, socket: Socket, known: ReadonlySet<string>): void {
  socket.onAny((event) => {
    if (!known.has(String(event))) app.metrics.turned_away.inc({ reason: 'event' })
  })
}

/** Closes a socket that does not say who it is. */
export function makeAuthDeadline(app: App, connection: Connection): { extend(seconds: number): void; cancel(): void } {
  const arm = (seconds: number) => app.clock.at(plusMs(app.clock.now(), seconds * 1000), () => connection.close())
  let cancel: (() => void) | undefined = arm(limits.auth_wait_seconds)
  return {
    extend(seconds) {
      if (!cancel) return
      cancel()
      cancel = arm(seconds)
    },
    cancel() {
      cancel?.()
      cancel = undefined
    },
  }
}
