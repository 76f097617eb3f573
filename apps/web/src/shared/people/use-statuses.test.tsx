import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { memoryStore, persistence, type ConnectionSnapshot } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../app-services.tsx'
import { useStatuses } from './use-statuses.ts'

let root: Root
let sent: [string, number[]][]
let snapshot: ConnectionSnapshot
let hear: ((snapshot: ConnectionSnapshot) => void)[]
let services: AppServices

const snapshotIn = (phase: string) =>
  ({ phase, auth: { user: { id: 1 } } }) as unknown as ConnectionSnapshot

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent = []
  hear = []
  snapshot = snapshotIn('ready')
  const connection = {
    getSnapshot: () => snapshot,
    on(event: string, listener: (snapshot: ConnectionSnapshot) => void) {
      if (event === 'snapshot') hear.push(listener)
      return () => {}
    },
    async act(action: string, { user_ids }: { user_ids: number[] }) {
      sent.push([action, user_ids])
      return { statuses: [] }
    },
  }
  services = {
    connection,
    persistence: persistence(memoryStore()),
    report: expect.unreachable,
  } as unknown as AppServices
  root = createRoot(document.createElement('div'))
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

function Shown({ ids }: { ids: number[] }) {
  useStatuses(ids)
  return null
}

const show = (children: ReactNode) =>
  act(async () =>
    root.render(<AppServicesProvider services={services}>{children}</AppServicesProvider>),
  )

test('a user that two parts of the page show stays subscribed when one part ends', async () => {
  const thread = <Shown key="thread" ids={[2]} />
  await show([<Shown key="list" ids={[2, 3]} />, thread])
  await show([thread])
  expect(sent).toEqual([
    ['SUBSCRIBE', [2, 3]],
    ['UNSUBSCRIBE', [3]],
  ])
})

test('another order sends nothing, and a new user is the only one that is sent', async () => {
  await show(<Shown ids={[2, 3]} />)
  await show(<Shown ids={[3, 2]} />)
  await show(<Shown ids={[4, 3, 2]} />)
  expect(sent).toEqual([
    ['SUBSCRIBE', [2, 3]],
    ['SUBSCRIBE', [4]],
  ])
})

test('a new connection subscribes again', async () => {
  await show(<Shown ids={[2]} />)
  for (const phase of ['offline', 'ready']) {
    snapshot = snapshotIn(phase)
    await act(async () => hear.forEach((listener) => listener(snapshot)))
  }
  expect(sent).toEqual([
    ['SUBSCRIBE', [2]],
    ['SUBSCRIBE', [2]],
  ])
})
