import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OfficeUser, PersonMovement } from '@duet/protocol'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import { api } from '../../shared/api.ts'
import { SessionProvider } from '../../shared/session.tsx'
import { MovementSource } from './movement-source.tsx'
import { PersonCalls } from './person-calls.tsx'
import './people-texts.ts'

const AT = '2026-03-01T12:00:00.000Z'
const boris = { id: 12, nick: 'Boris', role: 'men', locale: 'en' } as OfficeUser
const anna = { id: 13, nick: 'Anna', role: 'girl', locale: 'en' }
const SOURCES: Record<string, object> = {
  call: {
    cause: 'call',
    session_id: 5,
    guy: boris,
    girl: anna,
    is_private: false,
    paid_seconds: 90,
    timeline: [
      { type: 'opened', at: AT },
      { type: 'gift', at: AT, gift: 'Peony', user: boris },
    ],
  },
  gift: { cause: 'gift', gift: 'Peony', guy: boris, girl: anna, price: '5', reward: '100', at: AT },
  message: { cause: 'message', message_id: 5, partner: anna, at: AT },
}

let root: Root
let posted: unknown[]
/** Amounts of a gift that differ from those above. */
let amounts: object

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  posted = []
  amounts = {}
  vi.spyOn(api, 'get').mockImplementation((async (path: string, { cause }: { cause: string }) =>
    path.endsWith('/calls')
      ? { items: [], page: 1, next: false }
      : { session_id: null, ...SOURCES[cause], ...amounts }) as never)
  vi.spyOn(api, 'post').mockImplementation((async (_path: string, given: object) => {
    posted.push(given)
    return { lines: [], more: false }
  }) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function draw(cause: string, role: StaffRole): Promise<void> {
  const movement = { cause, cause_id: 5 } as PersonMovement
  return drawElement(<MovementSource person={boris} movement={movement} />, { role })
}

async function drawElement(
  element: ReactNode,
  { role, address = '/' }: { role: StaffRole; address?: string },
): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const staff = { id: 1, email: 'dana@duet.example', role, last_visit: null }
  const most = { penalty_coins: null, ban_days: null }
  const times = { ends_at: '', fresh_until: '', server_time: '' }
  const session = { staff, ...times, translates: false, most }
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[address]}>
          <SessionProvider value={session}>{element}</SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
}

/** Presses, and lets everything that is fetched for it arrive. */
async function press(button: HTMLElement): Promise<void> {
  await act(async () => button.click())
  for (let turn = 0; turn < 10; turn += 1)
    await act(() => new Promise((done) => setTimeout(done, 0)))
}
const first = <Kind extends HTMLElement>(selector: string) =>
  document.querySelector<Kind>(selector)!
const opened = () => first('[role=dialog]').textContent

test('a call opens with its course, and a gift with its price', async () => {
  await draw('call', 'owner')
  await press(first('button'))
  expect(opened()).toContain('Boris gives a gift: Peony')
  await act(async () => root.unmount())
  await draw('gift', 'owner')
  await press(first('button'))
  expect(opened()).toMatch(/Peony.*5 diamonds/)
})

test('an address that names a call opens its course above the calls of the person', async () => {
  const address = '/users/12/calls?call=5'
  await drawElement(<PersonCalls person={boris} />, { role: 'moderator', address })
  await vi.waitFor(() => expect(opened()).toContain('Boris gives a gift: Peony'))
  await press(first('[role=dialog] button[aria-label=Close]'))
  await vi.waitFor(() => expect(first('[role=dialog]')).toBeNull())
})

test('a message opens its dialog, which asks for the reason and begins with the message', async () => {
  await draw('message', 'owner')
  await press(first('button'))
  expect(opened()).toContain('Why do you open this dialog?')
  const field = first<HTMLTextAreaElement>('[role=dialog] form :is(input, textarea)')
  const prototype = Object.getPrototypeOf(field) as object
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field, 'A letter.')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await press(first('[role=dialog] form button[type=submit]'))
  expect(posted).toEqual([{ id: 12, partner: 13, reason: 'A letter.', before: 6 }])
})

test('finance opens calls and gifts, and reads the name of a message only', async () => {
  for (const [cause, shown] of [
    ['call', 'Boris gives a gift: Peony'],
    ['gift', '5 diamonds'],
  ] as const) {
    await draw(cause, 'finance')
    await press(first('button'))
    expect(opened()).toContain(shown)
    await act(async () => root.unmount())
  }
  await draw('message', 'finance')
  expect([document.querySelector('button'), document.body.textContent]).toEqual([null, 'Message 5'])
})

test('a gift without amounts shows none', async () => {
  amounts = { price: null, reward: null }
  await draw('gift', 'manager')
  await press(first('button'))
  expect(opened()).toContain('Peony')
  expect(opened()).not.toMatch(/null|diamond|coin/)
})
