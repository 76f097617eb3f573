import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { memoryStore, persistence, type ClientConnection, type Persistence } from '@duet/client'
import type { Dialog } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { formatClock } from '../times.ts'
import { Composer } from './composer.tsx'
import { CannotWrite, QuotaBar, QuotaSpent } from './quota-bar.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
let stored: Persistence
/** Another user is logged in from now on. */
let becomes: (auth: { user: { id: number; role: string }; free_quota_messages?: number }) => void
let listeners: Set<() => void>
let isPhone: boolean
let hasShop: boolean
let sent: { message?: string }[]

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: isPhone,
    addEventListener() {},
    removeEventListener() {},
  }))
  isPhone = false
  hasShop = false
  listeners = new Set()
  sent = []
  await activate('en')
  await loadTexts('messenger')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const settings = {
  free_messages_a_day: 10,
  fast_phrases: ['Good evening'],
  message_chars: 1000,
  next_day_at: '2026-11-20T21:00:00Z',
}

const DIALOG = {
  dialog_id: 7,
  can_write: { allowed: true, cost: 'free' },
  interlocutor: { id: 2, nick: 'Mira' },
} as unknown as Dialog

async function show(content: React.ReactNode, auth: object = {}): Promise<void> {
  let snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men' }, ...auth } }
  becomes = (next) => (snapshot = { ...snapshot, auth: next })
  const connection = {
    getSnapshot: () => snapshot,
    ready: async () => {},
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    on: () => () => {},
    act: (action: string, fields: object) => {
      if (action === 'MESSAGE') sent.push(fields)
      return new Promise(() => {})
    },
    system: async () => ({ features: { payments: { on: hasShop } } }),
    http: { get: async () => settings },
  } as unknown as ClientConnection
  stored = persistence(memoryStore())
  const services: AppServices = { connection, persistence: stored, report() {} }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>{content}</QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const field = () => document.querySelector('textarea')!

async function types(text: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(
      field(),
      text,
    )
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Whether the browser would break the line. */
async function pressesEnter(keys: KeyboardEventInit = {}): Promise<boolean> {
  let isLeft = true
  await act(async () => {
    const event = new KeyboardEvent('keydown', {
      key: 'Enter',
      bubbles: true,
      cancelable: true,
      ...keys,
    })
    isLeft = field().dispatchEvent(event)
  })
  return isLeft
}

async function press(name: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )
  await act(async () => button!.click())
}

const composer = <Composer dialog={DIALOG} nick="Mira" />

test('Enter sends the text without its outer spaces, empties the field and leaves the focus in it', async () => {
  await show(composer)
  await types('  Hello \n')
  expect(await pressesEnter()).toBe(false)
  expect(sent.map(({ message }) => message)).toEqual(['Hello'])
  expect(field().value).toBe('')
  expect(document.activeElement).toBe(field())
})

test('Shift and Enter break the line', async () => {
  await show(composer)
  await types('Hello')
  expect(await pressesEnter({ shiftKey: true })).toBe(true)
  expect(sent).toEqual([])
})

test.each([
  ['while the composition goes on', { isComposing: true }],
  ['after its end, as older Safari sends it', { keyCode: 229 }],
])('Enter that accepts a composed word sends nothing: %s', async (_, key) => {
  await show(composer)
  await types('こん')
  await pressesEnter(key)
  expect(sent).toEqual([])
  await pressesEnter()
  expect(sent).toHaveLength(1)
})

test('the field is where a new page on a desktop has its focus, and not on a phone', async () => {
  await show(composer)
  expect(document.querySelector('[data-route-focus]')).toBe(field())
  act(() => root.unmount())
  isPhone = true
  await show(composer)
  expect(document.querySelector('[data-route-focus]')).toBe(null)
})

test('on a phone Enter breaks the line, and the field takes no focus by itself', async () => {
  isPhone = true
  await show(composer)
  expect(document.activeElement).not.toBe(field())
  await types('Hello')
  expect(await pressesEnter()).toBe(true)
  expect(sent).toEqual([])
})

test('a page that is closed stores the text of the last moment', async () => {
  await show(composer)
  await types('Hello')
  dispatchEvent(new Event('pagehide'))
  expect(stored.get('drafts')?.map(({ text }) => text)).toEqual(['Hello'])
})

test('spaces alone are not sent', async () => {
  await show(composer)
  await types(' \n ')
  await pressesEnter()
  expect(sent).toEqual([])
})

test('the field holds a thousand characters, an emoji counts as one', async () => {
  await show(composer)
  await types('🎈'.repeat(1001))
  expect([...field().value]).toHaveLength(1000)
})

test('the field holds no more characters than the installation permits', async () => {
  settings.message_chars = 5
  await show(composer)
  await types('123456')
  expect(field().value).toBe('12345')
  settings.message_chars = 1000
})

test('a quick phrase is written into the field and not sent', async () => {
  await show(composer)
  const phrase = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Good evening',
  )!
  await act(async () => phrase.click())
  expect(field().value).toBe('Good evening')
  expect(sent).toEqual([])
})

