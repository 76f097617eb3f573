import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeviceState, LocalMedia } from '@duet/call-engine'
import type { Persistence } from '@duet/client'
import { createStore } from '../../shared/observable-store.ts'
import { createDeviceGate } from './device-gate.ts'

const OPEN = {
  video_track: {},
  audio_track: {},
  camera: 'on',
  wanted: { camera: true },
} as const
const SWITCHED_OFF = {
  video_track: null,
  camera: 'off',
  wanted: { camera: false },
} as const

/** A camera whose answer to the next request the test decides. */
function setUp() {
  const camera = createStore<{
    video_track: object | null
    audio_track: object | null
    camera: DeviceState
    wanted: { camera: boolean }
  }>({
    video_track: null,
    audio_track: null,
    camera: 'off',
    wanted: { camera: true },
  })
  const use = { isInCall: false, isSearching: false }
  const requests: string[] = []
  const answer = { opens: true }
  const media = {
    ...camera,
    async acquire({ want }: { want?: 'both' }) {
      requests.push(want ? `acquire ${want}` : 'acquire')
      if (want && answer.opens) camera.set(OPEN)
      return answer.opens
    },
    release: () => requests.push('release'),
    chooseCamera: async (id: string) => void requests.push(`camera ${id}`),
    chooseMicrophone: async (id: string) => void requests.push(`microphone ${id}`),
  } as unknown as LocalMedia
  const stored = new Map<string, unknown>()
  let opened = 0
  const gate = createDeviceGate({
    media,
    persistence: { set: stored.set.bind(stored) } as unknown as Persistence,
    isInCall: () => use.isInCall,
    isInUse: () => use.isInCall || use.isSearching,
    onOpened: () => (opened += 1),
    onDeclined: () => {},
  })
  return { gate, camera, requests, answer, stored, use, openedCount: () => opened }
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
    camera.set(OPEN)
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

test('a start without a microphone shows the denied screen', async () => {
  const { gate, camera, answer } = setUp()
  answer.opens = false
  camera.set({ ...OPEN, audio_track: null })
  expect(await gate.requestCamera(false)).toBe(false)
  expect(gate.getSnapshot()).toBe('denied')
  camera.set(OPEN)
  expect(gate.getSnapshot()).toBe(null)
})

describe('a camera that the user switched off', () => {
  test('stays off in a search that starts by itself while the microphone is open', async () => {
    const { gate, camera, requests } = setUp()
    camera.set({ ...SWITCHED_OFF, audio_track: {} })
    expect(await gate.requestCamera(true, true)).toBe(true)
    expect([requests, gate.getSnapshot()]).toEqual([[], null])
  })

  test('stays off when only the microphone has to be opened', async () => {
    stubPermission('granted')
    const { gate, camera, requests } = setUp()
    camera.set({ ...SWITCHED_OFF, audio_track: null })
    const opened = gate.requestCamera(true, true)
    camera.set({ ...SWITCHED_OFF, audio_track: {} })
    expect(await opened).toBe(true)
    expect(requests).not.toContain('acquire both')
  })

  test('opens at a press of Start', async () => {
    const { gate, camera, requests } = setUp()
    camera.set({ ...SWITCHED_OFF, audio_track: {} })
    expect(await gate.requestCamera(false)).toBe(true)
    expect(requests).toEqual(['acquire both'])
  })
})

describe('resuming the devices', () => {
  test('leaves a camera off that the user switched off', async () => {
    stubPermission('granted')
    const { gate, camera, requests } = setUp()
    await gate.resumeDevices(false)
    expect(requests).toEqual(['acquire'])
    expect([camera.getSnapshot().camera, gate.getSnapshot()]).toEqual(['off', null])
  })

  test('asks for no camera that the user switched off when the permission is given again', async () => {
    const { camera, gate, requests, use } = setUp()
    camera.set({ ...camera.getSnapshot(), audio_track: {}, wanted: { camera: false } })
    use.isInCall = true
    await gate.resumeDevices(false)
    expect(gate.getSnapshot()).toBe('permission')
    await gate.allow()
    expect(requests).toEqual(['acquire'])
    expect(gate.getSnapshot()).toBe(null)
  })

  test('shows the denied screen when the camera cannot be opened', async () => {
    stubPermission('granted')
    const { gate, camera } = setUp()
    camera.set({ ...OPEN, video_track: null, camera: 'refused' })
    await gate.resumeDevices(false)
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
    camera.set(OPEN)
    expect([gate.getSnapshot(), openedCount()]).toEqual([null, 1])
  })

  test('a camera that opens without a gate resumes nothing', () => {
    const { camera, openedCount } = setUp()
    camera.set(OPEN)
    expect(openedCount()).toBe(0)
  })

  test('releases the device that was granted when it closes, but none of a call', async () => {
    const { gate, requests, answer, use } = setUp()
    answer.opens = false
    await gate.requestCamera(false)
    gate.close()
    expect(requests).toEqual(['acquire both', 'release'])
    use.isInCall = true
    await gate.requestCamera(false)
    gate.close()
    expect(requests.filter((each) => each === 'release')).toHaveLength(1)
  })

  test('a closed gate does not open later', async () => {
    const { gate, camera, openedCount } = setUp()
    await gate.requestCamera(true)
    gate.close()
    camera.set(OPEN)
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

test('a device that is plugged in does not pass the gate of a call whose devices were never opened', async () => {
  const { gate, camera, use, requests, openedCount } = setUp()
  use.isInCall = true
  await gate.resumeDevices(false)
  camera.set({ ...camera.getSnapshot() })
  expect([gate.getSnapshot(), openedCount(), requests]).toEqual(['permission', 0, []])
})
