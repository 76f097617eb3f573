import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallEngine } from '@duet/call-engine'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createStore } from '../../../shared/observable-store.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { OwnUserProvider, type OwnUser } from '../../../shared/account/own-user.tsx'
import type { CallCommands } from '../call-commands.ts'
import { CallProvider } from '../call-context.tsx'
import { INITIAL_CALLS, type CallText, type RunningCall } from '../calls-state.ts'
import { ChatPanel } from './chat-panel.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
const OWN = 1
let root: Root
let isOffered: boolean
let asked: object[]
let written: string[]

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  isOffered = true
  asked = []
  written = []
  await activate('en')
  await loadTexts('calls', 'matchmaking', 'translation')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const text = (text_id: number, sender_id: number, words: string): CallText => ({
  id: `text-${text_id}`,
  text_id,
  sender_id,
  text: words,
  state: 'sent',
  at_ms: 0,
})

async function show(texts: readonly CallText[]): Promise<void> {
  const call = {
    session: { id: 7, user_interlocutor: { id: 2, nick: 'Mira', locale: 'pt', role: 'girl' } },
    about: null,
    typing_until_ms: 0,
    texts,
  } as unknown as RunningCall
  const connection = {
    getSnapshot: () => ({ phase: 'ready', auth: { user: { id: OWN } } }),
    subscribe: () => () => {},
    on: () => () => {},
    system: async () => ({ features: { translation: { on: isOffered } } }),
    http: { get: async () => ({ message_chars: 5, fast_phrases: [] }) },
    async act(action: string, fields: object) {
      asked.push({ action, ...fields })
      return { translate_message: 'The kiln is open', from: 'pt' }
    },
  }
  const services = { connection, persistence: {}, report() {} } as unknown as AppServices
  const commands = {
    typing() {},
    sendText: async (words: string) => void written.push(words),
  } as unknown as CallCommands
  const context = { calls: createStore(INITIAL_CALLS), commands, engine: {} as CallEngine }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>
          <OwnUserProvider user={{ id: OWN, role: 'guy' } as OwnUser}>
            <CallProvider context={context}>
              <ChatPanel call={call} />
            </CallProvider>
          </OwnUserProvider>
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const log = () => document.querySelector('[role=log]')!.textContent
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )
const press = (name: string) => act(async () => button(name)!.click())

test('the partner’s texts are translated once it is wanted, and the original is one press away', async () => {
  await show([text(31, 2, 'O forno está aberto'), text(32, OWN, 'Sim')])
  expect(asked).toEqual([])
  await press('Translate')
  expect(asked).toEqual([{ action: 'TRANSLATE', text_id: 31, locale: 'en' }])
  expect(log()).toContain('The kiln is open')
  expect(log()).toContain('From Portuguese')
  expect(log()).toContain('Sim')
  await press('Show original')
  expect(log()).toContain('O forno está aberto')
})

test('where nothing is translated there is no switch', async () => {
  isOffered = false
  await show([text(31, 2, 'O forno está aberto')])
  expect(button('Translate')).toBeUndefined()
})

test('a text has as many characters as the operator allows', async () => {
  await show([])
  const field = document.querySelector('input')!
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(
      field,
      'Good evening',
    )
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await press('Send')
  expect(written).toEqual(['Good '])
})
