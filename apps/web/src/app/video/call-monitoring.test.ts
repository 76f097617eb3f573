import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AppServices } from '../../shared/app-services.tsx'
import { createStore } from '../../shared/observable-store.ts'
import { monitorCalls } from './call-monitoring.ts'
import type { VideoRuntime } from './runtime.ts'

const IDLE = {
  phase: 'idle',
  session_id: null as number | null,
  session_guid: null as string | null,
  connection: null as object | null,
}
const MEDIA = {
  camera: 'on',
  microphone: 'on',
  failure: null as { kind: string; device: string; error: string } | null,
}

let done: unknown[] = []

class FakeMonitoring {
  initialize = async (of: object) => void done.push(['initialize', of])
  addConnection = async ({ connectionId, peerId }: { connectionId: string; peerId: string }) => {
    done.push(['connection', connectionId, peerId])
    throw new Error('the collector is down')
  }
  addGumEvent = (data: object) => void done.push(['gum', data])
  mute = () => void done.push('mute')
  unmute = () => void done.push('unmute')
  close = async () => void done.push('close')
}

beforeEach(() => {
  done = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

function begin(on = true) {
  const engine = createStore(IDLE)
  const media = createStore(MEDIA)
  const calls = createStore({ call: { session: { user_interlocutor: { id: 8 } } } })
  const post = vi.fn(async (_path: string, _body: object) => ({}))
  const monitoring = { on, key: 'key-1', url: '/quality/v1/', stats_ms: 7000 }
  const connection = {
    http: { post },
    system: async () => ({ client_version: '2.0.1', features: { monitoring } }),
    getSnapshot: () => ({ auth: { user: { id: 7, ortc_token: 'token-1' } } }),
  }
  const load = vi.fn(async () => ({ Monitoring: FakeMonitoring }))
  monitorCalls(
    { connection } as unknown as AppServices,
    { engine, media, calls } as unknown as VideoRuntime,
    load as never,
  )
  const connected = { phase: 'connected', session_id: 12, session_guid: 'g1', connection: {} }
  return { engine, media, post, load, connected }
}

const later = (ms = 2000) => vi.advanceTimersByTimeAsync(ms)

test('a call is reported from two seconds after its picture to its end', async () => {
  const { engine, load, connected } = begin()
  engine.set({ ...connected, phase: 'connecting' })
  await later()
  engine.set(connected)
  await later(1999)
  expect(load).not.toHaveBeenCalled()
  await later(1)
  expect(done).toEqual([
    ['gum', { constraints: { video: true, audio: true } }],
    ['initialize', { sessionId: 12 }],
    ['connection', 'g1', '8'],
  ])
  engine.set({ ...connected, session_guid: 'g2' })
  expect(done.at(-1)).toEqual(['connection', 'g2', '8'])
  engine.set(IDLE)
  expect(done.at(-1)).toBe('close')
})

test('a call that is over before that loads nothing, and nothing is loaded where monitoring is off', async () => {
  const short = begin()
  short.engine.set(short.connected)
  short.engine.set(IDLE)
  const off = begin(false)
  off.engine.set(off.connected)
  await later()
  expect(short.load).not.toHaveBeenCalled()
  expect(off.load).not.toHaveBeenCalled()
})

test('muting is reported, and a device that fails is logged also outside of a call', async () => {
  const { engine, media, post, connected } = begin()
  const failure = { kind: 'in_use', device: 'camera', error: 'NotReadableError' }
  media.set({ ...MEDIA, failure })
  await later(0)
  expect(post).toHaveBeenCalledWith('log/camera', {
    device: { labels: [], kinds: [], error: 'NotReadableError' },
  })
  media.set(MEDIA)
  engine.set(connected)
  await later()
  media.set({ ...MEDIA, microphone: 'off' })
  media.set(MEDIA)
  expect(done.slice(-2)).toEqual(['mute', 'unmute'])
  expect(post).toHaveBeenCalledOnce()
})
