import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The percentage of pieces that are held for a while, and of pieces that cut the connection in their middle. */
const STALLED_PERCENT = 5
const CUT_PERCENT = 1
/** The percentage of connections that never reach the server: packets are lost until the client gives up. */
const UNANSWERED_PERCENT = 3
const STALL_MAX_MS = 300
/** Then a connection that leads nowhere ends. */
const UNANSWERED_MS = 400

export interface LossyLink {
  readonly origin: string
  /** Until then the link is good. */
  beginTroubles(): void
  /** How often the link stalled, cut and lost a connection. */
  readonly troubles: Readonly<Record<'stalled' | 'cut' | 'unanswered', number>>
  close(): Promise<void>
}

/** A TCP proxy before a server: it stalls, cuts in the middle of a packet, and leaves connections without an answer. */
export async function openLossyLink(serverPort: number, random: () => number): Promise<LossyLink> {
  const troubles = { stalled: 0, cut: 0, unanswered: 0 }
  const sockets = new Set<Socket>()
  let isLossy = false
  const isDrawn = (percent: number) => isLossy && random() * 100 < percent

  function follow(socket: Socket): void {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  function forward(from: Socket, to: Socket): void {
    from.on('data', (piece: Buffer) => {
      if (isDrawn(CUT_PERCENT)) {
        troubles.cut += 1
        to.write(piece.subarray(0, Math.floor(piece.length / 2)), () => to.destroy())
        return void from.destroy()
      }
      to.write(piece)
      if (!isDrawn(STALLED_PERCENT)) return
      troubles.stalled += 1
      from.pause()
      setTimeout(() => from.resume(), random() * STALL_MAX_MS)
    })
    from.on('close', () => to.destroy())
  }

  const proxy = createServer((client) => {
    follow(client)
    if (isDrawn(UNANSWERED_PERCENT)) {
      troubles.unanswered += 1
      return void setTimeout(() => client.destroy(), UNANSWERED_MS)
    }
    const server = connect(serverPort, '127.0.0.1')
    follow(server)
    forward(client, server)
    forward(server, client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    troubles,
    beginTroubles: () => void (isLossy = true),
    async close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await once(proxy, 'close')
    },
  }
}
