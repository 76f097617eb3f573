import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, useLocation } from 'react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { backEntries } from '../../shared/navigation/back-entries.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { ComplaintDialog } from './complaint-dialog.tsx'

let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('moderation')
  steps = []
  email_confirmed = false
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

let address: string
function Address() {
  const { pathname, hash } = useLocation()
  address = pathname + hash
  return null
}
let steps: string[]
let email_confirmed: boolean

async function open(input: Partial<OpenDialogProps<'complaint'>['input']>, answer: object = {}) {
  const sent = vi.fn(async () => ({ complaint_id: 3, ...answer }))
  const snapshot = { auth: { user: { email_confirmed } } }
  const connection = {
    act: sent,
    subscribe: () => () => {},
    getSnapshot: () => snapshot,
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  const named = { person: { id: 4, nick: 'Kim' }, ...input }
  await act(async () =>
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter>
          <AppServicesProvider services={services}>
            <Address />
            <ComplaintDialog input={named} open close={() => void steps.push('closed')} />
          </AppServicesProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
  const row = [...document.querySelectorAll('label')].find(({ textContent }) =>
    textContent.startsWith('An intimate picture of me'),
  )!
  await act(async () => row.querySelector<HTMLElement>('[role=radio]')!.click())
  return sent
}
const press = (name: string) =>
  act(async () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === name)!.click(),
  )
const text = () => document.body.textContent
const links = () => [...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))

test('the report of a picture says that it is hidden, and its receipt opens the page of its state', async () => {
  const report = { receipt: 'ABCDE-FGHJK', answer_until: '2026-12-04T10:00:00.000Z', secret: 's3' }
  email_confirmed = true
  const sent = await open({ media_id: 'm-1' }, { report })
  expect(text()).toContain('We hide the picture right away')
  expect(links()).toEqual([])
  await press('Send report')
  expect(sent).toHaveBeenCalledOnce()
  expect(text()).toContain('ABCDE-FGHJK')
  expect(text()).not.toContain('Keep this link')
  expect(links()).toEqual(['/report/state#s3'])
})

test('a report that names no picture names the form that hides it', async () => {
  await open({})
  expect(text()).not.toContain('We hide the picture right away')
  expect(links()).toEqual(['/report/intimate-image'])
  await press('Send report')
  expect(text()).toContain('Its number is 3')
})

test('a link closes the dialog, and its page opens once the history has settled', async () => {
  const report = { receipt: 'ABCDE-FGHJK', answer_until: '2026-12-04T10:00:00.000Z', secret: 's3' }
  const { promise, resolve } = Promise.withResolvers<void>()
  vi.spyOn(backEntries, 'remove').mockReturnValue(promise)
  const follow = () => act(async () => document.querySelector('a')!.click())
  await open({ media_id: 'm-1' }, { report })
  await press('Send report')
  expect(text()).toContain('Keep this link')
  await follow()
  expect([steps, address]).toEqual([['closed'], '/'])
  await act(async () => resolve())
  expect(address).toBe('/report/state#s3')
  act(() => root.unmount())
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await open({})
  await follow()
  expect([steps, address]).toEqual([['closed', 'closed'], '/report/intimate-image'])
})
