import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../core/app.ts'
import { setNewest } from '../../lib/bounded-map.ts'
import { isLoopback } from '../../lib/addresses/loopback.ts'
import { createTokenBucket, type RateLimit } from '../../lib/rate-limit.ts'
import { type FramedConnection, joinFrames } from './joined-frames.ts'
import {
  getClientAddress,
  identifyClient,
  listNetworks,
  toNetwork,
  type ConnectedClient,
} from '../http/client-address.ts'

/** The share of the sockets that guests cannot take. */
const MEMBERS_SHARE = 0.1
/** The share that no other network can take: before AUTH only its network shows who opens a socket. */
const KNOWN_NETWORKS_SHARE = 0.05
const KNOWN_NETWORKS_MAX = 100_000

/** Counts open sockets, in all and per network, over both socket servers. */
export interface ConnectionLimiter {
  isFull(address: string): boolean
  /** Whether the places that are left are kept for members. */
  isReserved(): boolean
  /** A member logged in from this address: its network may take the last places. */
  rememberMember(address: string): void
  take(address: string): void
  free(address: string): void
}

export function createConnectionLimiter(app: App): ConnectionLimiter {
  const { sockets_max, sockets_per_address_max, demo } = app.config
  const openOf = new Map<string, number>()
  const memberNetworks = new Map<string, true>()
  const add = (address: string, count: 1 | -1) => {
    open += count
    for (const { key } of listNetworks(address)) {
      const ofNetwork = (openOf.get(key) ?? 0) + count
      if (ofNetwork > 0) openOf.set(key, ofNetwork)
      else openOf.delete(key)
    }
  }
  let open = 0
  return {
    isFull(address) {
      if (open >= sockets_max) return true
      if (demo && isLoopback(address)) return false
      const isLast = open >= sockets_max * (1 - KNOWN_NETWORKS_SHARE)
      if (isLast && !memberNetworks.has(toNetwork(address))) return true
      return listNetworks(address).some(
        ({ key, factor }) => (openOf.get(key) ?? 0) >= sockets_per_address_max * factor,
      )
    },
    isReserved: () => open > sockets_max * (1 - MEMBERS_SHARE),
    rememberMember: (address) =>
      setNewest(memberNetworks, toNetwork(address), true, KNOWN_NETWORKS_MAX),
    take: (address) => add(address, 1),
    free: (address) => add(address, -1),
  }
}

export interface SocketServerOptions {
  readonly path: '/socket.io' | '/signal'
  readonly transport_bytes: number
  /** The rate of the socket's requests; a socket that sends many times more packets of any kind is closed. */
  readonly rate: RateLimit
  /** False while the server drains: no new socket is accepted. */
  readonly isAccepting: () => boolean
  readonly limiter: ConnectionLimiter
  readonly onConnection: (socket: Socket, client: ConnectedClient) => void
}

/** Creates a Socket.IO server on the HTTP server: websocket only, from our own pages only, limited in number. */
export function createSocketServer(
  app: App,
  http: HttpServer,
  options: SocketServerOptions,
): Server {
  const { origins } = app.config
  const isOurOrigin = (origin: string | undefined) =>
    origin !== undefined && origins.includes(origin)
  const reject = (reason: string, answer: (message: string, success: boolean) => void) => {
    app.metrics.turned_away.inc({ reason })
    answer(reason, false)
  }
  const io = new Server(http, {
    path: options.path,
    serveClient: false,
    transports: ['websocket'],
    allowUpgrades: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: options.transport_bytes,
    pingInterval: limits.ping_seconds * 1000,
    pingTimeout: limits.ping_timeout_seconds * 1000,
    connectTimeout: limits.auth_wait_seconds * 1000,
    allowRequest(request, answer) {
      if (!options.isAccepting()) return reject('draining', answer)
      // Websockets have no same-origin rule: only our own pages, named by their Origin header, may connect.
      if (!isOurOrigin(request.headers.origin)) return reject('origin', answer)
      if (options.limiter.isFull(getClientAddress(app, request))) return reject('full', answer)
      answer(null, true)
    },
  })
  const clients = new WeakMap<object, ConnectedClient>()
  io.engine.on('connection', (raw: RawSocket) => {
    closeAtFlood(app, raw, options.rate)
    joinFrames(raw)
    const client = identifyClient(app, raw.request!)
    const { address } = client
    clients.set(raw, client)
    options.limiter.take(address)
    raw.once('close', () => options.limiter.free(address))
    // Otherwise the first request would stay in memory as long as the socket.
    raw.request = null
  })
  io.on('connection', (socket) => options.onConnection(socket, clients.get(socket.conn)!))
  return io
}

/** The bytes of a payload as they were received: text is UTF-8, an attachment of an event is a buffer. */
function toBytes(data: string | NodeJS.ArrayBufferView | undefined): number {
  return data === undefined ? 0 : Buffer.byteLength(data)
}

/** A connection of Engine.IO, below the namespaces and events of Socket.IO. */
interface RawSocket extends FramedConnection {
  request: IncomingMessage | null
  on(event: 'packet', listen: (packet: { data?: string | NodeJS.ArrayBufferView }) => void): void
  once(event: 'close', run: () => void): void
  close(): void
}

/**
 * Counts every incoming packet and its bytes before Socket.IO parses it. Events without a listener and
 * connections to unknown namespaces cost as much as requests, and no later code sees them.
 */
function closeAtFlood(app: App, raw: RawSocket, { burst, per_second }: RateLimit): void {
  const takePacket = createTokenBucket({
    burst: burst * limits.flood_factor,
    per_second: per_second * limits.flood_factor,
  })
  const takeBytes = createTokenBucket({
    burst: limits.transport_bytes_burst,
    per_second: limits.transport_bytes_a_second,
  })
  // Of every type: the answer to a ping may have a payload too, and a client can send one at any time.
  raw.on('packet', ({ data }) => {
    const nowMs = app.clock.now().epochMilliseconds
    if (takePacket(nowMs) === 0 && takeBytes(nowMs, toBytes(data)) === 0) return
    app.metrics.turned_away.inc({ reason: 'flood' })
    raw.close()
  })
}
