import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { SpendingLimits } from './spending-limits.tsx'

let limits: object
let changes: object[]
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  limits = { daily_usd: '20.00', spent_today: '14.99', cool_off_until: null }
  changes = []
  await activate('en')
  await loadTexts('billing')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const connection = {
    getSnapshot: () => ({ phase: 'ready' }),
    subscribe: () => () => {},
    http: {
      get: async () => limits,
      post: async (_path: string, change: object) => {
        changes.push(change)
        return limits
      },
    },
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>
          <SpendingLimits />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
  await act(() => new Promise((resolve) => setTimeout(resolve)))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const text = () => document.body.textContent ?? ''

async function type(value: string): Promise<void> {
  const input = document.querySelector('input')!
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  await act(async () => {
    set!.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const save = () => act(async () => document.querySelector('form')!.requestSubmit())

test('the own limit is one of money, for everything that is bought', () => {
  expect(text()).toContain('Minutes, messages and gift cards count')
  expect(text()).toContain('US dollars you may spend a day')
  expect(text()).toContain('\u2066$14.99\u2069 spent today')
  expect(document.querySelector('input')!.value).toBe('20.00')
})

test('an amount is taken with a point or a comma, and nothing means no limit', async () => {
  for (const typed of ['14.5', '14,5', '١٤٫٥', '']) {
    await type(typed)
    await save()
  }
  const amount = { daily_usd: '14.5' }
  expect(changes).toEqual([amount, amount, amount, { daily_usd: null }])
})

test('what is no amount is said before it is sent', async () => {
  await type('a lot')
  expect(text()).toContain('An amount like 20 or 14.99')
  expect(document.querySelector<HTMLButtonElement>('button[type=submit]')!.disabled).toBe(true)
})
