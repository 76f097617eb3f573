import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Dialog } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { DemoLine } from './demo-line.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('messenger')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const sofia = { id: 6, nick: 'Sofia', role: 'girl', status: 'offline' }
const dialogWith = (interlocutor: object, can_write: object = { allowed: true }) =>
  ({ dialog_id: 11, interlocutor: { ...sofia, ...interlocutor }, can_write }) as unknown as Dialog

/** The text of the line in an installation with these demo users. Null: the installation is not a demo. */
async function fetchLine(dialog: Dialog, demoUsers: readonly number[] | null): Promise<string> {
  const cast = demoUsers?.map((user_id) => ({ user_id }))
  const connection = {
    getSnapshot: () => ({}),
    subscribe: () => () => {},
    on: () => () => {},
    system: async () => ({ features: {}, ...(cast && { demo: { cast } }) }),
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: persistence(memoryStore()), report() {} }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () => {
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <AppServicesProvider services={services}>
          <DemoLine dialog={dialog} />
        </AppServicesProvider>
      </QueryClientProvider>,
    )
  })
  return page.textContent
}

test('a dialog says that a woman of the demo answers by herself, and offers a second window', async () => {
  const open = vi.fn(() => null)
  vi.stubGlobal('location', { protocol: 'http:', hostname: 'localhost', port: '3000' })
  vi.stubGlobal('open', open)
  expect(await fetchLine(dialogWith({}), [6])).toContain('Demo: Sofia answers by herself')
  act(() => document.querySelector('button')!.click())
  expect(open).toHaveBeenCalledWith(
    expect.stringContaining('http://127.0.0.1:3000/messenger/11?demo='),
    '_blank',
    expect.any(String),
  )
})

test.each([
  ['outside the demo', dialogWith({}), null],
  ['with a user who is no demo user', dialogWith({}), [7]],
  ['with a woman who is connected', dialogWith({ status: 'online' }), [6]],
  ['with a woman who cannot be written to', dialogWith({}, { allowed: false }), [6]],
])('no dialog says so %s', async (_, dialog, demoUsers) => {
  expect(await fetchLine(dialog, demoUsers)).toBe('')
})
