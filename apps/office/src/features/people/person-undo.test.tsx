import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../shared/api.ts'
import { PendingBar, PendingProvider } from '../../shared/queue/pending-decision.tsx'
import { SessionProvider } from '../../shared/session.tsx'
import { PersonPage } from './person-page.tsx'

const AT = '2026-03-01T12:00:00.000Z'
const ANSWERS: Record<string, object> = {
  'v2/manager/users/{id}': {
    user: {
      id: 13,
      nick: 'Anna',
      role: 'girl',
      locale: 'pt',
      country: 'PT',
      state: 'active',
      verified: true,
      email: null,
      create_time: AT,
      last_visit: null,
    },
    age: 30,
    avatar: null,
    about: '',
    balance: '0',
    held: '0',
    messages: 0,
    premium_until: null,
    verify_state: 'verified',
    locale: 'pt',
    invited_by: null,
    complaints_about: { upheld: 0, rejected: 0, waiting: 0 },
    complaints_by: { upheld: 0, rejected: 0, waiting: 0 },
    wallet: null,
    linked: [],
    gifts_forbidden: false,
    email_confirmed: true,
  },
  'v2/manager/users/{id}/pictures': {
    items: [
      {
        id: 'the-picture',
        kind: 'photo',
        product: 'gallery',
        status: 'ready',
        reason: null,
        create_time: AT,
      },
    ],
    page: 1,
    next: false,
  },
}
const SESSION = {
  staff: { id: 7, email: 'dana@duet.example', role: 'manager', last_visit: null } as const,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: false,
  most: { penalty_coins: null, ban_days: null },
}

let root: Root
let posted: string[]

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  posted = []
  vi.spyOn(api, 'get').mockImplementation((async (path: string) => ANSWERS[path]) as never)
  vi.spyOn(api, 'post').mockImplementation((async (path: string) => {
    posted.push(path)
    return {}
  }) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function draw(address: string): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[address]}>
          <SessionProvider value={SESSION}>
            <PendingProvider>
              <Routes>
                <Route path="/users/:id/*" element={<PersonPage />} />
              </Routes>
              <PendingBar />
            </PendingProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
  await settle()
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1)
    await act(() => new Promise((done) => setTimeout(done, 0)))
}

const dialog = () => document.querySelector<HTMLElement>('[role=dialog]')
const words = () => dialog()?.querySelector('textarea')?.value
const choice = (label: string) =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog] [role=combobox]')].find(
    (one) => document.getElementById(one.getAttribute('aria-labelledby')!)?.textContent === label,
  )

async function press(text: string, within: ParentNode = document): Promise<void> {
  const button = [...within.querySelectorAll<HTMLElement>('button, [role=option]')].find((one) =>
    one.textContent.startsWith(text),
  )
  if (!button) throw new Error(`There is no button ${text} in: ${document.body.textContent}`)
  await act(async () => button.click())
  await settle()
}

async function choose(label: string, option: string): Promise<void> {
  await act(async () => choice(label)!.click())
  await settle()
  await press(option)
}

async function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!
    set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

test('an act of the page of a person that is taken back opens its form as it was', async () => {
  await draw('/users/13')
  await press('New act')
  await choose('Kind', 'Penalty')
  await choose('Place', 'Messenger')
  const amount = [...dialog()!.querySelectorAll('input')].find(({ value }) => value === '1000')!
  await write(amount, '250')
  await write(dialog()!.querySelector('textarea')!, 'You gave your number.')
  const file = dialog()!.querySelector<HTMLInputElement>('[type=file]')!
  Object.defineProperty(file, 'files', { value: [new File(['1'], 'the-chat.png')] })
  await act(async () => file.dispatchEvent(new Event('change', { bubbles: true })))
  await press('Take the coins', dialog()!)
  await vi.waitFor(() => expect(dialog()).toBeNull())
  await press('Undo')
  expect(words()).toBe('You gave your number.')
  expect(choice('Kind')?.textContent).toContain('Penalty')
  expect(choice('Place')?.textContent).toContain('Messenger')
  expect([...dialog()!.querySelectorAll('input')].map(({ value }) => value)).toContain('250')
  expect(dialog()!.textContent).toContain('the-chat.png')
  expect(posted).toEqual([])
})

test('a screenshot can be removed, and goes with the words when the number of the person changes', async () => {
  await draw('/users/13')
  await press('New act')
  const choosePicture = async () => {
    const file = dialog()!.querySelector<HTMLInputElement>('[type=file]')!
    Object.defineProperty(file, 'files', { value: [new File(['1'], 'the-chat.png')] })
    await act(async () => file.dispatchEvent(new Event('change', { bubbles: true })))
    expect(dialog()!.textContent).toContain('the-chat.png')
  }
  await choosePicture()
  await press('Remove', dialog()!)
  expect(dialog()!.textContent).not.toContain('the-chat.png')
  await act(async () => root.unmount())
  await draw('/users/13')
  await press('New act')
  await choosePicture()
  await write(dialog()!.querySelector('textarea')!, 'You gave your number.')
  await write(dialog()!.querySelector<HTMLInputElement>('[inputmode=numeric]')!, '14')
  expect(dialog()!.textContent).not.toContain('the-chat.png')
  expect(words()).toBe('')
  await write(dialog()!.querySelector('textarea')!, 'You gave your number.')
  await write(dialog()!.querySelector<HTMLInputElement>('[inputmode=numeric]')!, '145')
  expect(words()).toBe('You gave your number.')
})

test('a removal of a picture that is taken back keeps its reason and its words', async () => {
  await draw('/users/13/pictures')
  await press('Look')
  await choose('Reason', 'Remove: screenshot')
  await write(dialog()!.querySelector('textarea')!, 'This is a screen.')
  await press('Remove: screenshot', dialog()!.querySelector('footer')!)
  await vi.waitFor(() => expect(dialog()).toBeNull())
  await press('Undo')
  expect(words()).toBe('This is a screen.')
  expect(choice('Reason')?.textContent).toContain('Remove: screenshot')
  expect(posted).toEqual([])
})

test('the page of a person has the names of the country and the language, not their codes', async () => {
  await draw('/users/13')
  expect(document.querySelector('header')!.textContent).toContain('Woman · Portugal')
  expect(document.querySelector('dl')!.textContent).toContain('LanguagePortuguese')
})
