import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../shared/api.ts'
import { SessionProvider } from '../../shared/session.tsx'
import { GoTo } from './go-to.tsx'

const ITEM = { id: 7, email: 'dana@duet.example', role: 'moderator', last_visit: null } as const
const SESSION = {
  staff: ITEM,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: false,
  most: { penalty_coins: null, ban_days: null },
}
const user = { id: 12, nick: 'Sofia', email: 's…@duet.example', role: 'girl', locale: 'en' }
let asked: string[]
let signals: AbortSignal[]
let isOpen: boolean

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
  asked = []
  signals = []
  isOpen = true
  vi.spyOn(api, 'get').mockImplementation(((
    path: string,
    { query }: { query: string },
    { signal }: { signal: AbortSignal },
  ) => {
    asked.push(`${path} ${query}`)
    signals.push(signal)
    if (query === 'slow') return new Promise(() => undefined)
    const cases = [{ kind: 'complaints', id: query, users: [user], is_waiting: true }]
    return Promise.resolve(path.endsWith('cases') ? { cases } : { users: [user] })
  }) as never)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  await act(async () =>
    createRoot(place).render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <SessionProvider value={SESSION}>
            <Address />
            <GoTo onClose={() => (isOpen = false)} onKeys={() => undefined} />
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Until the words have settled and the answers are shown. */
async function settle(): Promise<void> {
  for (const ms of [300, 10, 10]) await act(() => vi.advanceTimersByTimeAsync(ms))
}
const options = () => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)

async function type(words: string): Promise<void> {
  const field = document.querySelector('input')!
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  await act(async () => {
    set!.call(field, words)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

test('asks the server once for the words that were typed, and offers the pages of the role at once', async () => {
  for (const words of ['c', 'co', 'com']) await type(words)
  expect(options()).toEqual(['ComplaintsPage', 'Search people for “com”Users'])
  expect(asked).toEqual([])
  await settle()
  expect(asked.toSorted()).toEqual(['v2/manager/cases com', 'v2/manager/users com'])
  await type('audit')
  expect(options().some((text) => text?.includes('Audit log'))).toBe(false)
})

test('further words end the requests of the former words, whose results are not offered', async () => {
  await type('slow')
  await settle()
  await type('34')
  expect(options()).toEqual(['Search people for “34”Users'])
  await settle()
  expect(signals.slice(0, 2).every(({ aborted }) => aborted)).toBe(true)
  expect(options()[0]).toBe('Complaint 34Sofia')
})

test('the arrow keys and Enter open a result', async () => {
  await type('34')
  await settle()
  const field = document.querySelector('input')!
  const press = (key: string) =>
    act(async () => void field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
  await press('ArrowDown')
  expect(document.querySelector('[aria-selected=true]')!.textContent).toContain('Sofia')
  await press('ArrowUp')
  await act(async () => field.form!.requestSubmit())
  expect(document.querySelector('output')!.textContent).toBe('/complaints?case=34')
  expect(isOpen).toBe(false)
})
