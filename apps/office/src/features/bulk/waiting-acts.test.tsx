import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../shared/api.ts'
import { ProofProvider } from '../../shared/prove/prove.tsx'
import { SessionProvider } from '../../shared/session.tsx'
import { StaffAlarms } from './staff-alarms.tsx'
import { WaitingActs } from './waiting-acts.tsx'
import './bulk-texts.ts'

const SESSION = {
  staff: { id: 7, email: 'emil@duet.example', role: 'owner', last_visit: null } as const,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: false,
  most: { penalty_coins: null, ban_days: null },
}
const EXPORT = {
  id: 1,
  act: 'sealed_export',
  user_id: 5,
  facts: [{ name: 'complaint_id', value: '3' }],
  reason: 'police report 17',
  asked_by: 'nora@duet.example',
  at: '2026-03-01T12:00:00.000Z',
}

let root: Root
let queries: QueryClient

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.spyOn(api, 'get').mockImplementation((async (path: string) =>
    path === 'v2/manager/approvals' ? { approvals: [EXPORT] } : { alarms: [] }) as never)
  vi.spyOn(api, 'post').mockImplementation((async () => ({})) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function draw(children: ReactNode): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  queries = new QueryClient()
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <SessionProvider value={SESSION}>
            <ProofProvider>{children}</ProofProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
}

test('an export that was allowed here is seen on the page of its case', async () => {
  await draw(<WaitingActs />)
  queries.setQueryData(['sealed-case', 3], {})
  await vi.waitFor(() => expect(document.querySelector('button')).not.toBeNull())
  await act(async () => document.querySelector('button')!.click())
  await vi.waitFor(() =>
    expect(queries.getQueryState(['sealed-case', 3])?.isInvalidated).toBe(true),
  )
})

test('without an alarm the page does not claim that no member of staff looked', async () => {
  await draw(<StaffAlarms />)
  await vi.waitFor(() => expect(document.body.textContent).toContain('No alarm.'))
})
