import { expect, test, vi } from 'vitest'
import type { ClientConnection, ConnectionSnapshot } from '@duet/client'
import { createEarlyConnection } from './early-connection.ts'

/** A connection that only records its calls. */
function connectionWith(snapshot: ConnectionSnapshot) {
  const unsubscribe = vi.fn<() => void>()
  const parts = {
    getSnapshot: () => snapshot,
    subscribe: vi.fn<ClientConnection['subscribe']>(() => unsubscribe),
    ready: vi.fn<ClientConnection['ready']>(async () => {}),
    act: vi.fn<(action: string) => Promise<string>>(async () => 'answer'),
  }
  return { parts, unsubscribe, connection: parts as unknown as ClientConnection }
}

test('waiting for readiness begins before the code of the connection is loaded', async () => {
  const early = createEarlyConnection()
  const ready = early.connection.ready(5)
  const { connection, parts } = connectionWith({ phase: 'ready' })
  early.attach(connection)
  await ready
  expect(parts.ready).toHaveBeenCalledExactlyOnceWith(5)
})

test('notifies a listener that subscribed early when the connection comes and at every change until it unsubscribes', async () => {
  const early = createEarlyConnection()
  const heard = vi.fn<() => void>()
  const leave = early.connection.subscribe(heard)
  expect(early.connection.getSnapshot().phase).toBe('connecting')
  const { connection, parts, unsubscribe } = connectionWith({ phase: 'ready' })
  early.attach(connection)
  await Promise.resolve()
  expect(heard).toHaveBeenCalledOnce()
  expect(parts.subscribe).toHaveBeenCalledExactlyOnceWith(heard)
  leave()
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test('a listener that left before the connection came is never subscribed', async () => {
  const early = createEarlyConnection()
  early.connection.subscribe(() => {})()
  const { connection, parts } = connectionWith({ phase: 'ready' })
  early.attach(connection)
  await Promise.resolve()
  expect(parts.subscribe).not.toHaveBeenCalled()
})

test('code that holds the early connection uses the real one once it is there', async () => {
  const { connection: held, attach } = createEarlyConnection()
  const { connection } = connectionWith({ phase: 'ready' })
  attach(connection)
  expect(held.getSnapshot()).toEqual({ phase: 'ready' })
  expect(await held.act('UNSUBSCRIBE', {} as never)).toBe('answer')
})
