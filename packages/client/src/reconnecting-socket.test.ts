import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { NoAnswerError, RefusedError } from './call-errors.ts'
import type { MainSocket } from './main-socket.ts'
import { createReconnectingSocket } from './reconnecting-socket.ts'

const SILENT: MainSocket = {
  request: () => new Promise(() => {}),
  receivedAtMs: () => 0,
  close() {},
}

const IGNORED = {
  onEvent() {},
  onConnecting() {},
  onLost() {},
  onStopped() {},
  onOtherTab() {},
}

for (const [refusal, additional] of [
  ['too_many', { retry_after: 60 }],
  ['client_old', {}],
] as const)
  test(`a page that wakes does not repeat an AUTH that was refused with ${refusal}`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let attempts = 0
    const socket = createReconnectingSocket({
      ...IGNORED,
      async open() {
        attempts += 1
        return SILENT
      },
      authenticate: () => Promise.reject(new RefusedError('AUTH', refusal, { additional })),
    })
    socket.connect()
    await new Promise(setImmediate)
    socket.wake()
    t.mock.timers.tick(5_000)
    await new Promise(setImmediate)
    equal(attempts, 1)
    socket.close()
  })

test('a page that wakes connects again at once when it was only offline', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let attempts = 0
  const socket = createReconnectingSocket({
    ...IGNORED,
    async open() {
      attempts += 1
      throw new NoAnswerError('AUTH')
    },
    authenticate: async () => {},
  })
  socket.connect()
  await new Promise(setImmediate)
  socket.wake()
  t.mock.timers.tick(600)
  await new Promise(setImmediate)
  equal(attempts, 2)
  socket.close()
})
