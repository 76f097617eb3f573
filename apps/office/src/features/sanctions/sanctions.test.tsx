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

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  vi.spyOn(api, 'get').mockImplementation((async () => ({
    items: [PENALTY],
    next: false,
  })) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function draw(role: 'moderator' | 'manager'): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const session = {
    staff: { id: 7, email: 'dana@duet.example', role, last_visit: null },
    ends_at: '',
    fresh_until: '',
    server_time: '',
    translates: false,
    most: { penalty_coins: null, ban_days: null },
  }
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
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
