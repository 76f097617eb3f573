import { beforeEach, expect, test, vi } from 'vitest'
import type { AppServices } from '../../../shared/app-services.tsx'
import { sendDeviceFingerprint } from './device-fingerprint.ts'
import type { FingerprintScript } from './load-agent.ts'

const OWN = '0123456789abcdef0123456789abcdef'
const READY = { phase: 'ready', auth: { user: { id: 7 } } }
const GONE = { phase: 'reconnecting', auth: undefined }

const script = vi.hoisted(() => ({ load: vi.fn<(key: string) => Promise<FingerprintScript>>() }))
const agent = { start: vi.fn<FingerprintScript['start']>(), get: vi.fn() }

vi.mock('@fingerprintjs/fingerprintjs', () => ({
  load: async () => ({ get: async () => ({ visitorId: OWN }) }),
}))
vi.mock('./load-agent.ts', () => ({ loadFingerprintScript: script.load }))

beforeEach(() => {
  vi.resetAllMocks()
  vi.resetModules()
  agent.get.mockResolvedValue({ event_id: 'event-1', visitor_id: 'visitor-1' })
  agent.start.mockReturnValue(agent)
  script.load.mockResolvedValue(agent)
})

/** A page whose connection passes on its snapshots and records the sent messages. */
function page(fingerprint: object, stored: string | undefined = OWN) {
  let tell: (snapshot: object) => void = () => {}
  const sent: [string, object][] = []
  const refusals: Error[] = []
  const connection = {
    getSnapshot: () => GONE,
    on(name: string, listener: typeof tell) {
      if (name === 'snapshot') tell = listener
    },
    system: async () => ({ features: { fingerprint } }),
    act: async (action: string, input: object) => {
      sent.push([action, input])
      const refusal = refusals.shift()
      if (refusal) throw refusal
    },
  }
  const persistence = { get: () => stored, set() {} }
  sendDeviceFingerprint({ connection, persistence } as unknown as AppServices)
  return { sent, refusals, snapshot: (one: object) => tell(one) }
}

const own = ['D_INFO', { fingerprint: OWN }] as const
const ofService = ['PRO_D_INFO', { visitor_id: 'visitor-1', request_id: 'event-1' }] as const

test('with a key the visitor id of the service is sent once for a user and connection', async () => {
  const { sent, snapshot } = page({ on: true, key: 'publickey1', region: 'eu' })
  snapshot({ phase: 'authenticating', auth: undefined })
  snapshot(READY)
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own, ofService]))
  expect(script.load.mock.calls).toEqual([['publickey1']])
  expect(agent.start.mock.calls).toMatchObject([
    [{ region: 'eu', urlHashing: { path: true, query: true, fragment: true } }],
  ])
  snapshot(GONE)
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own, ofService, own, ofService]))
  expect(script.load, 'the script is loaded once').toHaveBeenCalledTimes(1)
})

test('without a key nothing of the service is loaded', async () => {
  const { sent, snapshot } = page({ on: false })
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own]))
  snapshot(GONE)
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own, own]))
  expect(script.load).not.toHaveBeenCalled()
})

test('a blocked script and a service that does not answer are silent and keep D_INFO', async () => {
  const { sent, snapshot } = page({ on: true, key: 'publickey1' })
  script.load.mockRejectedValueOnce(new Error('blocked'))
  agent.get.mockRejectedValueOnce(new Error('client_timeout'))
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own]))
  snapshot(GONE)
  snapshot(READY)
  await vi.waitFor(() => expect(agent.get).toHaveBeenCalledTimes(1))
  snapshot(GONE)
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own, own, own, ofService]))
})

test('a fingerprint that came too often is sent once more when the server permits it', async () => {
  vi.useFakeTimers()
  const { RefusedError } = await import('@duet/client')
  const { sent, refusals, snapshot } = page({ on: false })
  const tooMany = new RefusedError('D_INFO', 'too_many', { additional: { retry_after: 40 } })
  refusals.push(tooMany, tooMany)
  snapshot(READY)
  await vi.waitFor(() => expect(sent).toEqual([own]))
  await vi.advanceTimersByTimeAsync(39_000)
  expect(sent).toEqual([own])
  await vi.advanceTimersByTimeAsync(200_000)
  expect(sent).toEqual([own, own])
  vi.useRealTimers()
})

test.each(['before', 'after'])(
  'a browser without a fingerprint is measured two seconds after the first press (%s the connection)',
  async (order) => {
    vi.useFakeTimers()
    const activation = { hasBeenActive: order === 'before' }
    vi.stubGlobal('navigator', { userActivation: activation })
    const { sent, snapshot } = page({ on: false }, '')
    snapshot(READY)
    await vi.advanceTimersByTimeAsync(order === 'before' ? 1_900 : 60_000)
    dispatchEvent(new Event('pointerdown'))
    await vi.advanceTimersByTimeAsync(order === 'before' ? 0 : 1_900)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    await vi.waitFor(() => expect(sent).toEqual([own]))
    vi.useRealTimers()
    vi.unstubAllGlobals()
  },
)
