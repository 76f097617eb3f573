import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StaffStatement } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { PendingProvider } from '../../shared/queue/pending-decision.tsx'
import { SessionProvider } from '../../shared/session.tsx'
import { Sanctions } from './sanctions.tsx'

const AT = '2026-03-01T12:00:00.000Z'
const PENALTY: StaffStatement = {
  id: 5,
  user: { id: 13, nick: 'Anna', role: 'girl', locale: 'en' },
  kind: 'penalty',
  reason: 'contacts',
  comment: 'You gave your number.',
  at: AT,
  until: null,
  automatic: false,
  imposed_by: 'mara@duet.example',
  ended_at: null,
  lifted_by: null,
  amount: '250',
  paid: '100',
  place: 'messenger',
  refund: { until: AT, coins: '20000', earned: '40' },
  appeal: null,
}

/** The search finds more than the number that was asked for. */
const FOUND = [
  { id: 131, locale: 'de' },
  { id: 13, locale: 'pt' },
]

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  vi.spyOn(api, 'get').mockImplementation((async (path: string, given: { query?: string }) =>
    path === 'v2/manager/users'
      ? { users: FOUND.filter(({ id }) => String(id).startsWith(given.query!)) }
      : { items: [PENALTY], next: false }) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function draw(
  role: 'moderator' | 'manager',
  { address = '/', translates = false } = {},
): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const session = {
    staff: { id: 7, email: 'dana@duet.example', role, last_visit: null },
    ends_at: '',
    fresh_until: '',
    server_time: '',
    translates,
    most: { penalty_coins: null, ban_days: null },
  }
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[address]}>
          <SessionProvider value={session}>
            <PendingProvider>
              <Sanctions />
            </PendingProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
  await vi.waitFor(() => expect(document.querySelector('[data-open]')).not.toBeNull())
}

async function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!
    set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const dialog = () => document.querySelector<HTMLElement>('[role=dialog]')
const open = () => act(async () => document.querySelector<HTMLElement>('[data-open]')!.click())

test('a penalty shows its place and coins in the table, and opens with when it comes back', async () => {
  await draw('moderator')
  expect(document.querySelector('[data-open]')!.textContent).toBe('Penalty: 250 coins, Messenger')
  await open()
  const shown = dialog()!.textContent
  expect(shown).toContain('Messenger')
  expect(shown).toContain('250 coins, 100 taken')
  expect(shown).toMatch(/earns more than 20000 coins by .* So far: 40/)
  expect(shown).toContain('You gave your number.')
  expect(dialog()!.textContent).not.toContain('Take back')
})

test('a manager takes an act back from its dialog', async () => {
  await draw('manager')
  await open()
  const back = [...dialog()!.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Take back',
  )!
  await act(async () => back.click())
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Penalty of Anna: take it back'))
})

test('the words of an act that begins in the list are put into the language of its person', async () => {
  const made = vi
    .spyOn(api, 'post')
    .mockImplementation((async (
      _path: string,
      { texts, locale }: { texts: string[]; locale: string },
    ) => ({ translations: texts.map((text) => `${locale}: ${text}`) })) as never)
  await draw('manager', { address: '/?new=1', translates: true })
  const user = dialog()!.querySelector<HTMLInputElement>('input[inputmode=numeric]')!
  const button = () =>
    [...dialog()!.querySelectorAll('button')].find(({ textContent }) =>
      textContent.startsWith('Put into'),
    )
  expect(button()).toBeUndefined()
  await write(user, '13')
  await vi.waitFor(() => expect(button()?.textContent).toBe('Put into Portuguese'))
  const words = dialog()!.querySelector('textarea')!
  await write(words, 'You gave your number.')
  await act(async () => button()!.click())
  await vi.waitFor(() => expect(words.value).toBe('pt: You gave your number.'))
  expect(made).toHaveBeenCalledWith('v2/manager/translate', {
    texts: ['You gave your number.'],
    locale: 'pt',
  })
  // Of another number nothing is known yet.
  await write(user, '99')
  expect(button()).toBeUndefined()
})

test('no person is looked up where no service translates', async () => {
  await draw('manager', { address: '/?new=1&user=13' })
  await act(() => new Promise((done) => setTimeout(done, 0)))
  expect(dialog()!.querySelector('textarea')).not.toBeNull()
  expect(vi.mocked(api.get).mock.calls.map(([path]) => path)).not.toContain('v2/manager/users')
})
