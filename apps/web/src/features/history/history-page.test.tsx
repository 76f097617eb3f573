import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { memoryStore, persistence, RefusedError, type ClientConnection } from '@duet/client'
import type { PastCall, UserInterlocutor } from '@duet/protocol'
import { changeAccount } from '../../shared/account/account-store.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { HistoryPage } from './history-page.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())

const anna: UserInterlocutor = {
  id: 7,
  ref_code: 'ANNA1',
  nick: 'Anna',
  role: 'girl',
  avatar: null,
  locale: 'pt',
  is_premium: false,
  is_favorite: false,
  status: 'online',
  sub_status: 'free',
}

/** A private call of this noon. */
const call: PastCall = {
  id: 'call-1',
  session_id: 1,
  user_id: 7,
  user_interlocutor: anna,
  state: 'private',
  started_at: new Date(new Date().setHours(12, 0, 0, 0)).toISOString(),
  seconds: 130,
  paid_seconds: 120,
  free_seconds: 10,
  quota_seconds: 0,
  paused: [],
  spent: '3',
  reason: 'left',
}
const ring: PastCall = {
  ...call,
  id: 'ring-a',
  session_id: null,
  seconds: 0,
  paid_seconds: 0,
  free_seconds: 0,
  missed: true,
  is_caller: false,
  reason: 'expired',
}

let root: Root
let refused: 'premium_only' | undefined
let hasShop = false
let calls: [string, unknown][]
let answer: (query: { page: number; filter?: string }) => Promise<object>

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('history', 'favourites', 'calls')
  calls = []
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  dialogs.closeAll()
  changeAccount(undefined)
  refused = undefined
  hasShop = false
  vi.unstubAllGlobals()
})

const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))
const page = (items: unknown[], next = false) => ({
  items,
  page: 1,
  per_page: 20,
  total: null,
  next,
})

async function open(role: 'men' | 'girl'): Promise<void> {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role, email: 'a@example.org' } } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    system: async () => ({ features: { payments: { on: hasShop } } }),
    http: {
      get: async (path: string, query: { page: number }) =>
        path === 'history_chats' ? answer(query) : { allowed: true },
      post: async (path: string, body: object) => {
        calls.push([path, body])
        return {}
      },
    },
    act: async (name: string, data: object) => {
      calls.push([name, data])
      if (name === 'INVITE_TO_CHAT' && refused) throw new RefusedError(name, refused)
      return name === 'SUBSCRIBE' ? { statuses: [] } : {}
    },
  } as unknown as ClientConnection
  const services = {
    connection,
    persistence: persistence(memoryStore()),
    report() {},
  } as unknown as AppServices
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <MemoryRouter>
        <QueryClientProvider client={createQueryClient()}>
          <AppServicesProvider services={services}>
            <HistoryPage />
          </AppServicesProvider>
        </QueryClientProvider>
      </MemoryRouter>,
    ),
  )
  await settled()
}

const text = () => document.body.textContent
const buttons = (name: RegExp) =>
  [...document.querySelectorAll('button')].filter((one) =>
    name.test(one.getAttribute('aria-label') ?? one.textContent),
  )
async function press(name: RegExp): Promise<void> {
  await act(async () => buttons(name)[0]!.click())
  await settled()
}

test('a call shows its kind, its price and its length, and a press opens the receipt', async () => {
  answer = async () => page([call])
  await open('men')
  expect(text()).toContain('Today')
  expect(text()).toContain('Private')
  expect(text()).toContain('2 minutes')
  expect(text()).toContain('3 diamonds')
  expect(document.querySelector('dl')).toBe(null)
  await press(/^AnnaPrivate/)
  expect(document.querySelector('dl')!.textContent).toContain('02:10')
  expect(document.querySelector('dl')!.textContent).toContain('Paid time02:00')
})

test('calls are grouped by the day of the user', async () => {
  const daysAgo = (days: number) => {
    const noon = new Date()
    noon.setDate(noon.getDate() - days)
    noon.setHours(12, 0, 0, 0)
    return noon.toISOString()
  }
  answer = async () =>
    page([0, 0, 1, 9].map((days, at) => ({ ...call, id: `${at}`, started_at: daysAgo(days) })))
  await open('men')
  const titles = [...document.querySelectorAll('h2')].map((one) => one.textContent)
  expect(titles.slice(0, 2)).toEqual(['Today', 'Yesterday'])
  expect(titles).toHaveLength(3)
})

