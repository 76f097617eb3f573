import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { api } from '../../shared/api.ts'
import { AuditLog } from './audit-log.tsx'

let root: Root
const asked: Record<string, unknown>[] = []
const found: object[] = []

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
  asked.length = 0
  found.length = 0
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  vi.spyOn(api, 'get').mockImplementation((async (_path: string, query: object) => {
    asked.push({ ...query })
    return { items: found, next: false }
  }) as never)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={['/audit?act=grant']}>
          <AuditLog />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const field = () => document.querySelector<HTMLInputElement>('input[inputmode="numeric"]')!

/** A key press: the field has one more letter. */
async function press(letter: string): Promise<void> {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
  await act(async () => {
    setValue.call(field(), field().value + letter)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

test('a text that is typed letter by letter is asked for once, and exported as it is shown', async () => {
  await pass(1000)
  expect(asked).toEqual([{ 'per-page': 50, before: undefined, act: 'grant' }])
  for (const letter of '1234567') {
    await press(letter)
    await pass(20)
  }
  expect([field().value, asked.length]).toEqual(['1234567', 1])
  await pass(1000)
  expect(asked.slice(1)).toEqual([
    { 'per-page': 50, before: undefined, act: 'grant', user_id: 1_234_567 },
  ])
  const link = document.querySelector('a[download]')!
  expect(link.getAttribute('href')).toBe('/api/v2/manager/audit/export?act=grant&user_id=1234567')
})

test('an entry shows where its person was, what the user reads, and what changed', async () => {
  found.push({
    id: 7,
    at: '2026-03-01T12:00:00.000Z',
    staff_id: 3,
    email: 'dana@duet.example',
    operator: null,
    act: 'gift_set',
    user_id: null,
    reason: '',
    facts: { gift_id: 4 },
    address: '192.0.2.7',
    words: 'You sent spam.',
    before: { price: '5', sale: true },
    after: { price: '7', sale: true },
    hash: 'f'.repeat(64),
  })
  await pass(1000)
  await press('1')
  await pass(1000)
  await pass(1000)
  const texts = [...document.querySelectorAll('tbody td')].map(({ textContent }) => textContent)
  expect(texts).toContain('192.0.2.7')
  expect(texts).toContain('You sent spam.')
  expect(texts).toContain('price: 5 7')
})

test('J and Enter open an entry with all that the log keeps of it, and filter nothing', async () => {
  found.push({
    id: 8,
    at: '2026-03-01T12:00:00.000Z',
    staff_id: 3,
    email: 'dana@duet.example',
    operator: null,
    act: 'penalty_impose',
    user_id: 13,
    reason: 'contacts',
    facts: { amount: '250' },
    address: '192.0.2.7',
    words: 'You gave your number.',
    before: null,
    after: null,
    hash: 'e'.repeat(64),
  })
  await pass(1000)
  await press('1')
  await pass(1000)
  await pass(1000)
  const filtered = asked.length
  await act(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
    await vi.advanceTimersByTimeAsync(50)
  })
  // Enter presses the control that has the focus.
  await act(async () => (document.activeElement as HTMLElement).click())
  await pass(1000)
  const dialog = document.querySelector('[role=dialog]')!
  expect(dialog.textContent).toContain('You gave your number.')
  expect(dialog.textContent).toContain('e'.repeat(64))
  expect(dialog.querySelector('a')!.getAttribute('href')).toBe('/users/13')
  expect(asked.length).toBe(filtered)
})

test('an entry leads to all acts of its member of staff', async () => {
  found.push({
    id: 9,
    at: '2026-03-01T12:00:00.000Z',
    staff_id: 3,
    email: 'dana@duet.example',
    operator: null,
    act: 'gift_set',
    user_id: null,
    reason: '',
    facts: {},
    address: null,
    words: null,
    before: null,
    after: null,
    hash: 'd'.repeat(64),
  })
  await pass(1000)
  await press('1')
  await pass(1000)
  await pass(1000)
  await act(async () => document.querySelector<HTMLElement>('tbody [data-open]')!.click())
  const only = [...document.querySelectorAll<HTMLElement>('[role=dialog] button')].find(
    ({ textContent }) => textContent?.includes('dana@duet.example'),
  )!
  await act(async () => only.click())
  await pass(1000)
  expect(document.querySelector('[role=dialog]')).toBe(null)
  expect(asked.at(-1)).toMatchObject({ staff_id: 3 })
})
