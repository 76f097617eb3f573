import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { AppServices } from '../../shared/app-services.tsx'
import { mountGoTo } from '../../shared/navigation/go-to.ts'
import { followPush, isPushOn, turnPushOff, turnPushOn } from './push.ts'

const ANNA = { id: 1, role: 'girl', noty_push: true }
const BELLA = { id: 2, role: 'girl', noty_push: true }
const listeners = new Map<string, (payload: unknown) => void>()
const acted: unknown[] = []
let user: typeof ANNA
let keys: object | undefined
let services: AppServices
/** The push addresses that the browser ended, and its shown messages that were closed. */
const ended: string[] = []
const subscription = { unsubscribe: async () => void ended.push('address') }
let registration: object | undefined
let open: ((event: { data: unknown }) => void) | undefined

beforeEach(() => {
  listeners.clear()
  acted.length = 0
  ended.length = 0
  registration = {
    getNotifications: async () => [{ close: () => void ended.push('message') }],
    pushManager: { getSubscription: async () => subscription },
  }
  keys = { p256dh: 'p', auth: 'a' }
  user = ANNA
  const pushManager = {
    getSubscription: async () => null,
    subscribe: async () => ({ toJSON: () => ({ endpoint: 'https://push.test/1', keys }) }),
  }
  const serviceWorker = {
    register: async () => ({ pushManager }),
    ready: Promise.resolve(),
    getRegistration: async () => registration,
    addEventListener: (_: string, listener: typeof open) => (open = listener),
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    permission: 'granted',
    requestPermission: async () => 'granted',
  })
  const connection = {
    getSnapshot: () => ({ phase: 'ready', auth: { user } }),
    on: (event: string, listener: (payload: unknown) => void) => listeners.set(event, listener),
    system: async () => ({ features: { push: { on: true, key: 'key' } } }),
    act: async (_name: string, fields: unknown) => void acted.push(fields),
  } as unknown as ClientConnection
  services = { connection, persistence: persistence(memoryStore()), report() {} }
})
afterEach(() => vi.unstubAllGlobals())

async function logIn(as: typeof ANNA): Promise<void> {
  user = as
  listeners.get('snapshot')!({ phase: 'offline' })
  listeners.get('snapshot')!({ phase: 'ready', auth: { user } })
  // Each step of the subscription takes one or a few microtasks.
  for (let step = 0; step < 20; step += 1) await Promise.resolve()
}

test('a login renews the address of a user who asked for messages here, also after a log-out', async () => {
  followPush(services)
  await turnPushOn(services, 'key')
  acted.length = 0
  await logIn(ANNA)
  await logIn(ANNA)
  expect(acted).toHaveLength(2)
})

test('another user of the browser gets no messages before asking for them', async () => {
  followPush(services)
  await turnPushOn(services, 'key')
  acted.length = 0
  await logIn(BELLA)
  expect(acted).toEqual([])
  expect(isPushOn(services, BELLA.id)).toBe(false)
  await turnPushOff(services)
  expect(isPushOn(services, ANNA.id)).toBe(false)
})

test('a subscription without keys is an error, not a switch that is on', async () => {
  keys = undefined
  await expect(turnPushOn(services, 'key')).rejects.toThrow()
  expect(isPushOn(services, ANNA.id)).toBe(false)
})

test('a log-out without a connection ends the push messages of this browser, and closes the shown messages', async () => {
  followPush(services)
  listeners.get('logout')!(undefined)
  await vi.waitFor(() => expect(ended).toEqual(['message', 'address']))
})

test('a pressed push message opens its page without a reload of the application', () => {
  const opened: string[] = []
  onTestFinished(mountGoTo((path) => opened.push(path)))
  followPush(services)
  for (const path of ['/messenger/7', '//other.example/'])
    open!({ data: { type: 'open_page', path } })
  expect(opened).toEqual(['/messenger/7'])
})
