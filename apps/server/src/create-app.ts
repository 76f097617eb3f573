import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { EventName, Payload } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Server, Socket } from 'socket.io'
import type { App, Tx } from './core/app.ts'
import type { Pool } from './core/db.ts'
import { composeHooks } from './compose-hooks.ts'
import type { UserId } from './core/ids.ts'
import type { Config } from './config.ts'
import { createIntegrations } from './create-integrations.ts'
import type { PushSender } from './integrations/push/push.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { createMemoryRateLimiter } from './lib/rate-limit.ts'
import { modules as allModules } from './modules.ts'
import { type Composition, killApp, type ModuleStop, stopApp } from './stop-app.ts'
import {
  type ContractRegistry,
  createContractRegistry,
} from './platform/dispatch/contract-registry.ts'
import { type PendingWork, createPendingWork } from './platform/pending-work.ts'
import { createOutbox, type Outbox } from './platform/database/outbox.ts'
import { type Database, onDedicatedConnection } from './platform/database/open.ts'
import { createTransact } from './platform/database/transact.ts'
import { createDispatcher } from './platform/dispatch/dispatcher.ts'
import { isDraining } from './platform/draining.ts'
import { createHttpServer } from './platform/http/server.ts'
import { createJobs, type JobRegistry } from './platform/jobs/jobs.ts'
import { retentionJobs } from './platform/retention/retention.ts'
import { monthPartitionJobs } from './platform/database/month-partitions.ts'
import { createLog } from './platform/log.ts'
import { eraseUser } from './platform/personal-data/erase-rows.ts'
import { exportUser } from './platform/personal-data/export-rows.ts'
import { createMetrics } from './platform/metrics.ts'
import type { Module } from './core/module.ts'
import { whenListening } from './platform/process/when-listening.ts'
import { createProcessOwner } from './platform/process/process-owner.ts'
import { createConnectionLimiter, createSocketServer } from './platform/realtime/socket-server.ts'
import { identities } from './platform/realtime/identity-provider.ts'
import type { TransportContext } from './platform/realtime/transport-context.ts'
import { ACTION_LIMIT, createMainSocketHandler } from './platform/realtime/main-socket.ts'
import { createMemoryRealtime } from './platform/realtime/memory-realtime.ts'
import { createSignalSocketHandler, SIGNAL_LIMIT } from './platform/realtime/signal-socket.ts'
import { socketKey } from './platform/realtime/socket-key.ts'
import { createNotifier, type NotifierExtension } from './platform/notifier/notifier.ts'

export interface AppOptions {
  readonly config: Config
  /** Migrated. The caller stops it after the app. */
  readonly database: Database
  readonly clock?: Clock
  readonly log?: App['log']
  readonly modules?: readonly Module[]
  /** Default: the model, in a thread. */
  readonly vision?: App['vision']
  /** Default: the models, in a thread. */
  readonly faces?: App['faces']
  /** The folder of the built web app. */
  readonly web_folder?: string
  /** The sender of push messages instead of the configured sender. */
  readonly push?: PushSender
  /** Polls the outbox and runs jobs by their timetable; tests drive both by hand. */
  readonly autonomous?: boolean
}

/** The composed product: it listens after `start` and holds nothing after `stop`. */
export interface RunningApp {
  readonly app: App
  /** Every mounted module, in the order of dependence. */
  readonly modules: readonly Module[]
  readonly registry: ContractRegistry
  readonly pending: PendingWork
  readonly outbox: Outbox
  /** Starts the modules, then listens. Returns the port. */
  start(): Promise<{ port: number }>
  /** Refuses new requests, asks clients to reconnect later, finishes what is running. */
  stop(): Promise<void>
  /** Drops everything at once, as a killed process does; for tests of what the next start finds. */
  kill(): Promise<void>
  /** The Socket.IO servers of the main and the signaling socket. */
  readonly socket_servers: readonly Server[]
  /** Every open socket of both servers. */
  sockets(): Iterable<Socket>
}

const WEB_DIST = join(import.meta.dirname, '../../web/dist')
export async function createApp(options: AppOptions): Promise<RunningApp> {
  const { config, modules = allModules, clock = systemClock, autonomous = true } = options
  const log = options.log ?? createLog(config)
  const pending = createPendingWork()
  const outbox = createOutbox({ db: options.database.db, log, clock })
  const { app, jobs } = composeApp({ ...options, clock, modules, log, outbox, pending, autonomous })
  registerHandlers(app, modules, outbox, jobs)
  const registry = createContractRegistry(modules)
  const transport = createTransportContext(app, registry, pending)
  const http = await createHttpServer(transport, options.web_folder ?? WEB_DIST)
  const socketServers = createSocketServers(http, transport)
  const parts: Composition = { app, modules, pending, outbox, http, socketServers, autonomous }
  const stopModules: ModuleStop[] = []
  return {
    app,
    modules,
    registry,
    pending,
    outbox,
    socket_servers: socketServers,
    *sockets() {
      for (const server of socketServers) yield* server.sockets.sockets.values()
    },
    async start() {
      await app.processOwner.start()
      for (const module of modules) {
        const stop = await module.start?.(app)
        if (stop) stopModules.unshift({ module: module.name, stop })
      }
      return listen(parts)
    },
    kill: () => killApp(parts),
    stop: () => stopApp(parts, stopModules),
  }
}

