import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { ReportState } from './report-state.tsx'

notifyManager.setScheduler((run) => run())
const SNAPSHOT = { phase: 'ready' }
let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('report')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(part: object): Promise<string> {
  const state = {
    receipt: 'ABCDE-FGHJK',
    kind: 'intimate_image',
    create_time: '2026-12-04T10:00:00.000Z',
    answer_until: '2026-12-06T10:00:00.000Z',
    decided_at: null,
    decision: null,
    answer: '',
    pictures: 0,
    shown: 0,
    refused_again: true,
    ...part,
  }
  const connection = {
    http: { post: async () => state },
    getSnapshot: () => SNAPSHOT,
    subscribe: () => () => {},
  } as unknown as ClientConnection
  const services = { connection, persistence: { get: () => undefined } } as unknown as AppServices
  await act(async () =>
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter initialEntries={['/report/state#secret']}>
          <AppServicesProvider services={services}>
            <ReportState />
          </AppServicesProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
  for (let turn = 0; turn < 5; turn += 1) await act(async () => {})
  return document.body.textContent
}

test('a picture that is shown until a person decides is said to be in view, not to be missing', async () => {
  const text = await show({ shown: 1 })
  expect(text).toContain('1 copy is in view still')
  expect(text).not.toContain('The picture was not found here')
})

test('copies out of view are counted beside those in view', async () => {
  expect(await show({ pictures: 2, shown: 1 })).toContain('2 copies are out of view')
})

test('a picture that has no copy was not found', async () => {
  expect(await show({})).toContain('The picture was not found here')
})
