import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeviceState, LocalMedia } from '@duet/call-engine'
import type { Persistence } from '@duet/client'
import { createStore } from '../../shared/observable-store.ts'
import { createDeviceGate } from './device-gate.ts'

/** A camera whose answer to the next request the test decides. */
function setUp() {
  const camera = createStore<{ video_track: object | null; camera: DeviceState }>({
    video_track: null,
    camera: 'off',
  })
  const requests: string[] = []
  const answer = { opens: true }
  const media = {
    ...camera,
    async acquire({ want }: { want?: 'both' }) {
      requests.push('acquire')
      if (want && answer.opens) camera.set({ video_track: {}, camera: 'on' })
      return answer.opens
    },
    chooseCamera: async (id: string) => void requests.push(`camera ${id}`),
    chooseMicrophone: async (id: string) => void requests.push(`microphone ${id}`),
  } as unknown as LocalMedia
  const stored = new Map<string, unknown>()
  let opened = 0
  const gate = createDeviceGate({
    media,
    persistence: { set: stored.set.bind(stored) } as unknown as Persistence,
    onOpened: () => (opened += 1),
  })
  return { gate, camera, requests, answer, stored, openedCount: () => opened }
}

function stubPermission(state: PermissionState): void {
  vi.stubGlobal('navigator', {
    mediaDevices: { getUserMedia: () => {} },
    permissions: { query: async () => ({ state }) },
  })
}

beforeEach(() => {
  vi.stubGlobal('RTCPeerConnection', class {})
  stubPermission('prompt')
})
afterEach(() => vi.unstubAllGlobals())

describe('requesting the camera', () => {
  test('is true at once while the camera is open', async () => {
    const { gate, camera, requests } = setUp()
    camera.set({ video_track: {}, camera: 'on' })
    expect(await gate.requestCamera(true)).toBe(true)
    expect(requests).toEqual([])
  })

  test('explains before the browser asks', async () => {
    const { gate, requests } = setUp()
    expect(await gate.requestCamera(true)).toBe(false)
    expect(gate.getSnapshot()).toBe('permission')
    expect(requests).toEqual([])
  })

  test('needs no explanation where the browser has the permission', async () => {
    stubPermission('granted')
    const { gate, openedCount } = setUp()
    expect(await gate.requestCamera(true)).toBe(true)
    expect([gate.getSnapshot(), openedCount()]).toEqual([null, 0])
  })

  test('shows the denied screen when the browser refuses', async () => {
    const { gate, answer } = setUp()
    answer.opens = false
    expect(await gate.requestCamera(false)).toBe(false)
    expect(gate.getSnapshot()).toBe('denied')
  })

  test('shows the denied screen in a browser without video calls', async () => {
    vi.stubGlobal('navigator', {})
    const { gate, requests } = setUp()
    expect(await gate.requestCamera(false)).toBe(false)
    expect([gate.getSnapshot(), requests]).toEqual(['denied', []])
  })
})

describe('resuming the devices', () => {
  test('leaves a camera off that the user switched off', async () => {
    stubPermission('granted')
    const { gate, camera, requests } = setUp()
    await gate.resumeDevices()
    expect(requests).toEqual(['acquire'])
    expect([camera.getSnapshot().camera, gate.getSnapshot()]).toEqual(['off', null])
  })

  test('shows the denied screen when the camera cannot be opened', async () => {
    stubPermission('granted')
    const { gate, camera } = setUp()
    camera.set({ video_track: null, camera: 'refused' })
    await gate.resumeDevices()
    expect(gate.getSnapshot()).toBe('denied')
  })
})

describe('the gate', () => {
  test('opens once after the explanation was accepted', async () => {
    const { gate, openedCount } = setUp()
    await gate.requestCamera(true)
    await gate.allow()
    expect([gate.getSnapshot(), openedCount()]).toEqual([null, 1])
  })

  test('changes to the denied screen when the browser refuses after the explanation', async () => {
    const { gate, answer, openedCount } = setUp()
    await gate.requestCamera(true)
    answer.opens = false
    await gate.allow()
    expect([gate.getSnapshot(), openedCount()]).toEqual(['denied', 0])
  })

  test('opens when a camera appears behind the denied screen', async () => {
    const { gate, camera, answer, openedCount } = setUp()
    answer.opens = false
    await gate.requestCamera(false)
    camera.set({ video_track: {}, camera: 'on' })
    expect([gate.getSnapshot(), openedCount()]).toEqual([null, 1])
  })

  test('a camera that opens without a gate resumes nothing', () => {
    const { camera, openedCount } = setUp()
    camera.set({ video_track: {}, camera: 'on' })
    expect(openedCount()).toBe(0)
  })

  test('a closed gate does not open later', async () => {
    const { gate, camera, openedCount } = setUp()
    await gate.requestCamera(true)
    gate.close()
    camera.set({ video_track: {}, camera: 'on' })
    expect([gate.getSnapshot(), openedCount()]).toEqual([null, 0])
  })
})

test('a chosen device is stored for the next visit and opened', async () => {
  const { gate, requests, stored } = setUp()
  await gate.chooseDevice('camera', 'back')
  await gate.chooseDevice('microphone', 'headset')
  expect(requests).toEqual(['camera back', 'microphone headset'])
  expect([...stored]).toEqual([
    ['video_device', 'back'],
    ['audio_device', 'headset'],
  ])
})
