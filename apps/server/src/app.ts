import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Server, Socket } from 'socket.io'
import type { App, Reader, Tx, UserId } from './context.ts'
import type { Config } from './config.ts'
import { makeRelay } from './gateways/turn/turn.ts'
import { makeSharpPictures } from './gateways/picture/sharp-pictures.ts'
import { makeFolderStorage } from './gateways/storage/folder-storage.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { modules as allModules } from './modules.ts'
import { type Book, makeBook } from './platform/book.ts'
import { type Busy, makeBusy } from './platform/busy.ts'
import { createOutbox, type Outbox } from './platform/db/outbox.ts'
import type { Database } from './platform/db/open.ts'
import { createTransact } from './platform/db/transact.ts'
import { makeDispatcher } from './platform/dispatch.ts'
import { beginDraining, isDraining } from './platform/draining.ts'
import { makeHttp } from './platform/http/server.ts'
import { makeJobs } from './platform/jobs/jobs.ts'
import { makeLog } from './platform/log.ts'
import { makeMetrics } from './platform/metrics.ts'
import type { Module } from './platform/module.ts'
import { makePlaces, openDoor } from './platform/realtime/door.ts'
import type { Edge } from './platform/realtime/edge.ts'
import { makeMainSocket } from './platform/realtime/main-socket.ts'
import { makeMemoryRealtime } from './platform/realtime/memory-realtime.ts'
import { makeSignalSocket } from './platform/realtime/signal-socket.ts'
import { socketKey } from './platform/realtime/socket-key.ts'
import { makeTell, renderFor } from './platform/tell.ts'
import { limits } from '@duet/protocol/limits.ts'

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
  readonly by_itself?: boolean
}

/** The product, composed: listening after `start`, gone after `stop`. */
export interface Running {
  readonly app: App
  readonly book: Book
  readonly busy: Busy
  readonly outbox: Outbox
  /** Starts modules, then listens. Answers the port. */
  start(): Promise<{ port: number }>
  /** Nobody new comes in, everybody is told to come back later, what is under way is finished. */
  stop(): Promise<void>
  /** Lets go of everything at once, as a killed process does; for tests of what the next start finds. */
  kill(): Promise<void>
  /** The main socket's and the signalling socket's servers. */
  readonly doors: readonly Server[]
  /** Every open socket of both doors. */
  sockets(): Iterable<Socket>
}

const web_dist = join(import.meta.dirname, '../../web/dist')
const reconnect_least_ms = 500
const reconnect_spread_ms = 3000
const finish_within_ms = 8000

export async function createApp(options: AppOptions): Promise<Running> {
  const { config, database, clock = systemClock, modules = allModules, by_itself = true } = options
  const log = options.log ?? makeLog(config)
  const busy = makeBusy()
  const outbox = createOutbox({ db: database.db, log, clock })
  const app = makeApp({ config, database, clock, modules, log, outbox, busy, process_wide: by_itself })
  const book = makeBook(modules)
  const edge = makeEdge(app, book, busy)
  handOut(app, outbox)
  const http = await makeHttp(edge, options.web_folder ?? web_dist)
  const doors = openDoors(app, http, edge)
  const stops: (() => Promise<void> | void)[] = []

  return {
    app,
    book,
    busy,
    outbox,
    doors,
    async start() {
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
      app.realtime.fallSilent()
      await app.jobs.stop()
      for (const door of doors) door.engine.close()
      http.server.closeAllConnections()
      await http.close()
      await outbox.stop()
    },
    async stop() {
      if (isDraining(app)) return
      beginDraining(app)
      tellToComeBack(app)
      await Promise.race([busy.settled(), pause(finish_within_ms)])
      await app.jobs.stop()
      for (const stop of stops) await stop()
      app.realtime.fallSilent()
      // Not io.close(): that would close the HTTP server under the other door.
      for (const door of doors) door.engine.close()
      await http.close()
      await outbox.settled()
      await outbox.stop()
    },
  }
}

function makeEdge(app: App, book: Book, busy: Busy): Edge {
  const identities = app.modules.find((one) => one.identities)?.identities
  return {
    app,
    book,
    identities,
    dispatch: makeDispatcher(app, { busy, moderationInfo: identities?.moderationInfo }),
    socket_key: socketKey(app),
    isDraining: () => isDraining(app),
  }
}

/** Gives the outbox and the timetable what the modules brought for them. */
function handOut(app: App, outbox: Outbox): void {
  for (const { outbox: kinds, jobs } of app.modules) {
    for (const [kind, deliver] of Object.entries(kinds ?? {})) {
      outbox.handle(kind, (payload) => deliver(app, payload as never))
    }
    for (const [name, job] of Object.entries(jobs ?? {})) app.jobs.define(name, job)
  }
}

/** Everybody comes back at a moment of his own: the next process must not meet them all at once. */
function tellToComeBack(app: App): void {
  for (const user_id of app.realtime.live()) {
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
  readonly busy: Busy
  readonly process_wide: boolean
}

function makeApp({ config, database, clock, modules, log, outbox, busy, process_wide }: Parts): App {
  const realtime = makeMemoryRealtime((error) => log.error({ err: error }, 'somebody who hears lines failed'))
  const app: App = Object.freeze({
    config,
    log,
    clock,
    db: database.db,
    realtime,
    jobs: makeJobs(() => app, database.connection, busy),
    storage: makeFolderStorage(join(config.data_dir, 'files')),
    pictures: makeSharpPictures(),
    relay: makeRelay(config.turn),
    metrics: makeMetrics({ process_wide }),
    modules,
    transact: <T>(work: (tx: Tx) => Promise<T>) =>
      busy.track(
        transact(async (tx) => {
          const result = await work(tx as unknown as Tx)
          await tx.keepTold()
          return result
        }),
      ),
    render: (reader: Reader, viewer_id: UserId, event: string, stored: object) =>
      renderFor(app, reader, viewer_id, event, stored),
    emit: realtime.send,
  })
  const transact = createTransact({ db: database.db, clock, log, outbox, extend: (tx) => tell(tx) })
  const tell = makeTell(app, modules)
  return app
}

function openDoors(app: App, http: FastifyInstance, edge: Edge) {
  const places = makePlaces(app)
  const isOpen = () => !isDraining(app)
  const common = { isOpen, places }
  return [
    openDoor(app, http.server, {
      ...common,
      path: '/socket.io',
      transport_bytes: limits.main_transport_bytes,
      welcome: makeMainSocket(edge),
    }),
    openDoor(app, http.server, {
      ...common,
      path: '/signal',
      transport_bytes: limits.signal_transport_bytes,
      welcome: makeSignalSocket(edge),
    }),
  ]
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
