import { afterEach, expect, test, vi } from 'vitest'
import {
  memoryStore,
  persistence,
  type ClientConnection,
  type ConnectionSnapshot,
  RefusedError,
} from '@duet/client'
import { numberStyle } from '../shared/amounts.ts'
import { createQueryClient } from '../shared/queries.ts'
import { bootstrap, reportRefusedConnection, wakeWithPage } from './bootstrap.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function snapshots() {
  let listener: (snapshot: ConnectionSnapshot) => void = () => {}
  const connection = {
    on: (_: string, listen: typeof listener) => {
      listener = listen
    },
  } as unknown as ClientConnection
  return { connection, publish: (snapshot: ConnectionSnapshot) => listener(snapshot) }
}

test('a refused connection is reported once until it succeeds', () => {
  const { connection, publish } = snapshots()
  const report = vi.fn()
  reportRefusedConnection({ connection, report })
  const refused = () =>
    publish({
      phase: 'offline',
      problem: { type: 'refused', error: new RefusedError('AUTH', 'internal') },
    })
  refused()
  refused()
  expect(report).toHaveBeenCalledTimes(1)
  publish({ phase: 'ready' })
  refused()
  expect(report).toHaveBeenCalledTimes(2)
})

test('a lost network and a draining server are no errors', () => {
  const { connection, publish } = snapshots()
  const report = vi.fn()
  reportRefusedConnection({ connection, report })
  publish({ phase: 'offline', problem: { type: 'offline' } })
  publish({ phase: 'offline', problem: { type: 'draining', until_ms: 0 } })
  expect(report).not.toHaveBeenCalled()
})

test('the page wakes its connection when it is shown, restored or resumed, and when the network is back', () => {
  const wake = vi.fn()
  wakeWithPage({ wake })
  dispatchEvent(new Event('online'))
  dispatchEvent(new Event('pageshow'))
  document.dispatchEvent(new Event('resume'))
  expect(wake).toHaveBeenCalledTimes(3)
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  visibility.mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(wake).toHaveBeenCalledTimes(3)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(wake).toHaveBeenCalledTimes(4)
})

test('the page formats amounts in the number style of the settings, also after they are fetched again', async () => {
  let number_style: 'ru' | 'locale' = 'locale'
  const connection = {
    getSnapshot: () => ({ phase: 'connecting' }),
    subscribe: () => () => {},
    on: () => () => {},
    start() {},
    http: { get: async () => ({ number_style }) },
  } as unknown as ClientConnection
  const queries = createQueryClient()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {} }))
  bootstrap({ connection, persistence: persistence(memoryStore()), queries, report() {} })
  await vi.waitFor(() => expect(numberStyle.getSnapshot()).toBe('locale'))
  number_style = 'ru'
  await queries.resetQueries()
  expect(numberStyle.getSnapshot()).toBe('ru')
})
