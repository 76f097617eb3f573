import { deepEqual } from 'node:assert/strict'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { Server, type Socket } from 'socket.io'
import { createSignalSocket, type SignalSocketOptions } from './signal-socket.ts'

async function fetchServer(t: TestContext, onAuth: (socket: Socket) => void) {
  const http = createServer()
  const io = new Server(http, { path: '/signal', transports: ['websocket'] })
  io.on('connection', (socket) => socket.on('AUTH', () => onAuth(socket)))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  t.after(() => io.close())
  const address = http.address()
  if (typeof address !== 'object' || !address) throw new Error('Impossible: the server has no port')
  return `http://127.0.0.1:${address.port}`
}

function getClient(t: TestContext, origin: string, handlers: Partial<SignalSocketOptions>) {
  const signal = createSignalSocket({
    origin,
    ortcToken: () => 'token',
    tabId: async () => '6f1f7a3e-6a8d-4a0e-9d6f-1d1f3b8a7c11',
    onEvent() {},
    onReady() {},
    onLost() {},
    ...handlers,
  })
  t.after(() => signal.close())
  return signal
}

test('events of a socket that was closed are not published', async (t) => {
  const published: string[] = []
  const closed = Promise.withResolvers<void>()
  const origin = await fetchServer(t, (socket) => {
    socket.on('disconnect', () => closed.resolve())
    socket.emit('first')
    socket.emit('second')
  })
  const signal = getClient(t, origin, {
    onEvent(event) {
      published.push(event)
      signal.close()
    },
  })
  signal.open()
  await closed.promise
  deepEqual(published, ['first'])
})
