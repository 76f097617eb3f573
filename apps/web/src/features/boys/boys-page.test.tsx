import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Boy, UserInterlocutor } from '@duet/protocol'
import { changeAccount } from '../../shared/account/account-store.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { BoysPage } from './boys-page.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())

const boris: Boy = {
  id: 8,
  ref_code: null,
  nick: 'Boris',
  role: 'men',
  avatar: null,
  locale: 'de',
  country: 'DE',
  is_premium: true,
  is_favorite: false,
  status: 'online',
  sub_status: 'free',
  last_talk: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  can_write: { allowed: true },
  can_invite: { allowed: true },
}
const carl: Boy = {
  ...(boris as UserInterlocutor),
  id: 9,
  nick: 'Carl',
  is_premium: false,
  can_write: { allowed: true },
  can_invite: { allowed: false, code: 301, name: 'no_balance' },
}

let root: Root
let calls: [string, unknown][]
let answer: (query: { page: number; filter?: string }) => Promise<object>

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('boys', 'favourites')
  calls = []
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  dialogs.closeAll()
  changeAccount(undefined)
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
    http: {
      get: async (path: string, query: { page: number }) =>
        path === 'boys' ? answer(query) : { allowed: true },
      post: async (path: string, body: object) => {
        calls.push([path, body])
        return {}
      },
    },
    act: async (name: string, data: object) => {
      calls.push([name, data])
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
            <BoysPage />
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

test('a card shows Premium, country, language and the last talk, and invites', async () => {
  answer = async () => page([boris])
  await open('girl')
  for (const word of ['Boris', 'Premium', 'Germany · DE', 'Talked 2h ago', 'Online'])
    expect(text()).toContain(word)
  await press(/^Invite Boris/)
  expect(calls.find(([name]) => name === 'INVITE_TO_CHAT')?.[1]).toMatchObject({ user_id: 8 })
  await press(/^Write to Boris/)
  expect(calls).toContainEqual(['MESSENGER_START_DIALOG', { interlocutor_id: 8 }])
  expect(document.querySelector('a[href^="/girl/"]')).toBe(null)
})

test('a guy without Premium has no crown', async () => {
  answer = async () => page([carl])
  await open('girl')
  expect(document.querySelector('li')!.textContent).not.toContain('Premium')
})

test('each filter asks for a list of its own', async () => {
  const asked: (string | undefined)[] = []
  answer = async ({ filter }) => {
    asked.push(filter)
    return page(filter === 'talked' ? [] : [boris])
  }
  await open('girl')
  await press(/^Premium$/)
  await press(/^Talked with$/)
  expect(asked).toEqual([undefined, 'premium', 'talked'])
  expect(text()).toContain('You have talked with no guest in the last 30 days')
})

test('the list has its empty state, and a list that fails can be asked for again', async () => {
  answer = () => Promise.reject(new Error('down'))
  await open('girl')
  await vi.waitFor(() => expect(text()).toContain('could not be loaded'), { timeout: 10_000 })
  answer = async () => page([])
  await press(/^Try again/)
  await vi.waitFor(() => expect(text()).toContain('No guests here right now'))
})
