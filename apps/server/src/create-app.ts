import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Server, Socket } from 'socket.io'
import type { App, Tx } from './core/app.ts'
import { composeHooks } from './core/compose-hooks.ts'
import type { Config } from './config.ts'
import { createTurnRelay } from './integrations/turn/turn.ts'
import { createSharpImageProcessor } from './integrations/images/sharp-images.ts'
import { createFolderStorage } from './integrations/storage/folder-storage.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { modules as allModules } from './modules.ts'
import {
  type ContractRegistry,
  createContractRegistry,
} from './platform/dispatch/contract-registry.ts'
import { type PendingWork, createPendingWork } from './platform/pending-work.ts'
import { createOutbox, type Outbox } from './platform/database/outbox.ts'
import type { Database } from './platform/database/open.ts'
import { createTransact } from './platform/database/transact.ts'
import { createDispatcher } from './platform/dispatch/dispatcher.ts'
import { beginDraining, isDraining } from './platform/draining.ts'
import { createHttpServer } from './platform/http/server.ts'
import { createJobs, type JobRegistry } from './platform/jobs/jobs.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import type { Module } from './core/module.ts'
import { createProcessOwner } from './platform/process/process-owner.ts'
import { createConnectionLimiter, createSocketServer } from './platform/realtime/socket-server.ts'
import type { TransportContext } from './platform/realtime/transport-context.ts'
import { createMainSocketHandler } from './platform/realtime/main-socket.ts'
import { createMemoryRealtime } from './platform/realtime/memory-realtime.ts'
import { createSignalSocketHandler } from './platform/realtime/signal-socket.ts'
import { socketKey } from './platform/realtime/socket-key.ts'
import { createNotifier } from './platform/notifier/notifier.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'

export interface AppOptions {
  readonly config: Config
  /** Migrated. Whoever opened it stops it after the app. */
  readonly database: Database
  readonly clock?: Clock
  readonly log?: App['log']
  readonly modules?: readonly Module[]
  /** Where the built web app lies. */
  readonly web_folder?: string
  /** Polls the outbox and keeps the timetable of jobs; tests drive both by hand. */
  readonly autonomous?: boolean
}

/** The product, composed: listening after `start`, gone after `stop`. */
export interface RunningApp {
  readonly app: App
  /** Every mounted module, in the order of dependence. */
  readonly modules: readonly Module[]
  readonly registry: ContractRegistry
  readonly pending: PendingWork
  readonly outbox: Outbox
  /** Starts modules, then listens. Answers the port. */
  start(): Promise<{ port: number }>
  /** Nobody new comes in, everybody is told to come back later, what is under way is finished. */
  stop(): Promise<void>
  /** Lets go of everything at once, as a killed process does; for tests of what the next start finds. */
  kill(): Promise<void>
  /** The main socket's and the signalling socket's servers. */
  readonly socket_servers: readonly Server[]
  /** Every open socket of both doors. */
  sockets(): Iterable<Socket>
}

const web_dist = join(import.meta.dirname, '../../web/dist')
const reconnect_least_ms = 500
const reconnect_spread_ms = 3000
const finish_within_ms = 8000

export async function createApp(options: AppOptions): Promise<RunningApp> {
  const {
    config,
    database,
    clock = systemClock,
    modules = allModules,
    autonomous: by_itself = true,
  } = options
  const log = options.log ?? createLog(config)
  const busy = createPendingWork()
  const outbox = createOutbox({ db: database.db, log, clock })
  const { app, jobs } = composeApp({
    config,
    database,
    clock,
    modules,
    log,
    outbox,
    busy,
    process_wide: by_itself,
  })
  const book = createContractRegistry(modules)
  const edge = createTransportContext(app, modules, book, busy)
  registerHandlers(app, modules, outbox, jobs)
  const http = await createHttpServer(edge, options.web_folder ?? web_dist)
  const doors = createSocketServers(app, http, edge)
  const stops: (() => Promise<void> | void)[] = []

  return {
    app,
    modules,
    registry: book,
    pending: busy,
    outbox,
    socket_servers: doors,
    async start() {
      await app.processOwner.start()
      for (const one of modules) {
        const stop = await one.start?.(app)
        if (stop) stops.unshift(stop)
      }
      if (by_itself) outbox.start()
      if (by_itself && config.roles.has('worker')) await app.jobs.start()
      await http.listen({ host: config.host, port: config.port })
      return { port: (http.server.address() as AddressInfo).port }
    },
    *sockets() {
      for (const door of doors) yield* door.sockets.sockets.values()
    },
    async kill() {
      app.realtime.removeListeners()
      await app.jobs.stop()
      for (const door of doors) door.engine.close()
      http.server.closeAllConnections()
      await http.close()
      await outbox.stop()
      await app.processOwner.kill()
    },
    async stop() {
      if (isDraining(app)) return
      beginDraining(app)
      askToReconnect(app)
      await Promise.race([busy.settled(), pause(finish_within_ms)])
      await app.jobs.stop()
      for (const stop of stops) await stop()
      await app.processOwner.stop()
      app.realtime.removeListeners()
      // Not io.close(): that would close the HTTP server under the other door.
      for (const door of doors) door.engine.close()
      await http.close()
      await outbox.settled()
      await outbox.stop()
    },
  }
}

