import type { Socket } from 'node:net'
import { limits } from '@duet/protocol/kernel/limits.ts'

/** A connection of Engine.IO on a WebSocket of ws: the parts that neither of them types. */
export interface FramedConnection {
  readonly request: { readonly socket: Socket } | null
  readonly transport: {
    readonly socket: {
      readonly bufferedAmount: number
      send(data: unknown, done: (error?: Error) => void): void
      terminate(): void
    }
  }
}

/**
 * Events and answers stop at `slow_reader_bytes`, each with one payload beyond. This is the bound for all
 * that Socket.IO writes by itself, such as refusals of unknown namespaces.
 */
const UNSENT_BYTES_MAX = 4 * limits.slow_reader_bytes

const corked = new Set<Socket>()

/**
 * Writes all frames of one iteration of the event loop with one system call: a message is four or five
 * frames for its sender. The callback of Engine.IO runs before the frame is written, so that Engine.IO
 * sends the next frame. `queuedBytes` says how much is unsent. A failed write calls the callback with its
 * error.
 */
export function joinFrames({ request, transport: { socket: webSocket } }: FramedConnection): void {
  const stream = request!.socket
  const send = webSocket.send.bind(webSocket)
  webSocket.send = (data, done) => {
    if (webSocket.bufferedAmount > UNSENT_BYTES_MAX) return webSocket.terminate()
    cork(stream)
    send(data, (error) => {
      if (error) done(error)
    })
    process.nextTick(done)
  }
}

function cork(stream: Socket): void {
  if (corked.has(stream)) return
  if (corked.size === 0) setImmediate(uncorkAll)
  corked.add(stream)
  stream.cork()
}

function uncorkAll(): void {
  const streams = [...corked]
  corked.clear()
  for (const stream of streams) stream.uncork()
}
