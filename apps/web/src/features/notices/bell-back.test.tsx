import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { backEntries } from '../../shared/navigation/back-entries.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { Bell } from './bell.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
/** The history of the browser, which the test's browser does not keep. */
let entries: { state: unknown; address: string }[]

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('768px'),
    addEventListener() {},
    removeEventListener() {},
  }))
  entries = []
  const push = history.pushState.bind(history)
  vi.spyOn(history, 'pushState').mockImplementation((state, unused, address) => {
    entries.push({ state: history.state, address: location.href })
    push(state, unused, address)
  })
  vi.spyOn(history, 'back').mockImplementation(() =>
    queueMicrotask(() => {
      const { state, address } = entries.pop()!
      history.replaceState(state, '', address)
      dispatchEvent(new PopStateEvent('popstate', { state }))
    }),
  )
  addEventListener('popstate', backEntries.onPopState)
  await activate('en')
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men', noty_push: false } } }
  const user = { id: 7, nick: 'Anna', avatar: null, ref_code: 'ABC' }
  const create_time = new Date().toISOString()
  const notice = { id: 5, kind: 'wanted_girl_online', facts: {}, user, read: true, create_time }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    system: async () => ({ features: {} }),
    http: { get: async () => ({ items: [notice], page: 1, next: false, unread: 0 }) },
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: persistence(memoryStore()), report() {} }
  history.replaceState(null, '', '/profile/')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <BrowserRouter>
        <QueryClientProvider client={createQueryClient()}>
          <AppServicesProvider services={services}>
            <Bell />
          </AppServicesProvider>
        </QueryClientProvider>
      </BrowserRouter>,
    ),
  )
  await act(async () => document.querySelector('button')!.click())
  await vi.waitFor(() => expect(history.state?.back_depth).toBe(1))
})
afterEach(async () => {
  act(() => root.unmount())
  await backEntries.remove({ onBack() {} })
  removeEventListener('popstate', backEntries.onPopState)
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const isOpen = () => document.querySelector('[role=dialog]:not([data-closed])') !== null

test('Back closes the sheet of the bell and leaves the page as it is', async () => {
  expect(isOpen()).toBe(true)
  await act(async () => history.back())
  await vi.waitFor(() => expect(isOpen()).toBe(false))
  expect(location.pathname).toBe('/profile/')
})

test('a line opens its page, and Back from there leads to the page under the bell', async () => {
  await act(async () => document.querySelector<HTMLElement>('a[href="/girl/ABC"]')!.click())
  await vi.waitFor(() => expect(location.pathname).toBe('/girl/ABC'))
  expect(document.body.textContent).not.toContain(t('notices.failed'))
  await act(async () => history.back())
  await vi.waitFor(() => expect(location.pathname).toBe('/profile/'))
  expect(history.state?.back_depth).toBeUndefined()
})
