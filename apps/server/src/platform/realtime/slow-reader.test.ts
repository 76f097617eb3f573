import { equal, ok } from 'node:assert/strict'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { sql } from 'kysely'
import { seal } from '../../lib/cipher.ts'
import { queuedBytes } from './send-queue.ts'

/** More than the operating system keeps for a paused reader on loopback. */
const SYSTEM_BUFFERS_BYTES = 16 * 1024 * 1024

/** The page of this user stops reading its socket. */
function pause(user: TestUser): void {
  const { transport } = user.wire!.socket.io.engine as unknown as {
    transport: { ws: { _socket?: { pause(): void } } }
  }
  transport.ws._socket!.pause()
}

function serversSocket(testApp: TestApp, user: TestUser) {
  return [...testApp.running.sockets()].find(({ id }) => id === user.wire!.socket.id)!
}

story(
  'a slow reader has at most 256 KiB queued, loses events, and is disconnected',
  async ({ testApp, boris }) => {
    const [socket] = [...testApp.running.sockets()]
    pause(boris)
    const payload = { session_id: 1, user_id: 1, filler: 'x'.repeat(64 * 1024) }
    let maxBytes = 0
    let sent = 0
    while (socket!.connected && sent * payload.filler.length < 2 * SYSTEM_BUFFERS_BYTES) {
      for (let burst = 0; burst < 20; burst += 1, sent += 1)
        testApp.app.emit(boris.id, 'session_typing', payload as never)
      maxBytes = Math.max(maxBytes, queuedBytes(socket!))
      await new Promise((resolve) => setImmediate(resolve))
    }
    ok(!socket!.connected, 'the server closed the connection')
    ok(
      maxBytes <= limits.slow_reader_bytes + payload.filler.length + 100,
      `${maxBytes} bytes were queued`,
    )
    equal(testApp.app.realtime.local.activeConnection(boris.id), undefined)
  },
)

story(
  'a client that only requests and does not read is disconnected before it fills the memory',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello Boris')
    await sql`update messages set text = ${'\u{1F600}'.repeat(1000)}`.execute(testApp.app.db)
    await sql`insert into messages select (jsonb_populate_record(m, jsonb_build_object(
      'id', m.id + n, 'random_id', null, 'asked', null))).* from messages m, generate_series(1, 49) n`.execute(
      testApp.app.db,
    )
    await testApp.settle()
    const answer = await boris.act('GET_DIALOG_MESSAGES', { dialogId })
    const answerBytes = JSON.stringify(answer).length * 2
    ok(answerBytes > 100_000, `an answer has ${answerBytes} bytes`)
    const socket = serversSocket(testApp, boris)
    const request = { action: 'GET_DIALOG_MESSAGES', data: { dialogId } }
    pause(boris)
    let maxBytes = 0
    for (let second = 0; second < 120 && socket.connected; second += 1) {
      for (let burst = 0; burst < limits.main_actions_a_second; burst += 1)
        boris.wire!.socket.emit('message_main', seal(testApp.socket_key, request), () => {})
      testApp.clock.sleep(testApp.clock.now().add({ seconds: 1 }))
      for (let turn = 0; turn < 20; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        maxBytes = Math.max(maxBytes, queuedBytes(socket))
      }
    }
    ok(!socket.connected, `${maxBytes} bytes were queued, and the connection is open`)
    ok(maxBytes <= limits.slow_reader_bytes + 2 * answerBytes, `${maxBytes} bytes were queued`)
  },
)
