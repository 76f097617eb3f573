import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import type { UserInterlocutor } from '@duet/protocol'
import { memoryStore, persistence, RefusedError, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { callPresent } from '../../../shared/video/call-present.ts'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { BillingDialog } from './billing-dialog.tsx'
import { groupCode } from './gift-card-form.tsx'

const pack = (package_id: number, value: number, price: string) => ({
  package_id,
  pack: 'minutes',
  value,
  bonus: 0,
  price,
  currency: 'USD',
  methods: ['verotel', 'crypto', 'giftcard'],
})
const packages = [pack(1, 15, '14.99'), pack(2, 45, '39.99')]
const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men', balance: '0' } } }
const stored = persistence(memoryStore())
let status: string
let started: object[]
let refusal: RefusedError | undefined
let tab: { opener: unknown; location: { href: string }; close: () => void } | null
let root: Root
const close = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  tab = { opener: {}, location: { href: '' }, close: vi.fn() }
  vi.stubGlobal('open', () => tab)
  ;[status, started, refusal] = ['waiting', [], undefined]
  close.mockClear()
  await activate('en')
  for (const catalogue of ['billing', 'ledger'] as const) await loadTexts(catalogue)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(input: OpenDialogProps<'not_balance'>['input'] = {}): Promise<void> {
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    http: {
      get: async (path: string) =>
        path === 'packages'
          ? { packages, default_pay_system: null }
          : path === 'getSettings'
            ? { premium_days: 45 }
            : { order_id: 7, status, price: '39.99', currency: 'USD' },
      post: async (_path: string, body: object) => {
        if (refusal) throw refusal
        started.push(body)
        return { order_id: 7, url: 'https://pay.example/7' }
      },
    },
    act: async () => ({}),
  } as unknown as ClientConnection
  const services = { connection, persistence: stored, report() {} } as unknown as AppServices
  const queries = createQueryClient()
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={queries}>
          <BillingDialog input={input} open close={close} />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
  await until(() => expect(document.querySelector('input[name="pack"]')).not.toBeNull())
}

const TURNS_MAX = 100

/** Answers of the server arrive some turns later. */
async function until(check: () => void): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    try {
      return check()
    } catch {
      await act(() => new Promise((resolve) => setTimeout(resolve)))
    }
  }
  check()
}

const text = () => document.body.textContent ?? ''
function button(name: RegExp): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find((one) =>
    name.test(one.textContent ?? ''),
  )
  if (!found) throw new Error(`no button ${name} in ${text()}`)
  return found
}
const choose = (value: string) =>
  act(async () => document.querySelector<HTMLInputElement>(`input[value="${value}"]`)!.click())
const pay = () => act(async () => button(/^Pay (?!with)/).click())
const says = (words: string) => until(() => expect(text()).toContain(words))

test('nothing can be paid before a pack is chosen, and the button names the price', async () => {
  await show()
  expect(button(/Choose a pack/).disabled).toBe(true)
  await choose('2')
  expect(button(/Pay \u2066\$39\.99/).disabled).toBe(false)
})

const vera = { id: 9, nick: 'Vera', role: 'girl' } as UserInterlocutor

test('a shop for a gift speaks of the gift, and of no call', async () => {
  await show({ last_interlocutor: vera, place: 'gift', needed: '12.5' })
  expect(text()).toContain('A gift for Vera')
  expect(text()).toContain('12,5 minutes are missing for this gift.')
  expect(text()).not.toMatch(/call|talking/i)
})

test('the call goes on while one pays only if there is a call', async () => {
  callPresent.set(true)
  await show({ last_interlocutor: vera, has_minutes: true })
  expect(text()).toContain('The call goes on while you pay.')
  await act(async () => callPresent.set(false))
  expect(text()).not.toContain('The call goes on')
  expect(text()).toContain('The call has ended.')
})

test('the days of Premium are those of the settings', async () => {
  await show()
  await says('Any purchase makes you Premium for 45 days')
})

test('the press opens the tab of the provider, and the choice of the method is remembered', async () => {
  await show()
  await choose('2')
  await choose('crypto')
  await pay()
  expect(started).toMatchObject([{ package_id: 2, method: 'crypto', place: 'billing' }])
  expect(tab!.location.href).toBe('https://pay.example/7')
  expect(tab!.opener).toBeNull()
  expect(stored.get('default_payment')).toBe('crypto')
  await says('Waiting for your bank')
})

test('a browser that opens no tab gets a link to the provider', async () => {
  tab = null
  await show()
  await choose('1')
  await pay()
  await says('Open the payment page')
  const link = [...document.querySelectorAll('a')].find(({ textContent }) =>
    textContent?.includes('Open the payment page'),
  )
  expect(link!.href).toBe('https://pay.example/7')
})

test('a paid order closes the dialog', async () => {
  await show()
  await choose('1')
  status = 'paid'
  await pay()
  await until(() => expect(close).toHaveBeenCalledWith(true))
})

test('a declined payment leads back to the packs and says the next step', async () => {
  await show()
  await choose('1')
  status = 'failed'
  await pay()
  await says('You were not charged. Try again')
  expect(document.querySelector<HTMLInputElement>('input[value="1"]')!.checked).toBe(true)
})

test.each([
  ['expired', 'No payment arrived in time. A late one still counts.'],
  ['refunded', 'Your payment was given back'],
  ['disputed', 'Your payment was given back'],
])('a payment that is %s while the buyer waits leads back to the packs', async (over, words) => {
  await show()
  await choose('1')
  status = over
  await pay()
  await says(words)
})

test('a payment that is not as ordered is said, and asks for nothing', async () => {
  await show()
  await choose('1')
  status = 'checking'
  await pay()
  await says('Your payment is not as ordered, or passes your own limit.')
})

test('a pack that is no longer on sale is said', async () => {
  refusal = new RefusedError('POST payment/start', 'not_found')
  await show()
  await choose('1')
  await pay()
  await says('This pack is no longer on sale. Choose another one.')
})

test('a provider that does not answer is said, and the tab closes', async () => {
  refusal = new RefusedError('POST payment/start', 'method_unavailable')
  await show()
  await choose('1')
  await pay()
  await says('does not answer now')
  expect(tab!.close).toHaveBeenCalled()
})

test('a pause that the guy has set is named with its end, and a limit as a limit', async () => {
  const until = { cool_off_until: '2027-01-05T12:00:00Z' }
  refusal = new RefusedError('POST payment/start', 'spending_limit', { additional: until })
  await show()
  await choose('1')
  await pay()
  await says('You buy nothing until January 5, 2027')
  refusal = new RefusedError('POST payment/start', 'spending_limit', {
    additional: { left: '5.01' },
  })
  await pay()
  await says('Your own limit leaves \u2066$5.01\u2069 for today')
})

test('a remembered gift card becomes the first provider', async () => {
  stored.set('default_payment', 'giftcard')
  await show()
  expect(document.querySelector<HTMLInputElement>('input[value="verotel"]')!.checked).toBe(true)
})

test('a code is written in groups of four', () => {
  expect(groupCode('ab12cd34ef56gh78zz')).toBe('AB12-CD34-EF56-GH78')
  expect(groupCode('ab1')).toBe('AB1')
})
