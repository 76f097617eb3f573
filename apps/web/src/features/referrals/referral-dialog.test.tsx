import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { ReferralSection } from './referral-dialog.tsx'

const nothing = { invited: 0, registered: 0, bought: 0, earned: '0' }
const stat = {
  links: { guys: 'https://duet.example/?rc=abc', girls: 'https://duet.example/?rc=abc&for=girls' },
  ref_code: 'abc',
  guys: { invited: 4, registered: 1, bought: 2, earned: '3' },
  girls: nothing,
  rates: { guest: 15, model: 10, guy: 12 },
  bonus: { minutes: '25', coins: '4000' },
  hold_days: 45,
  held: '1.5',
  history: {
    items: [
      {
        at: '2026-01-02T00:00:00Z',
        kind: 'guy',
        nick: 'Felix',
        what: 'purchase',
        amount: '1.5',
        held_until: '2026-02-16T00:00:00Z',
      },
    ],
  },
}
let role: 'men' | 'girl'
let answers: (() => Promise<object>)[]
let root: Root
const writeText = vi.fn(async () => {})

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  role = 'men'
  answers = [async () => stat]
  writeText.mockClear()
  await activate('en')
  for (const catalogue of ['referrals', 'ledger'] as const) await loadTexts(catalogue)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(): Promise<void> {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role, balance: '0' } } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    http: { get: () => (answers.length > 1 ? answers.shift()! : answers[0]!)() },
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  const queries = createQueryClient()
  queries.setDefaultOptions({ queries: { retry: false } })
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={queries}>
          <ReferralSection />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const TURNS_MAX = 100
const text = () => document.body.textContent ?? ''

/** The answer of the server arrives some turns later. */
async function says(words: string): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX && !text().includes(words); turn += 1)
    await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(text()).toContain(words)
}

const press = (name: string) =>
  act(async () => {
    const pressed = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === name,
    )
    pressed!.click()
  })
const link = () => document.querySelector('input')!.value

test('the terms and the hold are those that the server sends', async () => {
  await show()
  await says('12% of the minutes a friend you invited buys.')
  expect(text()).toContain('Rewards are held for 45 days')
  await press('Invite girls')
  await says('25 minutes for you when a woman you invited is verified and has earned')
})

test('a girl reads her own rates', async () => {
  role = 'girl'
  await show()
  await says('15% of everything a guest you invited buys, in coins.')
  await press('Invite girls')
  await says('10% of what a woman you invited earns from Premium guests.')
})

test('each tab has its own link, figures and rewards', async () => {
  await show()
  await says('Felix')
  expect(link()).toBe(stat.links.guys)
  expect(text()).toContain('Purchase · On hold until')
  expect([...document.querySelectorAll('dd')].slice(0, 3).map((dd) => dd.textContent)).toEqual([
    '4',
    '1',
    '2',
  ])
  await press('Invite girls')
  await says('No one yet. Your link never expires.')
  expect(link()).toBe(stat.links.girls)
  expect(text()).not.toContain('Felix')
})

test('Copy puts the link of the open tab on the clipboard', async () => {
  await show()
  await says('Felix')
  await press('Copy')
  expect(writeText).toHaveBeenCalledWith(stat.links.guys)
})

test('an answer that does not come is said, and the next try shows the page', async () => {
  answers = [() => Promise.reject(new Error('away')), async () => stat]
  await show()
  await says('Your invitations could not be loaded')
  await press('Try again')
  await says('Felix')
})
