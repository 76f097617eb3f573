import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { api } from '../../shared/api.ts'
import { AlarmSwitch } from './alarm-switch.tsx'

const address = { endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }
let root: Root
let subscribed: boolean
let permission: NotificationPermission
const sent: unknown[] = []

const subscription = {
  options: { applicationServerKey: null },
  toJSON: () => address,
  unsubscribe: async () => void (subscribed = false),
}
const registration = {
  getNotifications: async () => [],
  pushManager: {
    getSubscription: async () => (subscribed ? subscription : null),
    async subscribe() {
      subscribed = true
      return subscription
    },
  },
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  subscribed = false
  permission = 'granted'
  sent.length = 0
  const serviceWorker = {
    register: async () => registration,
    getRegistration: async () => registration,
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: async () => permission,
  })
  vi.spyOn(api, 'post').mockImplementation((async (_path: string, body: { on: boolean }) => {
    sent.push(body.on)
    return {}
  }) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Browser and server have answered. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

async function open(): Promise<HTMLInputElement> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <AlarmSwitch publicKey="key" />
      </QueryClientProvider>,
    ),
  )
  await settle()
  return document.querySelector<HTMLInputElement>('[role="switch"]')!
}

async function press(toggle: HTMLInputElement): Promise<boolean> {
  await act(async () => toggle.click())
  await settle()
  return toggle.checked
}

test('a press turns alarms on in this browser, and the next press off', async () => {
  const toggle = await open()
  expect(await press(toggle)).toBe(true)
  expect(subscribed).toBe(true)
  expect(await press(toggle)).toBe(false)
  expect(subscribed).toBe(false)
  // Shown as on, the server is told again: another person may have used this browser.
  expect([sent.at(0), sent.at(-1)]).toEqual([true, false])
})

test('a browser that blocks notifications of the page turns nothing on', async () => {
  permission = 'denied'
  const toggle = await open()
  await press(toggle)
  expect(subscribed).toBe(false)
  expect(sent).toEqual([])
})