test('a girl sees what she earned, and a call without a price is free', async () => {
  const { spent: _, ...hers } = call
  answer = async () =>
    page([
      { ...hers, earned: '250' },
      { ...hers, id: 'call-0', state: 'public', earned: '0' },
    ])
  await open('girl')
  expect(text()).toContain('250 coins')
  expect(text()).toContain('Public')
  expect(text()).toContain('Free')
})

test('a missed ring has no receipt, and its own ring that failed is not called missed', async () => {
  answer = async () => page([ring, { ...ring, id: 'ring-b', is_caller: true }])
  await open('girl')
  expect(text()).toContain('Missed')
  expect(text()).toContain('No answer')
  expect(buttons(/Missed/)[0]!.disabled).toBe(true)
})

test('a user who cannot be reached any more is not named, and only a report is possible', async () => {
  answer = async () => page([{ ...call, user_interlocutor: null }])
  await open('men')
  expect(text()).not.toContain('Anna')
  expect(buttons(/^(Call|Write)/)).toEqual([])
  await press(/^More for/)
  const entries = [...document.querySelectorAll('[role=menuitem]')]
  expect(entries.map((one) => one.textContent)).toEqual(['Report'])
  await act(async () => (entries[0] as HTMLElement).click())
  expect(dialogs.getSnapshot()[0]).toMatchObject({
    name: 'complaint',
    input: { person: { id: 7 }, session_id: 1 },
  })
})

test('on a phone a row has its actions beyond its end, and the menu of the row has them, too', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  answer = async () => page([call])
  await open('men')
  const swiped = [...document.querySelectorAll('.snap-end button')]
  const names = swiped.map((button) => button.getAttribute('aria-label'))
  expect(names).toEqual(['Write to Anna', 'Add to favourites', 'Report'])
  await act(async () => (swiped[2] as HTMLElement).click())
  expect(dialogs.getSnapshot()[0]).toMatchObject({ name: 'complaint', input: { session_id: 1 } })
  dialogs.closeAll()
  await press(/^More for Anna/)
  const entries = [...document.querySelectorAll('[role=menuitem]')].map((one) => one.textContent)
  for (const name of names) expect(entries).toContain(name)
})

test('after a block every call with this user loses its name and its actions', async () => {
  answer = async () => page([call, { ...call, id: 'call-2' }])
  await open('men')
  await press(/^More for Anna/)
  const block = [...document.querySelectorAll('[role=menuitem]')].find(
    (one) => one.textContent === 'Block',
  )
  await act(async () => (block as HTMLElement).click())
  dialogs.close(dialogs.getSnapshot()[0]!.key, true)
  await settled()
  expect(calls).toContainEqual(['BLOCK_USER', { user_id: 7 }])
  expect(text()).not.toContain('Anna')
  expect(buttons(/^Call/)).toEqual([])
  expect(text()).toContain('3 diamonds')
})

test('clearing asks first, and nothing is cleared without the word of the user', async () => {
  answer = async () => page([call])
  await open('men')
  await press(/^Clear/)
  dialogs.close(dialogs.getSnapshot()[0]!.key)
  await settled()
  expect(calls.filter(([name]) => name === 'history_chats/clear')).toEqual([])
  answer = async () => page([])
  await press(/^Clear/)
  dialogs.close(dialogs.getSnapshot()[0]!.key, true)
  await settled()
  expect(calls).toContainEqual(['history_chats/clear', {}])
  expect(text()).toContain('No chats yet')
  expect(buttons(/^Clear/)).toEqual([])
})

test('a list that cannot be loaded can be asked for again', async () => {
  answer = () => Promise.reject(new Error('down'))
  await open('men')
  await vi.waitFor(() => expect(text()).toContain('could not be loaded'), { timeout: 10_000 })
  answer = async () => page([call])
  await press(/^Try again/)
  await vi.waitFor(() => expect(text()).toContain('Anna'))
})

test('a call that needs Premium offers the shop, and nothing where nothing is sold', async () => {
  const shown: unknown[] = []
  const unmount = mountToasts(({ title, action }) => shown.push(title, action?.label))
  answer = async () => page([call])
  refused = 'premium_only'
  for (const sells of [true, false]) {
    hasShop = sells
    await open('men')
    await press(/^Call/)
    act(() => root.unmount())
    document.body.replaceChildren()
  }
  unmount()
  root = createRoot(document.body)
  expect(shown).toEqual([shown[0], 'See Premium', shown[0], undefined])
})
