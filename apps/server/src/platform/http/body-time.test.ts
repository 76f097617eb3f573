import { equal } from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { boundBodyTime } from './server.ts'

test('a body has the time of an upload on the routes of uploads only', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const isClosed = (config: { is_upload?: boolean }, ends: boolean) => {
    let closed = false
    const raw = Object.assign(new EventEmitter(), {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=x' },
      destroy: () => (closed = true),
    })
    boundBodyTime({ raw, routeOptions: { config } } as never)
    if (ends) raw.emit('end')
    t.mock.timers.tick(limits.http_body_seconds * 1000)
    return closed
  }
  equal(isClosed({}, false), true)
  equal(isClosed({}, true), false)
  equal(isClosed({ is_upload: true }, false), false)
})
