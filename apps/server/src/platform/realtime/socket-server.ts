import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../core/app.ts'
import { isLoopback } from '../../config.ts'
import { addressOf, networkOf } from '../http/client-address.ts'

/** How many sockets are open, in all and from each network, over both socket servers. */
export interface ConnectionLimiter {
  isFull(address: string): boolean
  take(address: string): void
  free(address: string): void
}

export function createConnectionLimiter(app: App): ConnectionLimiter {
  const { sockets_max, sockets_per_address_max } = app.config
  const taken = new Map<string, number>()
  let all = 0
  return {
    isFull(address) {
      const here = taken.get(networkOf(address)) ?? 0
      return all >= sockets_max || (here >= sockets_per_address_max && !isLoopback(address))
    },
    take(address) {
      const network = networkOf(address)
      all += 1
      taken.set(network, (taken.get(network) ?? 0) + 1)
    },
    free(address) {
      const network = networkOf(address)
      const here = (taken.get(network) ?? 1) - 1
      all -= 1
      if (here > 0) taken.set(network, here)
      else taken.delete(network)
    },
  }
}

export interface SocketServerOptions {
  readonly path: '/socket.io' | '/signal'
  readonly transport_bytes: number
  /** False while the server drains: nobody new comes in. */
  readonly isAccepting: () => boolean
  readonly limiter: ConnectionLimiter
  readonly onConnection: (socket: Socket, address: string) => void
}

/** A Socket.IO server on the HTTP server: websocket only, from our own pages only, in bounded number. */
export function createSocketServer(app: App, http: HttpServer, door: SocketServerOptions): Server {
  const { origins, office_origin } = app.config
  const isOurs = (origin: string | undefined) =>
    origin !== undefined && (origins.includes(origin) || origin === office_origin)
  const turnAway = (reason: string, answer: (message: string, success: boolean) => void) => {
    app.metrics.turned_away.inc({ reason })
    answer(reason, false)
  }
  const io = new Server(http, {
    path: door.path,
    serveClient: false,
    transports: ['websocket'],
    allowUpgrades: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: door.transport_bytes,
    pingInterval: limits.ping_seconds * 1000,
    pingTimeout: limits.ping_timeout_seconds * 1000,
    connectTimeout: limits.auth_wait_seconds * 1000,
    allowRequest(request, answer) {
      if (!door.isAccepting()) return turnAway('draining', answer)
      // Websockets know no same-origin rule: whoever is not one of our pages, or does not say what he is, stays out.
      if (!isOurs(request.headers.origin)) return turnAway('origin', answer)
      if (door.limiter.isFull(addressOf(request, app.config.trusted_proxies)))
        return turnAway('full', answer)
      answer(null, true)
    },
  })
  const addresses = new WeakMap<object, string>()
  io.engine.on(
    'connection',
    (raw: { request: IncomingMessage | null; once(event: 'close', run: () => void): void }) => {
      const address = addressOf(raw.request!, app.config.trusted_proxies)
      addresses.set(raw, address)
      door.limiter.take(address)
      raw.once('close', () => door.limiter.free(address))
      // The first request of a socket would otherwise live as long as the socket does.
      raw.request = null
    },
  )
  io.on('connection', (socket) => door.onConnection(socket, addresses.get(socket.conn)!))
  return io
}
