import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RefusedError, type ClientConnection } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { GiftDialog } from './gift-dialog.tsx'

const anna = { id: 7, nick: 'Anna', role: 'girl' } as UserInterlocutor
const gifts = [
  { gift_id: 1, name: 'Coffee', image: '/gifts/coffee.svg', price: '3' },
  { gift_id: 2, name: 'Star', image: '/gifts/star.svg', price: '50' },
]
const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men', balance: '10' } } }
let given: object[]
let refusal: RefusedError | undefined
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  given = []
  refusal = undefined
  await activate('en')
  for (const catalogue of ['gifts', 'ledger'] as const) await loadTexts(catalogue)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await show()
})
afterEach(() => {
  act(() => root.unmount())
  dialogs.closeAll()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const close = vi.fn()

async function show(more: { anchor?: Element } = {}): Promise<void> {
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    system: async () => ({ demo: {} }),
    http: { get: async () => ({ gifts }) },
    act: async (_name: string, sent: object) => {
      given.push(sent)
      if (refusal) throw refusal
      return {}
    },
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>
          <GiftDialog input={{ person: anna, ...more }} open close={close} />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
  // The list arrives some turns later.
  for (let turn = 0; turn < 100 && !document.querySelector('li button'); turn += 1)
    await act(() => new Promise((resolve) => setTimeout(resolve)))
}

function button(name: RegExp): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find((one) =>
    name.test(one.textContent ?? ''),
  )
  if (!found) throw new Error(`no button ${name}`)
  return found
}
const press = (name: RegExp) => act(async () => button(name).click())

test('a chosen gift is given once, and the sentence names it', async () => {
  expect(button(/Choose a gift/).disabled).toBe(true)
  await press(/Coffee/)
  await press(/Send Coffee for 3 minutes/)
  expect(given).toMatchObject([{ gift_id: 1, recipient_id: 7 }])
  expect(close).toHaveBeenCalledWith(true)
  expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['present_success'])
})

test('a gift beyond the balance names the missing minutes and leads to more', async () => {
  await press(/Star/)
  expect(document.body.textContent).toContain('40 minutes are missing')
  await press(/Add minutes/)
  expect(given).toEqual([])
  expect(dialogs.getSnapshot()).toMatchObject([
    {
      name: 'not_balance',
      input: { last_interlocutor: anna, place: 'gift', needed: '50' },
    },
  ])
})

test('a press that is repeated after a failure gives under the same id', async () => {
  refusal = new RefusedError('GIVE_GIFT', 'no_gifts')
  await press(/Coffee/)
  await press(/Send Coffee/)
  expect(document.body.textContent).toContain("Anna can't accept gifts right now")
  await press(/Send Coffee/)
  const [first, second] = given as { random_id: string }[]
  expect(first!.random_id).toBe(second!.random_id)
})

test('in a call on a desktop the gifts stand above their button, and the page stays usable', async () => {
  act(() => root.unmount())
  root = createRoot(document.body.appendChild(document.createElement('div')))
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  await show({ anchor: document.body.appendChild(document.createElement('button')) })
  const popup = document.querySelector('[role=dialog]')!
  expect(popup.className).toContain('w-[420px]')
  expect(document.querySelector('.bg-scrim')).toBeNull()
  await press(/Coffee/)
  await press(/Send Coffee for 3 minutes/)
  expect(close).toHaveBeenCalledWith(true)
})
