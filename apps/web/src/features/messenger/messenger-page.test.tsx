import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryRouter, RouterProvider } from 'react-router'
import {
  memoryStore,
  persistence,
  type ClientConnection,
  type ConnectionSnapshot,
} from '@duet/client'
import { changeAccount } from '../../shared/account/account-store.ts'
import { AppServicesProvider } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { MessengerPage } from './messenger-page.tsx'

let root: Root
let listeners: Set<(snapshot: ConnectionSnapshot) => void>
let snapshot: ConnectionSnapshot
let asked: string[]

const readyAs = (id: number) =>
  ({
    phase: 'ready',
    auth: { user: { id, role: 'men', email: `${id}@duet.example` } },
  }) as unknown as ConnectionSnapshot

const connection = {
  getSnapshot: () => snapshot,
  subscribe: (listener: () => void) => listen('snapshot', listener),
  on: listen,
  act: async (action: string) => {
    asked.push(action)
    return action === 'GET_DIALOGS' ? { dialogs: [] } : { messages: [], statuses: [] }
  },
  http: { get: async () => ({ items: [], next: false }) },
} as unknown as ClientConnection

function listen(event: string, listener: (snapshot: ConnectionSnapshot) => void): () => void {
  if (event === 'snapshot') listeners.add(listener)
  return () => listeners.delete(listener)
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  listeners = new Set()
  asked = []
  await activate('en')
  await loadTexts('messenger', 'favourites')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  changeAccount(undefined)
  vi.unstubAllGlobals()
})

async function logIn(id: number): Promise<void> {
  snapshot = readyAs(id)
  for (const listener of listeners) listener(snapshot)
  changeAccount(id)
}

test('another account on the page fetches its own dialogs', async () => {
  snapshot = readyAs(1)
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  const router = createMemoryRouter([{ path: '/', element: <MessengerPage /> }])
  await act(async () =>
    root.render(
      <AppServicesProvider
        services={{ connection, persistence: persistence(memoryStore()), report() {} }}
      >
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
  const fetched = () => asked.filter((action) => action === 'GET_DIALOGS').length
  expect(fetched()).toBe(1)
  await act(async () => logIn(2))
  expect(fetched()).toBe(2)
  expect(page.textContent).toContain('Meet people by video.')
})
