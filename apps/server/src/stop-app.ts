import type { Server as HttpServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Server } from 'socket.io'
import type { App } from './core/app.ts'
import type { Module } from './core/module.ts'
import type { Outbox } from './platform/database/outbox.ts'
import { beginDraining, isDraining } from './platform/draining.ts'
import type { PendingWork } from './platform/pending-work.ts'

const RECONNECT_MIN_MS = 500
const RECONNECT_SPREAD_MS = 3000
const FINISH_WITHIN_MS = 8000
/** A draining server still accepts connections for this long, so that load balancers see the failing readiness check. */
const READINESS_GRACE_MS = 500
/** After that, open keep-alive connections may finish this long; each answer asks the client to close. */
const LAST_ANSWERS_MS = 250
/** An iteration of the event loop that takes less than this has accepted and answered nothing. */
const QUIET_MS = 0.1
const QUIET_ITERATIONS_MAX = 1000

/** The parts that start, stop and kill act on. */
export interface Composition {
  readonly app: App
  readonly modules: readonly Module[]
  readonly pending: PendingWork
  readonly outbox: Outbox
  readonly http: FastifyInstance
  readonly socketServers: readonly Server[]
  readonly autonomous: boolean
}

/** How a started module stops. */
export interface ModuleStop {
  readonly module: string
  readonly stop: () => Promise<void> | void
}

/** Drops everything at once, as a killed process does. */
export async function killApp({ app, http, outbox, socketServers }: Composition): Promise<void> {
  app.realtime.local.removeListeners()
  await app.jobs.stop()
  for (const server of socketServers) server.engine.close()
  http.server.closeAllConnections()
  await http.close()
  await outbox.stop()
  await app.processOwner.kill()
}

/** Refuses new requests, asks clients to reconnect later, finishes what is running. A part that fails is logged and skipped. */
export async function stopApp(
  { app, pending, http, outbox, socketServers, autonomous }: Composition,
  stopModules: readonly ModuleStop[],
): Promise<void> {
  if (isDraining(app)) return
  beginDraining(app)
  askToReconnect(app)
  const listenerClosed = autonomous ? closeListener(http.server) : undefined
  const attempt = async (part: string, end: () => Promise<void> | void) => {
    try {
      await end()
    } catch (error) {
      app.log.error({ err: error, part }, 'a part of the server did not stop in order')
    }
  }
  await Promise.race([pending.settled(), pause(FINISH_WITHIN_MS)])
  await attempt('listener', () => listenerClosed)
  await attempt('jobs', () => app.jobs.stop())
  for (const { module, stop } of stopModules) await attempt(`module ${module}`, stop)
  await attempt('process owner', () => app.processOwner.stop())
  app.realtime.local.removeListeners()
  await attempt('sockets', () => {
    // Not io.close(): that would close the HTTP server under the other socket server.
    for (const server of socketServers) server.engine.close()
  })
  await attempt('http', () => http.close())
  await attempt('outbox deliveries', () => outbox.settled())
  await attempt('outbox', () => outbox.stop())
}

/** Stops accepting connections. Open connections stay until their last answer. */
async function closeListener(server: HttpServer): Promise<void> {
  await pause(READINESS_GRACE_MS)
  // The close resets connections that the system holds and the server has not accepted.
  await quietIteration()
  // Not the HTTP server's own close(): it would close idle keep-alive connections at once, with requests that are on the way.
  NetServer.prototype.close.call(server)
  await pause(LAST_ANSWERS_MS)
}

/** Resolves after an iteration of the event loop in which nothing happened, so that nothing waits to be accepted. */
async function quietIteration(): Promise<void> {
  for (let iteration = 0; iteration < QUIET_ITERATIONS_MAX; iteration += 1) {
    const began = performance.now()
    await setImmediate()
    if (performance.now() - began < QUIET_MS) return
  }
}

/** Clients reconnect at different moments: the next process must not meet all of them at once. */
function askToReconnect(app: App): void {
  for (const user_id of app.realtime.local.connectedUsers()) {
    const after_ms = RECONNECT_MIN_MS + Math.floor(Math.random() * RECONNECT_SPREAD_MS)
    app.emit(user_id, 'reconnect', { after_ms })
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
