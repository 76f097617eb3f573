import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type ConnectionSnapshot,
  type ClientConnection,
  memoryStore,
  persistence,
} from '@duet/client'
import { AppServicesProvider } from '../../shared/app-services.tsx'
import { connectionLineShown } from '../../shared/navigation/connection-line-shown.ts'
import { activate, t } from '../../shared/i18n.ts'
import { clearPassingOutage, useOutage } from '../errors/outage.ts'
import { ReconnectingPill } from './reconnecting-pill.tsx'

beforeEach(async () => {
  await activate('en')
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
})
afterEach(() => {
  clearPassingOutage()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A page whose connection is in this state, after some seconds. */
async function pageAfter(
  seconds: number,
  snapshot: ConnectionSnapshot,
  { member }: { member: boolean },
) {
  const storage = persistence(memoryStore())
  if (member) storage.set('member', true)
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
  } as unknown as ClientConnection
  let outage: ReturnType<typeof useOutage>
  function Outage() {
    outage = useOutage()
    return null
  }
  const page = document.createElement('div')
  const root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={{ connection, persistence: storage, report() {} }}>
        <ReconnectingPill />
        <Outage />
      </AppServicesProvider>,
    ),
  )
  await act(async () => vi.advanceTimersByTime(seconds * 1000))
  const shown = { text: page.textContent, outage }
  await act(async () => root.unmount())
  return shown
}

const offline: ConnectionSnapshot = { phase: 'offline', problem: { type: 'offline' } }

test('a visitor sees that the page is reconnecting, and reads on', async () => {
  const { text, outage } = await pageAfter(30, offline, { member: false })
  expect(text).toBe(t('system.reconnecting'))
  expect(outage).toBeUndefined()
})

test('a screen that says so itself is not covered by the pill', async () => {
  connectionLineShown.set(true)
  expect((await pageAfter(5, offline, { member: true })).text).toBe('')
  connectionLineShown.set(false)
  expect((await pageAfter(5, offline, { member: true })).text).toBe(t('system.reconnecting'))
})

test('a screen that says so itself stays usable, however long the connection is away', async () => {
  connectionLineShown.set(true)
  const { outage } = await pageAfter(60, offline, { member: true })
  connectionLineShown.set(false)
  expect(outage).toBeUndefined()
})

test('the page of a member that never had a connection is blocked', async () => {
  expect((await pageAfter(13, offline, { member: true })).outage).toBe('no_network')
  expect((await pageAfter(13, { phase: 'connecting' }, { member: true })).outage).toBe('no_network')
})

test('a server that restarts is named so, not as a missing network', async () => {
  const draining = { phase: 'offline', problem: { type: 'draining', until_ms: 0 } } as const
  expect((await pageAfter(13, draining, { member: true })).outage).toBe('draining')
})

test('a connection that is back within a second shows nothing', async () => {
  expect((await pageAfter(0.9, offline, { member: true })).text).toBe('')
})
