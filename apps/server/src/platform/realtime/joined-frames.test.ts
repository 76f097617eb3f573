import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { joinFrames, type FramedConnection } from './joined-frames.ts'

/** A connection that notes what happens to it; `fail` gives the last frame's write this error. */
function notedConnection() {
  const noted: string[] = []
  const dones: ((error?: Error) => void)[] = []
  const connection = {
    request: { socket: { cork: () => noted.push('hold'), uncork: () => noted.push('write') } },
    transport: {
      socket: {
        send(data: string, done: (error?: Error) => void) {
          noted.push(data)
          dones.push(done)
        },
      },
    },
  }
  joinFrames(connection as unknown as FramedConnection)
  const { socket } = connection.transport
  return { noted, socket, fail: (error: Error) => dones.at(-1)!(error) }
}

const nextTick = () => new Promise((resolve) => process.nextTick(resolve))
const nextIteration = () => new Promise((resolve) => setImmediate(resolve))

test('the frames of one iteration are written together, those of the next one later', async () => {
  const { noted, socket } = notedConnection()
  const taken: string[] = []
  socket.send('a', () => {
    taken.push('a')
    socket.send('b', () => taken.push('b'))
  })
  await nextTick()
  await nextTick()
  deepEqual(
    [noted, taken],
    [
      ['hold', 'a', 'b'],
      ['a', 'b'],
    ],
  )
  await nextIteration()
  deepEqual(noted, ['hold', 'a', 'b', 'write'])
  socket.send('c', () => {})
  await nextIteration()
  deepEqual(noted, ['hold', 'a', 'b', 'write', 'hold', 'c', 'write'])
})

test('each connection is held and written for itself', async () => {
  const [one, other] = [notedConnection(), notedConnection()]
  one.socket.send('a', () => {})
  other.socket.send('b', () => {})
  await nextIteration()
  deepEqual(
    [one.noted, other.noted],
    [
      ['hold', 'a', 'write'],
      ['hold', 'b', 'write'],
    ],
  )
})

test('an error of a write reaches the callback, although it has run before', async () => {
  const { socket, fail } = notedConnection()
  const told: unknown[] = []
  socket.send('a', (error) => told.push(error?.message))
  await nextIteration()
  fail(new Error('lost'))
  deepEqual(told, [undefined, 'lost'])
})
