import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchFace } from './watch-face.ts'

const TRACK = { enabled: true } as MediaStreamTrack

let isFace = true
let seesFace: ReturnType<typeof vi.fn<(track: MediaStreamTrack) => Promise<boolean>>>
let rest: ReturnType<typeof vi.fn<() => void>>

beforeEach(() => {
  vi.useFakeTimers()
  isFace = true
  seesFace = vi.fn(async () => isFace)
  rest = vi.fn()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function watch({ role = 'girl', on = true, isMet = true } = {}) {
  const state = {
    me: { role },
    matchmaking: { search: { state: 'waiting' }, starting: null },
    calls: { call: null as object | null },
  }
  const act = vi.fn(async () => ({}))
  const load = vi.fn(async () => ({ seesFace, rest }))
  const faces = { on, absence_ms: 20_000 }
  const face = watchFace(
    {
      services: { connection: { act, system: async () => ({ features: { faces } }) } },
      media: { getSnapshot: () => ({ video_track: TRACK }) },
      getState: () => state,
    } as never,
    load,
  )
  face.update()
  const call = () => {
    state.matchmaking.search.state = 'idle'
    state.calls.call = { session: { id: 12 }, is_met: isMet }
    face.update()
  }
  const leave = () => {
    state.matchmaking.search.state = 'idle'
    state.calls.call = null
    face.update()
  }
  return { act, load, call, leave }
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

test('a girl without a face before her camera is reported, in the search and in the call', async () => {
  const { act, load, call, leave } = watch()
  await seconds(10)
  isFace = false
  await seconds(24)
  expect(act).toHaveBeenCalledExactlyOnceWith('FACE_STATE', { present: false, since_ms: 20_000 })
  call()
  isFace = true
  await seconds(4)
  expect(act).toHaveBeenLastCalledWith('FACE_STATE', {
    session_id: 12,
    present: true,
    since_ms: 0,
  })
  leave()
  expect(rest).toHaveBeenCalled()
  const looks = seesFace.mock.calls.length
  await seconds(60)
  expect(seesFace).toHaveBeenCalledTimes(looks)
  expect(load).toHaveBeenCalledOnce()
})

test.each([
  ['for a guy', { role: 'guy' }],
  ['when the server looks for no faces', { on: false }],
])('nothing is loaded %s', async (_, options) => {
  const { load, call } = watch(options)
  call()
  await seconds(60)
  expect(load).not.toHaveBeenCalled()
})

test('nothing is loaded before the call has its first picture', async () => {
  const { load, call } = watch({ isMet: false })
  call()
  await seconds(60)
  expect(load).not.toHaveBeenCalled()
})

test('nothing is loaded in the background, or when she saves data', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const hidden = watch()
  await seconds(60)
  expect(hidden.load).not.toHaveBeenCalled()
  vi.mocked(vi.spyOn(document, 'hidden', 'get')).mockReturnValue(false)
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  const saving = watch()
  await seconds(60)
  expect(saving.load).not.toHaveBeenCalled()
})

test('a library that cannot be loaded, or fails, is no absence', async () => {
  const broken = watch()
  broken.load.mockRejectedValue(new Error('404'))
  await seconds(120)
  expect(broken.load).toHaveBeenCalledOnce()
  expect(broken.act).not.toHaveBeenCalled()
  seesFace.mockRejectedValue(new Error('out of memory'))
  const failing = watch()
  await seconds(120)
  expect(seesFace).toHaveBeenCalledOnce()
  expect(failing.act).not.toHaveBeenCalled()
})
