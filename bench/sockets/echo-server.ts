import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Server } from 'socket.io'

/**
 * The baseline: Socket.IO with the same packets and no product. Names, rights and rates are not checked, and every
 * packet is sent back. The code shares nothing with the product. The settings are those of a usual Socket.IO benchmark:
 * websocket only, no compression, the first request released.
 */
const key = Buffer.from(process.env.ECHO_KEY!, 'base64')
const http = createServer()
const io = new Server(http, {
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
})
io.engine.on('connection', (raw: { request: IncomingMessage | null }) => {
  raw.request = null
})
io.on('connection', (socket) => {
  socket.on('message_main', (packet: string, ack: (packet: string) => void) => {
    const bytes = Buffer.from(packet, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    const text = Buffer.concat([
      decipher.update(bytes.subarray(12, -16)),
      decipher.final(),
    ]).toString()
    const { data } = JSON.parse(text) as { data: unknown }
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const sealed = Buffer.concat([
      iv,
      cipher.update(JSON.stringify({ data })),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    ack(sealed.toString('base64'))
  })
})
http.listen(Number(process.env.PORT), '127.0.0.1', () => {
  console.error(`serving at ${(http.address() as AddressInfo).port}`)
})