const text = () => document.body.textContent

test('the bar of free messages is shown for the last five, and names Premium only where it is sold', async () => {
  await show(<QuotaBar can_write={DIALOG.can_write} />, { free_quota_messages: 1 })
  expect(text()).toContain('1 free message left today')
  expect(text()).toContain(`New free messages come at ${formatClock(settings.next_day_at)}`)
  act(() => root.unmount())
  hasShop = true
  await show(<QuotaBar can_write={DIALOG.can_write} />, { free_quota_messages: 1 })
  expect(text()).toContain('Premium keeps her messages from vanishing')
})

test.each([
  ['while more are left', { free_quota_messages: 6 }],
  ['for a user who pays nothing', { free_quota_messages: 1 }, { cost: 'none' as const }],
  ['with Premium', { free_quota_messages: 1, user: { id: 1, role: 'men', is_premium: true } }],
])('the bar of free messages is not shown %s', async (_, auth, writing?) => {
  await show(<QuotaBar can_write={{ ...DIALOG.can_write, ...writing }} />, auth)
  expect(text()).toBe('')
})

test.each([
  ['message_limit', "You've used today's free messages"],
  ['no_balance', 'No messages left'],
  ['no_first_write', 'Wait for Mira to answer'],
  ['premium_only', 'When Mira likes you, you can write'],
])('refusal %s is explained in place of the composer', async (name, words) => {
  const dialog = { ...DIALOG, can_write: { allowed: false, name } } as Dialog
  await show(<CannotWrite dialog={dialog} nick="Mira" />)
  expect(text()).toContain(words)
})

test('an emoji is written where the caret is, and the grid stays open for the next one', async () => {
  await show(composer)
  await types('Hello Mira')
  field().setSelectionRange(5, 5)
  await press('Emoji')
  await press('😊')
  await press('🌹')
  expect(field().value).toBe('Hello😊🌹 Mira')
})

test('the arrow keys move inside of the grid of emoji, which is one stop of the Tab key', async () => {
  await show(composer)
  await press('Emoji')
  const stops = () => [...document.querySelectorAll('[role=group] button[tabindex="0"]')]
  expect(stops().map(({ textContent }) => textContent)).toEqual(['😊'])
  const grid = document.querySelector('[role=group][aria-label=Emoji]')!
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'End'])
    await act(
      async () => void grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
    )
  expect(stops().map(({ textContent }) => textContent)).toEqual(['✨'])
  expect(document.activeElement?.textContent).toBe('✨')
})

test('the time at which the free messages are renewed is the reader’s, also with settings of a former day', async () => {
  const dialog = { ...DIALOG, can_write: { allowed: false, name: 'message_limit' } } as Dialog
  await show(<CannotWrite dialog={dialog} nick="Mira" />)
  expect(text()).toContain(`You can write again at ${formatClock(settings.next_day_at)}`)
})

test('the end of the free messages is told to a screen reader, until there are new ones', async () => {
  const leaves = (free_quota_messages: number) =>
    act(async () => {
      becomes({ user: { id: 1, role: 'men' }, free_quota_messages })
      for (const listener of listeners) listener()
    })
  await show(<QuotaSpent />, { free_quota_messages: 1 })
  const told = () => document.querySelector('[role=status]')!.textContent
  expect(told()).toBe('')
  await leaves(0)
  expect(told()).toBe("You've used today's free messages")
  await leaves(10)
  expect(told()).toBe('')
})

test('an unfinished text is stored when the dialog is left, and not after a log-out', async () => {
  await show(<Composer dialog={DIALOG} nick="Mira" />)
  await types('Hello')
  await act(async () => root.render(null))
  expect(stored.get('drafts')).toEqual([{ user_id: 1, dialog_id: 7, text: 'Hello' }])
  await act(async () => root.unmount())
  await show(<Composer dialog={DIALOG} nick="Mira" />)
  await types('Secret')
  becomes({ user: { id: 9, role: 'men' } })
  await act(async () => root.render(null))
  expect(stored.get('drafts')).toBeUndefined()
})
