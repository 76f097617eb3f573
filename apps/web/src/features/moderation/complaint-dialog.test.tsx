import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { ComplaintDialog } from './complaint-dialog.tsx'

let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('moderation')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(input: Partial<OpenDialogProps<'complaint'>['input']>, answer: object = {}) {
  const sent = vi.fn(async () => ({ complaint_id: 3, ...answer }))
  const connection = { act: sent } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  const named = { person: { id: 4, nick: 'Kim' }, ...input }
  await act(async () =>
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter>
          <AppServicesProvider services={services}>
            <ComplaintDialog input={named} open close={() => {}} />
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
  const sent = await open({ media_id: 'm-1' }, { report })
  expect(text()).toContain('We hide the picture right away')
  expect(links()).toEqual([])
  await press('Send report')
  expect(sent).toHaveBeenCalledOnce()
  expect(text()).toContain('ABCDE-FGHJK')
  expect(links()).toEqual(['/report/state#s3'])
})

test('a report that names no picture names the form that hides it', async () => {
  await open({})
  expect(text()).not.toContain('We hide the picture right away')
  expect(links()).toEqual(['/report/intimate-image'])
  await press('Send report')
  expect(text()).toContain('Its number is 3')
})
