import type { Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../core/app.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { plusMs } from '../../lib/clock.ts'
import { createTokenBucket, type RateLimit } from '../../lib/rate-limit.ts'
import type { ContractRegistry } from '../dispatch/contract-registry.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { Connection } from '../../core/realtime.ts'

/** The parts that every transport (sockets, HTTP) needs to bring a request to its handler. */
export interface TransportContext {
  readonly app: App
  readonly registry: ContractRegistry
  readonly dispatch: Dispatcher
  readonly identityProvider: IdentityProvider | undefined
  /** Of `message_main`; every client gets it, so it is no secret. */
  readonly socket_key: Buffer
  readonly isDraining: () => boolean
}

/** One less than the limit is tolerated, so that the last of them closes the socket. */
const UNREADABLE_LIMIT: RateLimit = {
  burst: limits.unreadable_packets_a_minute - 1,
  per_second: (limits.unreadable_packets_a_minute - 1) / 60,
}

/** Counts the unreadable packets of one socket: `isGarbage(nowMs)` is true when there are too many. */
export function createGarbageGuard(): (nowMs: number) => boolean {
  const takeToken = createTokenBucket(UNREADABLE_LIMIT)
  return (nowMs) => takeToken(nowMs) > 0
}

/** Counts the socket while it is open, and the events that have no listener: how an operator notices a fuzzer. */
export function trackSocket(
  app: App,
  socket: Socket,
  kind: 'main' | 'signal',
  knownEvents: ReadonlySet<string>,
): void {
  app.metrics.sockets.inc({ kind })
  socket.once('disconnect', () => app.metrics.sockets.dec({ kind }))
  socket.onAny((event) => {
    if (!knownEvents.has(String(event))) app.metrics.turned_away.inc({ reason: 'event' })
  })
}

export interface AuthDeadline {
  extend(seconds: number): void
  cancel(): void
}

/** Closes a socket that does not authenticate in time. */
export function createAuthDeadline(app: App, connection: Connection): AuthDeadline {
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
