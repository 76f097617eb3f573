import { equal, match, rejects } from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { refuse } from '../../lib/refusal.ts'
import { discardRest, endUnread } from './end-of-answer.ts'
import { readFiles } from './multipart.ts'

/** More than the buffers of a connection take. */
const FORM_BYTES = 20 * 1024 * 1024

async function fetchAnswer(
  answer: (response: ServerResponse) => Promise<void>,
): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => void answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

test('an answer goes on after a time in which the server had nothing to send', async () => {
  const { server, port } = await fetchAnswer(async (response) => {
    endUnread(response, 1)
    const idle = once(response, 'timeout')
    response.write('first ')
    await idle
    response.end('second')
  })
  equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'first second')
  server.close()
})

test('an answer whose reader takes nothing is ended', async () => {
  const closed = Promise.withResolvers<void>()
  const { server, port } = await fetchAnswer(async (response) => {
    response.once('close', closed.resolve)
    endUnread(response, 1)
    response.write(Buffer.alloc(64 * 1024 * 1024))
  })
  const reader = connect(port, '127.0.0.1')
  reader.pause()
  reader.on('error', () => {})
  reader.write('GET / HTTP/1.1\r\nHost: duet\r\n\r\n')
  await closed.promise
  reader.destroy()
  server.close()
})

/** A server that refuses each form at its first byte of a file. */
async function refusingServer() {
  const fastify = Fastify()
  fastify.removeAllContentTypeParsers()
  await fastify.register(multipart)
  fastify.post('/', async (request, reply) => {
    const onBytes = () => refuse('too_many')
    const refused = readFiles(request, ['media'], { file_bytes_max: 1e9, onBytes })
    await rejects(refused, /Too many/)
    return reply.status(429).send('refused')
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return fastify
}

test('a sender who reads only after sending learns that the upload is refused', async () => {
  const server = await refusingServer()
  const { port } = server.addresses()[0] as AddressInfo
  const head = '--b\r\nContent-Disposition: form-data; name="media"; filename="a.jpg"\r\n\r\n'
  const form = `${head}${'a'.repeat(FORM_BYTES)}\r\n--b--\r\n`
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write(
    `POST / HTTP/1.1\r\nHost: duet\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n`,
  )
  const failure = await new Promise((resolve) => {
    socket.write(form, resolve)
  })
  equal(failure ?? undefined, undefined)
  socket.resume()
  const [answer] = (await once(socket, 'data')) as [Buffer]
  match(answer.toString(), /^HTTP\/1\.1 429 [\s\S]*refused$/)
  socket.destroy()
  await server.close()
})

test('a sender who does not end is cut off after a while', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let destroyed = 0
  const sent = () =>
    Object.assign(new EventEmitter(), {
      unpipe() {},
      resume() {},
      destroy: () => (destroyed += 1),
    })
  const slow = sent()
  const ended = sent()
  for (const request of [slow, ended]) discardRest(request as never)
  ended.emit('end')
  t.mock.timers.tick(10_000)
  equal(destroyed, 1)
})
