import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Dialog } from '@duet/protocol'
import { changeAccount } from '../../../shared/account/account-store.ts'
import { AppServicesProvider } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { DialogRow } from './dialog-row.tsx'

let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('messenger')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  changeAccount(undefined)
  vi.unstubAllGlobals()
})

const dialogWith = (dialog_id: number, nick: string) =>
  ({
    dialog_id,
    interlocutor: { id: dialog_id, nick, role: 'girl', avatar: null, status: 'online' },
    count_new_messages: 0,
    last_message: null,
  }) as unknown as Dialog

test('the row of the dialog that Escape left takes the focus of the page', async () => {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men' } } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    ready: async () => {},
    act: async () => ({ dialogs: [] }),
  } as unknown as ClientConnection
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={[{ pathname: '/messenger/', state: { left_dialog: 32 } }]}>
        <AppServicesProvider
          services={{ connection, persistence: persistence(memoryStore()), report() {} }}
        >
          <DialogRow dialog={dialogWith(31, 'Ada')} />
          <DialogRow dialog={dialogWith(32, 'Eva')} />
        </AppServicesProvider>
      </MemoryRouter>,
    ),
  )
  const focused = [...document.querySelectorAll('[data-route-focus]')]
  expect(focused.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Eva')])
})
