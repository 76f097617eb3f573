import { act } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { Receipt } from '@duet/protocol'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MemoryRouter } from 'react-router'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { createStore } from '../../shared/observable-store.ts'
import { OwnUserProvider, type OwnUser } from '../../shared/account/own-user.tsx'
import { ScreenPartsProvider, type ScreenParts } from '../../shared/video/screen-parts.tsx'
import { CallProvider, type CallScreenContext } from './call-context.tsx'
import { INITIAL_CALLS, type EndedCall } from './calls-state.ts'
import { ReceiptLines } from '../../shared/video/receipt-lines.tsx'
import { ReceiptScreen } from './receipt-screen.tsx'

const SNAPSHOT = {}
const SERVICES = {
  connection: { getSnapshot: () => SNAPSHOT, subscribe: () => () => {} },
} as unknown as AppServices
/** Loading the actions is a lot of work for a busy machine. */
const LOADED_WITHIN = { timeout: 20_000 }
const NOW_MS = Date.parse('2026-11-21T20:00:00Z')

let root: Root
let starts: number

beforeAll(async () => {
  await activate('en')
  await loadTexts('calls')
})
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ now: NOW_MS })
  document.body.replaceChildren(document.createElement('div'))
  root = createRoot(document.body.firstElementChild!)
  starts = 0
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function show(
  endedAgoMs: number,
  reason: EndedCall['receipt']['reason'] = 'left',
  { seconds = 0, ...own }: Partial<OwnUser> & { seconds?: number } = {},
) {
  const left = {
    receipt: { reason, seconds, paid_seconds: 0, free_seconds: seconds, paused: [] },
    person: { id: 7, nick: 'Anna', avatar: null },
    how: null,
    at_ms: NOW_MS - endedAgoMs,
    is_requeued: false,
  } as unknown as EndedCall
  const context = { calls: createStore(INITIAL_CALLS), commands: {}, engine: {} }
  const parts = { OwnPicture: () => null } as unknown as ScreenParts
  await act(async () =>
    root.render(
      <OwnUserProvider user={{ role: 'guy', ...own } as OwnUser}>
        <ScreenPartsProvider parts={parts}>
          <AppServicesProvider services={SERVICES}>
            <MemoryRouter>
              <QueryClientProvider client={createQueryClient()}>
                <CallProvider context={context as unknown as CallScreenContext}>
                  <ReceiptScreen left={left} onStart={() => (starts += 1)} />
                </CallProvider>
              </QueryClientProvider>
            </MemoryRouter>
          </AppServicesProvider>
        </ScreenPartsProvider>
      </OwnUserProvider>,
    ),
  )
}

const pass = (durationMs: number) => act(async () => vi.advanceTimersByTimeAsync(durationMs))

test('the next search starts three seconds after the end of the call, not after the receipt was shown', async () => {
  await show(2_000)
  await pass(600)
  expect(starts).toBe(0)
  await pass(600)
  expect(starts).toBe(1)
})

test('a receipt that is opened later starts no search', async () => {
  await show(60_000)
  await pass(10_000)
  expect(starts).toBe(0)
})

test('after a call that the server interrupted the search starts by itself', async () => {
  await show(0, 'server')
  await pass(3_200)
  expect(starts).toBe(1)
})

test('a hidden page starts no search, and the countdown begins when the page is shown', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await show(0)
  await pass(10_000)
  expect(starts).toBe(0)
  visibility.mockRestore()
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
  await pass(2_600)
  expect(starts).toBe(0)
  await pass(800)
  expect(starts).toBe(1)
})

test('a touch stops the countdown', async () => {
  await show(0)
  await act(async () => void dispatchEvent(new Event('pointerdown')))
  await pass(10_000)
  expect(starts).toBe(0)
})

const messageButton = () => document.querySelector('[aria-label="Write to Anna"]')

test('after a talk the other user can be liked and written to', LOADED_WITHIN, async () => {
  await show(60_000, 'left', { is_member: true, seconds: 40 })
  await vi.waitUntil(async () => {
    await pass(20)
    return messageButton() !== null
  }, LOADED_WITHIN)
  expect(document.querySelector('[aria-label="Like Anna"]')).not.toBeNull()
})

test('after a call that did not connect there is no message button', async () => {
  await show(60_000, 'not_connected', { is_member: true })
  await pass(200)
  expect(messageButton()).toBeNull()
})

const lines = async (role: OwnUser['role'], part: Partial<Receipt>): Promise<string[]> => {
  const receipt = { seconds: 8, paid_seconds: 0, free_seconds: 8, quota_seconds: 0, paused: [] }
  await act(async () =>
    root.render(
      <OwnUserProvider user={{ role } as OwnUser}>
        <ReceiptLines receipt={{ ...receipt, ...part } as unknown as Receipt} />
      </OwnUserProvider>,
    ),
  )
  return [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
}

test.each([
  ['guy', { spent: '0' }],
  ['girl', { earned: '0' }],
] as const)('a free call says so once, without an amount of 0: %s', async (role, part) => {
  expect(await lines(role, part)).toEqual(['Talked00:08', 'Free00:08'])
})

test('a paid call names its price, a single diamond in the singular', async () => {
  const paid = { seconds: 68, paid_seconds: 60, spent: '1' }
  expect(await lines('guy', paid)).toEqual([
    'Talked01:08',
    'Free00:08',
    'Paid time01:00',
    'Spent1 diamond',
  ])
})
