import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../core/app.ts'
import { plusMs } from '../../lib/clock.ts'
import { createTokenBucket, type RateLimit } from '../../lib/rate-limit.ts'
import type { ContractRegistry } from '../dispatch/contract-registry.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { IdentityProvider } from '../../core/module.ts'
import type { Connection } from './connection.ts'

/** What every edge (sockets, HTTP) needs to bring a call to its handler. */
export interface TransportContext {
  readonly app: App
  readonly registry: ContractRegistry
  readonly dispatch: Dispatcher
  readonly identityProvider: IdentityProvider | undefined
  /** Of `message_main`; public by nature. */
  readonly socket_key: Buffer
  readonly isDraining: () => boolean
}

const unreadable_pace: RateLimit = {
  burst: limits.unreadable_packets_a_minute,
  per_second: limits.unreadable_packets_a_minute / 60,
}

/** What a socket may send before it is closed: so much a second, so much that cannot be read. Answers whether it is too much. */
export function createFloodGuard(pace: RateLimit): {
  isFlood(now_ms: number): boolean
  isGarbage(now_ms: number): boolean
} {
  const flood = createTokenBucket({
    burst: pace.burst * limits.flood_factor,
    per_second: pace.per_second * limits.flood_factor,
  })
  const garbage = createTokenBucket(unreadable_pace)
  return { isFlood: (now_ms) => flood(now_ms) > 0, isGarbage: (now_ms) => garbage(now_ms) > 0 }
}

/** Counts a socket while it is open, and event names that nobody listens to: what an operator sees of a fuzzer. */
export function trackSocket(
  app: App,
  socket: Socket,
  kind: 'main' | 'signal',
  known: ReadonlySet<string>,
): void {
  app.metrics.sockets.inc({ kind })
  socket.once('disconnect', () => app.metrics.sockets.dec({ kind }))
  socket.onAny((event) => {
    if (!known.has(String(event))) app.metrics.turned_away.inc({ reason: 'event' })
  })
}

export interface Deadline {
  extend(seconds: number): void
  cancel(): void
}

/** Closes a socket that does not say who it is. */
export function createAuthDeadline(app: App, connection: Connection): Deadline {
  const arm = (seconds: number) =>
    app.clock.at(plusMs(app.clock.now(), seconds * 1000), () => connection.close())
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