function createTransportContext(
  app: App,
  modules: readonly Module[],
  book: ContractRegistry,
  busy: PendingWork,
): TransportContext {
  const identities = modules.find((one) => one.identityProvider)?.identityProvider
  return {
    app,
    registry: book,
    identityProvider: identities,
    dispatch: createDispatcher(app, { busy, moderationInfo: identities?.moderationInfo }),
    socket_key: socketKey(app),
    isDraining: () => isDraining(app),
  }
}

/** Gives the outbox and the timetable what the modules brought for them. */
function registerHandlers(
  app: App,
  modules: readonly Module[],
  outbox: Outbox,
  timetable: JobRegistry,
): void {
  for (const { outboxHandlers: kinds, jobs } of modules) {
    for (const [kind, deliver] of Object.entries(kinds ?? {})) {
      outbox.handle(kind, (payload) => deliver(app, payload as never))
    }
    for (const [name, job] of Object.entries(jobs ?? {})) timetable.define(name, job)
  }
}

/** Everybody comes back at a moment of his own: the next process must not meet them all at once. */
function askToReconnect(app: App): void {
  for (const user_id of app.realtime.connectedUsers()) {
    const after_ms = reconnect_least_ms + Math.floor(Math.random() * reconnect_spread_ms)
    app.emit(user_id, 'reconnect', { after_ms })
  }
}

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly modules: readonly Module[]
  readonly log: App['log']
  readonly outbox: Outbox
  readonly busy: PendingWork
  readonly process_wide: boolean
}

function composeApp({ config, database, clock, modules, log, outbox, busy, process_wide }: Parts): {
  app: App
  jobs: JobRegistry
} {
  const realtime = createMemoryRealtime((error) =>
    log.error({ err: error }, 'somebody who hears lines failed'),
  )
  const jobs = createJobs(() => app, database.connection, busy)
  const app: App = Object.freeze({
    config,
    log,
    clock,
    db: database.db,
    realtime,
    jobs,
    storage: createFolderStorage(join(config.data_dir, 'files')),
    images: createSharpImageProcessor(),
    relay: createTurnRelay(config.turn),
    metrics: createMetrics({ process_wide }),
    processOwner: createProcessOwner({
      db: database.db,
      connection: database.connection,
      clock,
      log,
    }),
    hooks: composeHooks(() => app, modules),
    transact: <T>(work: (tx: Tx) => Promise<T>) =>
      busy.track(
        transact(async (tx) => {
          const result = await work(tx as unknown as Tx)
          await tx.flushChanges()
          return result
        }),
      ),
    emit: realtime.send,
    background(what: string, work: Promise<unknown>, details: object = {}) {
      work.catch((error: unknown) => log.error({ ...details, err: error }, `${what} failed`))
    },
  })
  const transact = createTransact({ db: database.db, clock, log, outbox, extend: (tx) => tell(tx) })
  const tell = createNotifier(app, modules)
  return { app, jobs }
}

function createSocketServers(app: App, http: FastifyInstance, edge: TransportContext) {
  const limiter = createConnectionLimiter(app)
  const isAccepting = () => !isDraining(app)
  const common = { isAccepting, limiter }
  return [
    createSocketServer(app, http.server, {
      ...common,
      path: '/socket.io',
      transport_bytes: limits.main_transport_bytes,
      onConnection: createMainSocketHandler(edge),
    }),
    createSocketServer(app, http.server, {
      ...common,
      path: '/signal',
      transport_bytes: limits.signal_transport_bytes,
      onConnection: createSignalSocketHandler(edge),
    }),
  ]
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
