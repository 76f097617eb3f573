import { deepEqual, equal, ok } from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { boundBodyTime } from './server.ts'

const WINDOW_MS = limits.http_body_seconds * 1000
const SLOWEST_BYTES = limits.http_upload_bytes_a_second * limits.http_body_seconds

function sentOn(config: { is_upload?: boolean }) {
  let closed = false
  const raw = Object.assign(new EventEmitter(), {
    method: 'POST',
    headers: { 'content-type': 'multipart/mixed; boundary=x' },
    socket: { bytesRead: 1_000_000 },
    destroy: () => (closed = true),
  })
  boundBodyTime({ raw, routeOptions: { config } } as never)
  return { raw, isClosed: () => closed }
}

test('a body has half a minute, and on the routes of uploads as long as it arrives', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const plain = sentOn({})
  const ended = sentOn({})
  const upload = sentOn({ is_upload: true })
  const silent = sentOn({ is_upload: true })
  ended.raw.emit('end')
  for (const one of [plain, ended, upload]) one.raw.socket.bytesRead += SLOWEST_BYTES
  t.mock.timers.tick(WINDOW_MS)
  deepEqual(
    [plain, ended, upload, silent].map(({ isClosed }) => isClosed()),
    [true, false, false, true],
  )
  upload.raw.socket.bytesRead += SLOWEST_BYTES - 1
  t.mock.timers.tick(WINDOW_MS)
  equal(upload.isClosed(), true)
})

test('an upload that takes much memory must go on as fast as it began to, up to its whole time', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const steady = sentOn({ is_upload: true })
  const stalled = sentOn({ is_upload: true })
  const rate = SLOWEST_BYTES * 3
  stalled.raw.socket.bytesRead += 29_000_000
  for (let ms = WINDOW_MS; ms < limits.http_upload_seconds * 1000; ms += WINDOW_MS) {
    steady.raw.socket.bytesRead += rate
    t.mock.timers.tick(WINDOW_MS)
    if (!stalled.isClosed()) stalled.raw.socket.bytesRead += rate
    equal(steady.isClosed(), false)
    equal(stalled.isClosed(), ms > WINDOW_MS)
  }
})

test('three documents of a megabyte arrive over a network of 4 kB a second', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const documents = sentOn({ is_upload: true })
  const sentInWindow = 4096 * limits.http_body_seconds
  let windows = 0
  for (let sent = 0; sent < 3 * 1024 * 1024; sent += sentInWindow) {
    documents.raw.socket.bytesRead += sentInWindow
    t.mock.timers.tick(WINDOW_MS)
    windows += 1
    equal(documents.isClosed(), false)
  }
  // The time of the whole request is bounded too: Node closes it.
  ok(windows * limits.http_body_seconds < limits.http_upload_seconds)
})
