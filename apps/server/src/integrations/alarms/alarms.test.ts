import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAlarmWebhook, readAlarms } from './alarms.ts'

const ALARM = { text: 'One complaint waits.', kind: 'serious_complaint_waits', complaint_ids: [7] }

test('an alarm is posted as JSON, and every other answer than success is an error', async () => {
  const statuses = [204, 500, 302]
  const bodies: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(body))
      const status = statuses.shift()
      // Without an answer: a receiver that hangs.
      if (status) response.writeHead(status, { Location: '/' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver = createAlarmWebhook(`http://127.0.0.1:${port}/hook`, 200)
  await receiver.send(ALARM)
  for (const _ of [500, 302, 'no answer']) await rejects(receiver.send(ALARM))
  deepEqual(bodies[0], ALARM)
  server.closeAllConnections()
  server.close()
})

test('the address of the webhook is checked at the start', () => {
  const read = (url: string | undefined, production: boolean) =>
    readAlarms({ ALARM_WEBHOOK_URL: url }, { production, data_dir: '/' })
  equal(read(undefined, true), undefined)
  equal(read('https://pager.example/x?key=1', true), 'https://pager.example/x?key=1')
  throws(() => read('http://pager.example/x', true), /https/)
  throws(() => read('https://', false), /ALARM_WEBHOOK_URL/)
})
