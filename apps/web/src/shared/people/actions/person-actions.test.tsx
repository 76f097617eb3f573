import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { MemoryRouter, useLocation } from 'react-router'
import { RefusedError, type ClientConnection } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { changeAccount } from '../../account/account-store.ts'
import { AppServicesProvider, type AppServices } from '../../app-services.tsx'
import { dialogs } from '../../dialogs.ts'
import { activate, loadTexts } from '../../i18n.ts'
import { createQueryClient } from '../../queries.ts'
import { mountToasts } from '../../toasts.ts'
import { PersonActions } from './person-actions.tsx'

const other = { id: 7, nick: 'Kim', ref_code: null, is_favorite: false } as UserInterlocutor
let root: Root
let queries: QueryClient
let acted: unknown[]
let toasts: { title: unknown; action?: { onPress: () => void } }[]
let unmountToasts: () => void
let refusal: 'premium_only' | 'no_first_write' | undefined
let blocked: number

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('favourites')
  acted = []
  toasts = []
  blocked = 0
  refusal = undefined
  unmountToasts = mountToasts((content) => toasts.push(content as (typeof toasts)[number]))
})
afterEach(() => {
  act(() => root.unmount())
  unmountToasts()
  dialogs.closeAll()
  changeAccount(undefined)
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function answer(name: string, data: unknown): Promise<unknown> {
  acted.push([name, data])
  if (name === 'MESSENGER_START_DIALOG') {
    if (refusal) throw new RefusedError(name, refusal)
    return { dialog_id: 31 }
  }
  return { mutual: false }
}

function Path() {
  return <output>{useLocation().pathname}</output>
}

async function show(role: 'men' | 'girl'): Promise<void> {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role, email: 'one@example.org' } } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    act: answer,
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  queries = createQueryClient()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <MemoryRouter>
        <QueryClientProvider client={queries}>
          <AppServicesProvider services={services}>
            <PersonActions person={other} onBlocked={() => (blocked += 1)} />
            <Path />
          </AppServicesProvider>
        </QueryClientProvider>
      </MemoryRouter>,
    ),
  )
}

const element = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button, [role=menuitem]')].find(
    (one) => one.getAttribute('aria-label') === name || one.textContent === name,
  )
const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))
async function press(name: string): Promise<void> {
  await act(async () => element(name)!.click())
  await settled()
}

test('a like is sent, is shown as pressed, and is taken back by another press', async () => {
  await show('girl')
  await press('Like Kim')
  expect(element('Like Kim')!.getAttribute('aria-pressed')).toBe('true')
  expect(toasts.map(({ title }) => title)).toEqual(['Your like has reached Kim'])
  await press('Like Kim')
  expect(acted).toEqual([
    ['LIKING_REACTION', { user_id: 7, like: true }],
    ['LIKING_REACTION', { user_id: 7, like: false }],
  ])
})

test('write opens the dialog', async () => {
  await show('girl')
  await press('Write to Kim')
  expect(acted).toEqual([['MESSENGER_START_DIALOG', { interlocutor_id: 7 }]])
  expect(document.querySelector('output')!.textContent).toBe('/messenger/31')
})

test.each(['premium_only', 'no_first_write'] as const)(
  'who may not write yet (%s) can send a like at once',
  async (name) => {
    refusal = name
    await show('men')
    await press('Write to Kim')
    const [toast] = toasts
    expect(toast!.title).toBe('You can write when Kim likes you or writes to you')
    await act(async () => toast!.action!.onPress())
    expect(acted.at(-1)).toEqual(['LIKING_REACTION', { user_id: 7, like: true }])
  },
)

test('a girl blocks after a question, and the list of blocked users is fetched again', async () => {
  await show('girl')
  queries.setQueryData(['blocked'], { pages: [], pageParams: [] })
  await press('Block Kim')
  const [question] = dialogs.getSnapshot()
  expect([question!.name, acted, blocked]).toEqual(['block_user', [], 0])
  await act(async () => dialogs.close(question!.key, true))
  await settled()
  expect(acted).toEqual([['BLOCK_USER', { user_id: 7 }]])
  expect(queries.getQueryState(['blocked'])!.isInvalidated).toBe(true)
  expect([blocked, toasts[0]!.title]).toEqual([1, 'Kim is blocked'])
})

test('a guy has favourite and block in the menu', async () => {
  await show('men')
  await press('More')
  await press('Add to favourites')
  expect(acted).toEqual([['ADD_FAVOURITE', { user_id: 7 }]])
  await press('More')
  expect(element('Remove from favourites')).toBeDefined()
  expect(element('Block')).toBeDefined()
})
