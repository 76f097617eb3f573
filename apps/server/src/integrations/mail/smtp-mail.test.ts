import { ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { createSmtpMail } from './smtp-mail.ts'

/** A mail server that takes no mail for now, and names its receiver as real ones do. */
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.write('220 duet.example\r\n')
  socket.on('data', (data) => {
    const line = data.toString()
    const receiver = /^RCPT TO:(<.*?>)/.exec(line)?.[1]
    if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
    else if (receiver) socket.write(`450 4.2.0 ${receiver}: Recipient address rejected\r\n`)
    else socket.write('250 ok\r\n')
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const transport = createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'no-reply@duet.example' })
after(() => {
  transport.close()
  server.close()
})

test('the error of a mail that is not taken for now does not name its receiver', async () => {
  const mail = { id: '1', to: 'boris@people.example', subject: 's', text: 't', html: '<p>t</p>' }
  await rejects(
    transport.send(
      { ...mail, unsubscribe_url: undefined },
      Temporal.Instant.from('2026-01-01T00:00Z'),
    ),
    (error: Error) => {
      ok(error.message.includes('450'), error.message)
      ok(!`${error.stack}${JSON.stringify(error)}`.includes('boris@'))
      return true
    },
  )
})
