import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { PenaltyDialog } from './penalty-dialog.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())

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

async function show(refundable_until: string | undefined): Promise<string> {
  const connection = {
    http: { get: async () => ({ penalty_refund_coins: '25000' }) },
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  const input = {
    amount: '1000',
    comment: 'no begging',
    place: 'messenger',
    reason: 'begging',
    statement_id: 7,
    total_penalties: 1,
    refundable_until,
  } as unknown as OpenDialogProps<'penalty'>['input']
  await act(async () =>
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <AppServicesProvider services={services}>
          <PenaltyDialog input={input} open close={() => {}} />
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
  for (let turn = 0; turn < 5; turn += 1) await act(async () => {})
  return (document.body.textContent ?? '').replaceAll(/\s/g, ' ')
}

test('the coins and the day that return a first penalty are named', async () => {
  expect(await show('2026-12-04T10:00:00.000Z')).toContain(
    'comes back when you earn more than 25 000 coins by December 4, 2026',
  )
})

test('a penalty that does not return promises nothing', async () => {
  expect(await show(undefined)).not.toContain('comes back')
})
