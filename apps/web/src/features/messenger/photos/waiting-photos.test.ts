import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, NoAnswerError, persistence, RefusedError } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { messengerRuntime } from '../state/messenger-runtime.ts'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = () => {}
  await activate('en')
  await loadTexts('messenger')
})

afterEach(() => void vi.useRealTimers())

/** A page of the messenger whose connection and uploads the test decides. */
function getPage(phase: 'offline' | 'ready') {
  const listeners: ((snapshot: unknown) => void)[] = []
  let snapshot = { phase, auth: { user: { id: 1, role: 'girl' } } }
  let connected = Promise.withResolvers<void>()
  if (phase === 'ready') connected.resolve()
  const posts: { key: string; arrive: () => void; lose: () => void; refuse: () => void }[] = []
  const sent: { type?: string; message: string; random_id: string; price?: number }[] = []
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    ready: () => connected.promise,
    on(name: string, listener: (snapshot: unknown) => void) {
      if (name === 'snapshot') listeners.push(listener)
      return () => {}
    },
    async act(action: string, fields: { message: string; random_id: string }) {
      if (action === 'GET_DIALOG') return { dialog: { dialog_id: 7, interlocutor: { id: 2 } } }
      if (action === 'GET_DIALOG_MESSAGES') return { messages: [] }
      sent.push(fields)
      const answer = { ...fields, message_id: sent.length, create_time: '2026-03-01T10:00:00Z' }
      return { ...answer, can_write: { allowed: true, cost: 'credit', credits: 1 }, price: 1 }
    },
    http: {
      post(_path: string, _body: object, extra: { idempotency_key: string }) {
        const { promise, resolve, reject } = Promise.withResolvers<object>()
        posts.push({
          key: extra.idempotency_key,
          arrive: () => resolve({ media: { id: `media-${posts.length}` } }),
          lose: () => reject(new NoAnswerError('POST')),
          refuse: () => reject(new RefusedError('POST', 'draining')),
        })
        return promise
      },
    },
  }
  const services = { connection, persistence: persistence(memoryStore()), report() {} }
  const messenger = messengerRuntime(services as unknown as AppServices)
  const change = (next: 'offline' | 'ready') => {
    snapshot = { ...snapshot, phase: next }
    for (const listener of listeners) listener(snapshot)
  }
  return {
    messenger,
    posts,
    sent,
    summary: () => sent.map(({ type, message }) => type ?? message),
    disconnect() {
      connected = Promise.withResolvers()
      change('offline')
    },
    connect() {
      connected.resolve()
      change('ready')
    },
  }
}

const photo = () => new File(['photo'], 'beach.jpg', { type: 'image/jpeg' })
/** Neither of two writings in the same millisecond is the earlier writing. */
const later = () => vi.setSystemTime(Date.now() + 1)

test('a photo and the text after it wait for the connection and go out in their order', async () => {
  const { messenger, posts, summary, connect } = getPage('offline')
  messenger.sendPhotos(7, [photo()])
  later()
  messenger.send(7, 'my dog')
  messenger.send(8, 'elsewhere')
  expect(posts).toEqual([])
  connect()
  await expect.poll(summary).toEqual(['elsewhere'])
  posts[0]!.arrive()
  await expect.poll(summary).toEqual(['elsewhere', 'image', 'my dog'])
})

test('an upload that ends with the connection is repeated under the same key', async () => {
  const { messenger, posts, sent, connect, disconnect } = getPage('ready')
  messenger.sendPhotos(7, [photo()])
  await expect.poll(() => posts.length).toBe(1)
  const errors: unknown[] = []
  messenger.uploads.subscribe(() =>
    errors.push(...messenger.uploads.getSnapshot().flatMap(({ error }) => error ?? [])),
  )
  disconnect()
  posts[0]!.lose()
  connect()
  await vi.advanceTimersByTimeAsync(2000)
  await expect.poll(() => posts.length).toBe(2)
  posts[1]!.arrive()
  await expect.poll(() => sent.length).toBe(1)
  expect(posts[1]!.key).toBe(posts[0]!.key)
  expect(sent[0]!.random_id).toBe(posts[0]!.key)
  expect(errors).toEqual([])
})

