import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server, type Socket } from 'socket.io'
import { open, seal } from '@duet/server/lib/cipher.ts'

/**
 * The baseline: Socket.IO passes an encrypted text to another socket and acknowledges the text. There is no product
 * behind it. As in the product, there is only websocket and no compression.
 */
const FRAME_BYTES_MAX = 1024 * 1024
const key = Buffer.from(process.env.ECHO_KEY!, 'base64')
const http = createServer()
const io = new Server(http, {
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
})
const sockets = new Map<number, Socket>()

interface Packet {
  readonly action: 'AUTH' | 'MESSAGE'
  readonly data: { readonly id?: number; readonly to?: number; readonly message?: string }
}

io.on('connection', (socket) => {
  let sender_id = -1
  socket.on('message_main', (packet: string, ack: (packet: string) => void) => {
    const { action, data } = open(key, packet, FRAME_BYTES_MAX) as Packet
    if (action === 'AUTH') {
      sender_id = data.id!
      sockets.set(sender_id, socket)
    } else {
      const { message: text } = data
      const event = { message: { sender_id, text } }
      sockets.get(data.to!)?.emit('messenger_message', seal(key, event))
    }
    ack(seal(key, { data: {} }))
  })
})
http.listen(Number(process.env.PORT), '127.0.0.1', () => {
  console.error(`serving at ${(http.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
