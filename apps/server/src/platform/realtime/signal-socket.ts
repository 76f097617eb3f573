import { randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/limits.ts'
import { signalSent, type SignalSentName } from '@duet/protocol/signal.ts'
import type { Call } from '../../context.ts'
import { key_bytes, open } from '../../lib/cipher.ts'
import { makeBucket, type Pace } from '../../lib/rate.ts'
import { failureOf, type Reply } from '../dispatch.ts'
import { isModest } from '../guard-json.ts'
import { Connection } from './connection.ts'
import { type Edge, ignoreInvented, makeAuthDeadline, timesFaster } from './main-socket.ts'

const signal_pace: Pace = { burst: limits.signal_events_burst, a_second: limits.signal_events_a_second }
const unreadable_pace: Pace = {
  burst: limits.unreadable_packets_a_minute,
  a_second: limits.unreadable_packets_a_minute / 60,
}
const names = Object.keys(signalSent) as SignalSentName[]

/** The signalling socket: named events, sealed with its own key once AUTH is through, answered only when refused. */
export function makeSignalSocket(edge: Edge): (socket: Socket, address: string) => void {
  return (socket, address) => {
    const { app } = edge
    const connection = new Connection(socket, { kind: 'signal', address, country: null })
    const deadline = makeAuthDeadline(app, connection)
    const takeToken = makeBucket(signal_pace)
    const isFlood = makeBucket(timesFaster(signal_pace))
    const isGarbage = makeBucket(unreadable_pace)
    /** Signals of one peer keep their order: an answer never overtakes the candidates before it. */
    let turn: Promise<unknown> = Promise.resolve()
    let waiting = 0
    app.metrics.sockets.inc({ kind: 'signal' })

    function say(reply: Reply, action: string): void {
      if (!reply.ok) connection.send(`error_${reply.failure.code}`, { ...reply.failure, action })
    }

    async function authenticate(payload: unknown): Promise<void> {
      const parsed = signalSent.AUTH.payload.safeParse(payload)
      const holder = parsed.success ? await edge.identities?.byOrtcToken(app, parsed.data.ortc_token) : undefined
      if (
        parsed.success &&
        holder &&
        (await app.realtime.attachSignal(connection, { ...holder, tab_id: parsed.data.tab_id }))
      ) {
        deadline.cancel()
        connection.welcome({ cipher_key: randomBytes(key_bytes).toString('base64') })
        return
      }
      say(failureOf('session_invalid'), 'AUTH')
      connection.close()
    }

    async function handle(name: SignalSentName, payload: unknown): Promise<void> {
      if (!connection.isOpen) return
      if (name === 'AUTH') return authenticate(payload)
      if (!connection.identity) {
        say(failureOf('session_invalid'), name)
        return connection.close()
      }
      const { identity } = connection
      const call: Call = { request_id: randomUUID(), address, connection, country: connection.country }
      const { contract, handler } = edge.book.signals.get(name)!
      const reply = await edge.dispatch(
        {
          kind: 'signal',
          name,
          contract: { who: 'guest', refuses: ['not_found'] },
          handler,
          answers: undefined,
          viewer: async () => edge.identities?.ofLine(app, identity),
          parse: () => {
            const parsed = contract.payload.safeParse(payload ?? {})
            return parsed.success ? { input: parsed.data } : { issues: parsed.error.issues }
          },
        },
        call,
      )
      say(reply, name)
    }

    function opened(packet: unknown, name: SignalSentName): unknown {
      if (connection.cipher_key) return open(connection.cipher_key, packet, limits.signal_packet_bytes)
      return name === 'AUTH' && typeof packet === 'object' && packet !== null ? packet : undefined
    }

    for (const name of names) {
      socket.on(name, (packet: unknown) => {
        const now_ms = app.clock.now().epochMilliseconds
        if (isFlood(now_ms) > 0) return connection.close()
        if (!connection.identity && name !== 'AUTH') return say(failureOf('session_invalid'), name)
        const payload = opened(packet, name)
        if (payload === undefined || !isModest(payload)) {
          say(failureOf('unreadable'), name)
          if (isGarbage(now_ms) > 0) connection.close()
          return
        }
        const wait_ms = takeToken(now_ms)
        if (wait_ms > 0 || waiting >= limits.signal_events_burst) {
          return say(failureOf('too_many', { retry_after: Math.max(1, Math.ceil(wait_ms / 1000)) }), name)
        }
        waiting += 1
        turn = turn
          .then(() => handle(name, payload))
          .catch((error: unknown) => app.log.error({ err: error }, 'a signal failed'))
          .finally(() => (waiting -= 1))
      })
    }
    ignoreInvented(app, socket, new Set(names))
    socket.on('disconnect', () => {
      deadline.cancel()
      app.metrics.sockets.dec({ kind: 'signal' })
      app.realtime.lost(connection)
    })
  }
}