test('a photo that failed holds no text back, and is sent by itself at the next connection', async () => {
  const { messenger, posts, summary, connect, disconnect } = getPage('ready')
  messenger.sendPhotos(7, [photo()])
  later()
  messenger.send(7, 'my dog')
  await expect.poll(() => posts.length).toBe(1)
  posts[0]!.lose()
  await expect.poll(summary).toEqual(['my dog'])
  expect(messenger.uploads.getSnapshot()[0]!.error).toContain("didn't arrive")
  disconnect()
  connect()
  await expect.poll(() => posts.length).toBe(2)
  posts[1]!.arrive()
  await expect.poll(summary).toEqual(['my dog', 'image'])
})

test('a photo that failed is sent by itself when the device is in a network again, also if the socket outlived the loss', async () => {
  const { messenger, posts, summary } = getPage('ready')
  messenger.sendPhotos(7, [photo()])
  await expect.poll(() => posts.length).toBe(1)
  posts[0]!.lose()
  await expect.poll(() => messenger.uploads.getSnapshot()[0]!.error).toContain("didn't arrive")
  dispatchEvent(new Event('online'))
  await expect.poll(() => posts.length).toBe(2)
  posts[1]!.arrive()
  await expect.poll(summary).toEqual(['image'])
})

test('a photo that is lost each time is repeated three times, then waits for the user and holds no text back', async () => {
  const { messenger, posts, summary, connect, disconnect } = getPage('ready')
  messenger.sendPhotos(7, [photo()])
  later()
  messenger.send(7, 'my dog')
  for (const [count, pauseMs] of [2000, 4000, 8000, 0].entries()) {
    await expect.poll(() => posts.length).toBe(count + 1)
    disconnect()
    posts[count]!.lose()
    connect()
    await vi.advanceTimersByTimeAsync(Math.max(0, pauseMs - 1))
    expect(posts).toHaveLength(count + 1)
    await vi.advanceTimersByTimeAsync(1)
  }
  await expect.poll(summary).toEqual(['my dog'])
  const [failed] = messenger.uploads.getSnapshot()
  expect(failed!.error).toContain("didn't arrive")
  disconnect()
  connect()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(posts).toHaveLength(4)
  messenger.retryPhoto(failed!)
  await expect.poll(() => posts.length).toBe(5)
  posts[4]!.arrive()
  await expect.poll(summary).toEqual(['my dog', 'image'])
})

test('a photo that meets a restart of the server is sent again, as texts are', async () => {
  const { messenger, posts, summary, connect, disconnect } = getPage('ready')
  messenger.sendPhotos(7, [photo()])
  for (const count of [1, 2, 3, 4]) {
    await expect.poll(() => posts.length).toBe(count)
    posts[count - 1]!.refuse()
    await vi.advanceTimersByTimeAsync(8000)
  }
  await expect.poll(() => messenger.uploads.getSnapshot()[0]!.error).toBeDefined()
  disconnect()
  connect()
  await expect.poll(() => posts.length).toBe(5)
  posts[4]!.arrive()
  await expect.poll(summary).toEqual(['image'])
})

test('a file that was removed from the device fails before it is sent', async () => {
  const { messenger, posts } = getPage('ready')
  const removed = photo()
  removed.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadable')) }) as never
  messenger.sendPhotos(7, [removed])
  await expect
    .poll(() => messenger.uploads.getSnapshot()[0]!.error)
    .toContain("can't be read any more")
  expect(posts).toEqual([])
})

test('a text goes out when the photo before it is taken off the list', async () => {
  const { messenger, posts, summary } = getPage('ready')
  messenger.sendPhotos(7, [photo()])
  later()
  messenger.send(7, 'without it')
  await expect.poll(() => posts.length).toBe(1)
  messenger.endPhoto(messenger.uploads.getSnapshot()[0]!.key)
  await expect.poll(summary).toEqual(['without it'])
})

test('no more than twenty photos wait', () => {
  const { messenger } = getPage('offline')
  expect(messenger.sendPhotos(7, Array.from({ length: 20 }, photo))).toBe(true)
  expect(messenger.sendPhotos(7, [photo()])).toBe(false)
  expect(messenger.uploads.getSnapshot()).toHaveLength(20)
})

test('an own message shows its price from its answer on', async () => {
  const { messenger } = getPage('ready')
  await messenger.openDialog(7)
  messenger.send(7, 'Hello')
  const prices = () =>
    messenger.state
      .getSnapshot()
      .threads.get(7)!
      .messages.map(({ price }) => price)
  await expect.poll(prices).toEqual([1])
})
