import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { SessionProvider } from '../session.tsx'
import { PendingProvider, usePending } from './pending-decision.tsx'
import { QueuePage } from './queue-page.tsx'
import type { QueueShape } from './queue-shape.ts'

interface Shown {
  readonly id: string
  readonly isForManagers?: boolean
}
const ITEM = { id: 7, email: 'dana@duet.example', role: 'moderator', last_visit: null } as const
const SESSION = {
  staff: ITEM,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: false,
  most: { penalty_coins: null, ban_days: null },
}
let listed: Shown[]
/** Further down than the list shows. */
let below: Shown[]
/** The filters of the fetched first pages. */
let fetched: (string | undefined)[] = []
let client: QueryClient
let unmount: () => void
/** The calls in their order, and the answers that are held back. */
let calls: string[]
let answers: Map<string, () => void>
/** The ends of decisions whose answer comes late. */
const late = new Map<string, () => void>()

function Detail({ item, onDecided }: { item: Shown; onDecided: () => void }) {
  const { decide } = usePending()
  const press = () => {
    decide({ id: item.id, says: 'Warning', send: () => Promise.resolve() }, 'now')
    onDecided()
  }
  late.set(item.id, onDecided)
  return <button onClick={press}>decide {item.id}</button>
}

const shape: QueueShape<Shown> = {
  queue: 'photos',
  title: 'Photos',
  list: ({ page, filter }) => {
    if (page > 1) return Promise.resolve({ items: below, next: false, total: null })
    fetched.push(filter)
    const total = filter === 'mine' ? 73 : null
    return Promise.resolve({ items: listed, next: below.length > 0, total })
  },
  filters: [{ value: 'mine', label: 'Mine' }],
  isForManagers: ({ isForManagers = false }) => isForManagers,
  idOf: ({ id }) => id,
  claimOf: () => null,
  sinceOf: () => new Date().toISOString(),
  row: ({ id }) => ({ title: `case ${id}`, text: '' }),
  detail: Detail,
}

/** The page at an address, after its list has come. */
async function openAt(address: string): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const root = createRoot(place)
  unmount = () => root.unmount()
  client = new QueryClient()
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[address]}>
          <SessionProvider value={SESSION}>
            <PendingProvider>
              <QueuePage shape={shape} />
            </PendingProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  listed = [{ id: '1' }, { id: '2' }]
  below = []
  calls = []
  fetched = []
  answers = new Map()
  vi.spyOn(api, 'post').mockImplementation(((path: string, { id }: { id: string }) => {
    const call = `${path.slice('v2/manager/'.length)} ${id}`
    calls.push(call)
    const { promise, resolve } = Promise.withResolvers<void>()
    if (call.startsWith('claim')) answers.set(id, resolve)
    else resolve()
    return promise
  }) as never)
  await openAt('/')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.includes(text))
const press = (text: string) => act(async () => button(text)!.click())
const answer = (id: string) => act(async () => answers.get(id)!())
const refetch = async () => {
  await act(() => client.invalidateQueries({ queryKey: ['queue'] }))
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
}

test('the newest press opens its case, and the claim of an older one is given back', async () => {
  await press('case 1')
  await press('case 2')
  await answer('2')
  expect(button('decide 2')).toBeDefined()
  await answer('1')
  expect(button('decide 2')).toBeDefined()
  expect(calls).toEqual(['claim 1', 'claim 2', 'release 1'])
  await act(async () => unmount())
  expect(calls.at(-1)).toBe('release 2')
})

test('a claim that is answered after the page was left is given back', async () => {
  await press('case 1')
  await act(async () => unmount())
  await answer('1')
  expect(calls).toEqual(['claim 1', 'release 1'])
})

test('an open case stays open when the list has it no more', async () => {
  await press('case 1')
  await answer('1')
  listed = [{ id: '2' }]
  await refetch()
  expect(button('decide 1')).toBeDefined()
})

test('a late answer about a case that was left leaves the open case open', async () => {
  listed = [{ id: '1' }, { id: '2' }, { id: '3' }]
  await refetch()
  await press('case 1')
  await answer('1')
  const endOfFirst = late.get('1')!
  await press('case 3')
  await answer('3')
  await act(async () => endOfFirst())
  expect(button('decide 3')).toBeDefined()
  expect(calls).toEqual(['claim 1', 'release 1', 'claim 3'])
})

test('a case that is decided and comes again is shown again', async () => {
  listed = [{ id: '1' }]
  await refetch()
  await press('case 1')
  await answer('1')
  await press('decide 1')
  listed = []
  await refetch()
  expect(button('case 1')).toBeUndefined()
  listed = [{ id: '1' }]
  await refetch()
  expect(button('case 1')).toBeDefined()
})

test('a link opens a case that is further down than the list shows', async () => {
  await act(async () => unmount())
  below = [{ id: '60' }]
  await openAt('/?case=60')
  await answer('60')
  expect(button('decide 60')).toBeDefined()
})

test('a link to a case that is not in the queue says so', async () => {
  await act(async () => unmount())
  await openAt('/?case=9')
  expect(document.body.textContent).toContain('This case is not in your queue')
  expect(calls).toEqual([])
})

test('a further page of cases follows the ones that are shown', async () => {
  expect(button('Show more')).toBeUndefined()
  below = [{ id: '60' }]
  await refetch()
  await press('Show more')
  await refetch()
  expect(button('case 60')).toBeDefined()
  expect(button('case 1')).toBeDefined()
  expect(button('Show more')).toBeUndefined()
})

test('a case for managers is shown to a moderator and does not open', async () => {
  listed = [{ id: '3', isForManagers: true }, { id: '4' }]
  await refetch()
  expect(document.body.textContent).toContain('case 3')
  expect(document.body.textContent).toContain('Waits for a manager')
  expect(button('case 3')).toBeUndefined()
  await act(async () =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })),
  )
  expect(calls).toContain('claim 4')
  expect(calls).not.toContain('claim 3')
})

test('the filter of the address chooses the part that is fetched, and the header says of how many', async () => {
  below = [{ id: '60' }]
  await press('Mine')
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(fetched.at(-1)).toBe('mine')
  expect(document.body.textContent).toContain('2 of 73 waiting')
  await press('Open')
  expect(fetched).toEqual([undefined, 'mine', undefined])
})