async function listen({ app, http, outbox, autonomous }: Composition): Promise<{ port: number }> {
  const { host, port, roles } = app.config
  if (autonomous) outbox.start()
  if (autonomous && roles.has('worker')) await app.jobs.start()
  await http.listen({ host, port })
  await whenListening.get(app)(app)
  return { port: (http.server.address() as AddressInfo).port }
}

function createTransportContext(
  app: App,
  registry: ContractRegistry,
  pending: PendingWork,
): TransportContext {
  return {
    app,
    registry,
    identityProvider: identities.get(app),
    dispatch: createDispatcher(app, { pending }),
    socket_key: socketKey(app),
    isDraining: () => isDraining(app),
  }
}

/** Gives the outbox handlers and the jobs of the modules to the outbox and the timetable. */
function registerHandlers(
  app: App,
  modules: readonly Module[],
  outbox: Outbox,
  timetable: JobRegistry,
): void {
  for (const { outboxHandlers = {}, jobs = {} } of modules) {
    for (const [kind, handler] of Object.entries(outboxHandlers)) {
      const { deliver, at_once } =
        typeof handler === 'function' ? { deliver: handler, at_once: undefined } : handler
      outbox.handle(kind, (payload) => deliver(app, payload as never), at_once)
    }
    for (const [name, job] of Object.entries(jobs)) timetable.define(name, job)
  }
  const platformJobs = { ...retentionJobs(modules), ...monthPartitionJobs }
  for (const [name, job] of Object.entries(platformJobs)) timetable.define(name, job)
}

interface AppParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly modules: readonly Module[]
  readonly log: App['log']
  readonly outbox: Outbox
  readonly pending: PendingWork
  readonly autonomous: boolean
  readonly push?: PushSender
  readonly vision?: App['vision']
  readonly faces?: App['faces']
}

function composeApp(parts: AppParts): { app: App; jobs: JobRegistry } {
  const { config, database, clock, modules, log, outbox, pending } = parts
  const realtime = createMemoryRealtime((error) =>
    log.error({ err: error }, 'a listener of connection changes failed'),
  )
  const jobs = createJobs(() => app, pending)
  const app: App = Object.freeze({
    config,
    log,
    clock,
    db: database.db,
    onDedicatedConnection: <T>(work: (db: Pool) => Promise<T>) =>
      onDedicatedConnection(database.connection, work),
    realtime,
    jobs,
    ...createIntegrations({ config, clock, log }, parts),
    metrics: createMetrics({ process_wide: parts.autonomous }),
    processOwner: createProcessOwner({
      db: database.db,
      connection: database.connection,
      clock,
      log,
    }),
    createRateLimiter: createMemoryRateLimiter,
    hooks: composeHooks(() => app, modules),
    eraseUser: (tx: Tx, user_id: UserId) => eraseUser(modules, tx, user_id),
    exportUser: (user_id: UserId, tables?: ReadonlySet<string>) =>
      exportUser(modules, app, user_id, tables),
    transact: <T>(work: (tx: Tx) => Promise<T>) =>
      pending.track(transact((tx) => work(tx as unknown as Tx))),
    emit: <E extends EventName>(user_id: UserId, event: E, payload: Payload<E>) =>
      realtime.send(user_id, event, payload),
    background(what: string, work: Promise<unknown>, details: object = {}) {
      work.catch((error: unknown) => log.error({ ...details, err: error }, `${what} failed`))
    },
  })
  for (const { provides = [] } of modules) for (const connect of provides) connect(app)
  const extend = createNotifier(app, modules)
  const lastStatement = (tx: NotifierExtension) => tx.lastStatement()
  const transact = createTransact({
    db: database.db,
    clock,
    log,
    outbox,
    extend,
    lastStatement,
  })
  return { app, jobs }
}

function createSocketServers(http: FastifyInstance, transport: TransportContext): Server[] {
  const { app } = transport
  const common = {
    limiter: createConnectionLimiter(app),
    isAccepting: () => !transport.isDraining(),
  }
  return [
    createSocketServer(app, http.server, {
      ...common,
      path: '/socket.io',
      transport_bytes: limits.main_transport_bytes,
      rate: ACTION_LIMIT,
      onConnection: createMainSocketHandler(transport, common.limiter),
    }),
    createSocketServer(app, http.server, {
      ...common,
      path: '/signal',
      transport_bytes: limits.signal_transport_bytes,
      rate: SIGNAL_LIMIT,
      onConnection: createSignalSocketHandler(transport, common.limiter),
    }),
  ]
}
