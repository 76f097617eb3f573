import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, useNavigate } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../shared/api.ts'
import { PendingProvider, usePending } from '../shared/queue/pending-decision.tsx'
import { SessionProvider } from '../shared/session.tsx'
import { Frame } from './frame.tsx'

const SESSION = {
  staff: { id: 7, email: 'dana@duet.example', role: 'moderator', last_visit: null } as const,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: false,
  most: { penalty_coins: null, ban_days: null },
}
const load = { is_break_due: false, is_limited: false, deciding_minutes: 0 }
let root: Root
let goTo: ReturnType<typeof useNavigate>

function Page() {
  const { decide } = usePending()
  goTo = useNavigate()
  const later = { id: '1', says: 'Warning', send: async () => undefined }
  return <button onClick={() => decide(later, 'later')}>Decide</button>
}

const seen: string[] = []

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  vi.spyOn(api, 'get').mockImplementation((async () => ({ load, queues: [] })) as never)
  seen.length = 0
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (
    this: HTMLElement,
  ) {
    seen.push(this.textContent)
  })
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={['/sanctions']}>
          <SessionProvider value={SESSION}>
            <PendingProvider>
              <Frame>
                <Page />
              </Frame>
            </PendingProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const menu = () => document.querySelector<HTMLElement>('[aria-label="Open the navigation"]')!
const isPageHidden = () => document.querySelector('main')!.classList.contains('hidden')
const press = (element: HTMLElement) => act(async () => element.click())

test('on a phone the open menu takes the place of the page, and a choice brings the page back', async () => {
  expect(isPageHidden()).toBe(false)
  await press(menu())
  expect(isPageHidden()).toBe(true)
  await press(document.querySelector<HTMLElement>('nav a[href="/users"]')!)
  expect(isPageHidden()).toBe(false)
})

test('the open page is in sight in a menu that is longer than the screen', () => {
  expect(seen).toContain('Bans and penalties')
})

test('an open menu closes when another page is opened by other means', async () => {
  await press(menu())
  await act(async () => goTo('/users'))
  expect(isPageHidden()).toBe(false)
})

test('a decision can be taken back while the open menu hides the page', async () => {
  await press(document.querySelector<HTMLElement>('main button')!)
  await press(menu())
  const bar = document.querySelector('[role=status]')!
  expect(bar.textContent).toContain('Warning')
  expect(bar.closest('.hidden')).toBeNull()
})
