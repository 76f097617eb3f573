import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter, useLocation } from 'react-router'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Dialog } from '@duet/protocol'
import { changeAccount } from '../../../shared/account/account-store.ts'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import type { createStore } from '../../../shared/observable-store.ts'
import { messengerRuntime } from '../state/messenger-runtime.ts'
import type { MessengerState } from '../state/messenger-state.ts'
import { ThreadHeader } from './thread-header.tsx'

const DIALOG = {
  dialog_id: 31,
  interlocutor: { id: 7, nick: 'Kim', role: 'men', avatar: null, status: 'online' },
  can_write: { allowed: true },
} as unknown as Dialog
let root: Root
let acted: unknown[]
let services: AppServices
let left: number

/** The header of a dialog with this user. */
let showHeader: (nick: string, change?: Partial<Dialog>) => Promise<void>

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('messenger', 'favourites', 'translation')
  acted = []
  left = 0
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'girl' } } }
  const connection = {
    getSnapshot: () => snapshot,
    ready: async () => {},
    subscribe: () => () => {},
    on: () => () => {},
    act: async (name: string, data: object) => {
      acted.push([name, data])
      return { mutual: false }
    },
    http: { get: () => new Promise(() => {}) },
  } as unknown as ClientConnection
  services = { connection, persistence: persistence(memoryStore()), report() {} }
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const queries = createQueryClient()
  const withNick = (nick: string) => ({ ...DIALOG, interlocutor: { ...DIALOG.interlocutor, nick } })
  showHeader = (nick, change) =>
    act(async () =>
      root.render(
        <MemoryRouter>
          <Path />
          <AppServicesProvider services={services}>
            <QueryClientProvider client={queries}>
              <ThreadHeader dialog={{ ...withNick(nick), ...change }} onLeave={() => (left += 1)} />
            </QueryClientProvider>
          </AppServicesProvider>
        </MemoryRouter>,
      ),
    )
  await showHeader('Kim')
})
afterEach(() => {
  act(() => root.unmount())
  dialogs.closeAll()
  changeAccount(undefined)
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Path() {
  const { pathname, hash } = useLocation()
  return <output>{pathname + hash}</output>
}

async function choose(entry: string): Promise<void> {
  await act(async () => document.querySelector<HTMLElement>('button[aria-label="More"]')!.click())
  await act(async () => {
    const found = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
    found.find(({ textContent }) => textContent === entry)!.click()
    await new Promise((resolve) => setTimeout(resolve))
  })
}

test('the menu of a dialog likes the other user, and takes the like back', async () => {
  await choose('Like Kim')
  await choose('Take back your like of Kim')
  expect(acted).toEqual([
    ['LIKING_REACTION', { user_id: 7, like: true }],
    ['LIKING_REACTION', { user_id: 7, like: false }],
  ])
})

test('the menu of a dialog knows a like of an earlier page by its message', async () => {
  const { update } = messengerRuntime(services).state as ReturnType<
    typeof createStore<MessengerState>
  >
  const like = { message_id: 3, type: 'like', sender_id: 1 }
  const threads = new Map([[31, { status: 'ready', messages: [like] }]])
  await act(async () =>
    update((state) => ({ ...state, own_id: 1, threads }) as unknown as MessengerState),
  )
  await choose('Take back your like of Kim')
  expect(acted).toEqual([['LIKING_REACTION', { user_id: 7, like: false }]])
})

test('the menu of a dialog under a block leads to the list of blocked people', async () => {
  await showHeader('Kim', { can_write: { allowed: false, name: 'blocked' } } as Partial<Dialog>)
  await choose('People you blocked')
  expect(document.querySelector('output')!.textContent).toBe('/profile/#blocked')
})

test('the menu of a dialog blocks after a question, and leaves the dialog', async () => {
  await choose('Block')
  const [question] = dialogs.getSnapshot()
  expect([question!.name, acted]).toEqual(['block_user', []])
  await act(async () => {
    dialogs.close(question!.key, true)
    await new Promise((resolve) => setTimeout(resolve))
  })
  expect([acted, left]).toEqual([[['BLOCK_USER', { user_id: 7 }]], 1])
})

test('a user without a picture has initials, which a screen reader does not read beside the name', () => {
  const initials = document.querySelector('header [aria-hidden]')!
  expect(initials.textContent).toBe('K')
  expect(document.querySelector('header [role=img]')).toBe(null)
})

test('a user whose account was deleted is called so', async () => {
  await showHeader('')
  expect(document.querySelector('h2')!.textContent).toBe('Deleted account')
})
