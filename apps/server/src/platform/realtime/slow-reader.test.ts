import { equal, ok } from 'node:assert/strict'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { story } from '@duet/testkit/test-app.ts'
import { queuedBytes } from './send-queue.ts'

/** More than the operating system keeps for a paused reader on loopback. */
const SYSTEM_BUFFERS_BYTES = 16 * 1024 * 1024

story(
  'a slow reader has at most 256 KiB queued, loses events, and is disconnected',
  async ({ testApp, boris }) => {
    const [socket] = [...testApp.running.sockets()]
    const { transport } = boris.wire!.socket.io.engine as unknown as {
      transport: { ws: { _socket?: { pause(): void } } }
    }
    transport.ws._socket!.pause()
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
