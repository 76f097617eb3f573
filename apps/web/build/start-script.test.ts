import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appScript, landingScript } from './start-script.ts'

const FILES = { entry: 'assets/entry.js', scripts: [], later_scripts: [] }

let isReachable: boolean
const loadEntry = vi.fn<(address: string) => Promise<void>>()
const failed = vi.fn<() => void>()
let listeners: AbortController

beforeEach(() => {
  isReachable = false
  vi.useFakeTimers()
  loadEntry.mockReset()
  failed.mockReset()
  loadEntry.mockImplementation(async () => {
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module')
  })
  vi.stubGlobal('loadEntry', loadEntry)
  vi.stubGlobal('duetFailed', failed)
  // The first frame is made only where a test makes it.
  vi.stubGlobal('requestAnimationFrame', () => 0)
  listeners = new AbortController()
  const listen = globalThis.addEventListener.bind(globalThis)
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) =>
    listen(type, listener, { signal: listeners.signal }),
  )
})
afterEach(() => {
  listeners.abort()
  delete document.documentElement.dataset.member
  document.head.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Runs a script of the page. Only the browser's loading of modules is replaced. */
function run(script: string): void {
  runInThisContext(script.replace("import('", "loadEntry('"))
}

const succeedAt = async (ms: number) => {
  isReachable = true
  await vi.advanceTimersByTimeAsync(ms)
}

test('a sign of a reader tries again after the entry failed', async () => {
  run(landingScript(FILES))
  dispatchEvent(new Event('pointerdown'))
  await vi.advanceTimersByTimeAsync(100)
  isReachable = true
  dispatchEvent(new Event('pointerdown'))
  dispatchEvent(new Event('keydown'))
  await vi.advanceTimersByTimeAsync(100_000)
  expect(loadEntry.mock.calls).toEqual([['/assets/entry.js'], ['/assets/entry.js']])
  expect(failed).not.toHaveBeenCalled()
})

test.each(['landing', 'app'])(
  "a member's page tries again by itself after the entry failed (%s)",
  async (page) => {
    document.documentElement.dataset.member = ''
    run(page === 'landing' ? landingScript(FILES) : appScript(FILES.entry))
    await vi.advanceTimersByTimeAsync(500)
    expect(loadEntry).toHaveBeenCalledTimes(1)
    await succeedAt(100_000)
    expect(loadEntry).toHaveBeenCalledTimes(2)
  },
)

test('an entry that fails for half a minute is said, and a later sign or network still tries', async () => {
  run(appScript(FILES.entry))
  await vi.advanceTimersByTimeAsync(29_000)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5000)
  expect(failed).toHaveBeenCalledOnce()
  const before = loadEntry.mock.calls.length
  dispatchEvent(new Event('pointerdown'))
  await vi.advanceTimersByTimeAsync(100_000)
  expect(loadEntry).toHaveBeenCalledTimes(before + 1)
  isReachable = true
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(10)
  expect(loadEntry).toHaveBeenCalledTimes(before + 2)
})

test('an entry that failed without a network is loaded when the network is back', async () => {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  run(appScript(FILES.entry))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(loadEntry).toHaveBeenCalledTimes(1)
  line.mockRestore()
  isReachable = true
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(10)
  expect(loadEntry).toHaveBeenCalledTimes(2)
})

/** A page that has made its first frame and is idle. */
async function becomeIdle(): Promise<void> {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback))
  run(landingScript({ ...FILES, scripts: ['assets/a.js'], later_scripts: ['assets/b.js'] }))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(loadEntry, 'before the first frame').not.toHaveBeenCalled()
  for (const frame of frames) frame(0)
  expect(loadEntry, 'before the page is idle').not.toHaveBeenCalled()
  for (const callback of idle) callback()
}

test('the application is loaded when the landing page is idle after its first frame', async () => {
  isReachable = true
  await becomeIdle()
  expect(loadEntry.mock.calls).toEqual([['/assets/entry.js']])
  const links = [...document.head.querySelectorAll('link')]
  expect(links.map(({ rel, href }) => [rel, new URL(href).pathname])).toEqual([
    ['modulepreload', '/assets/a.js'],
    ['modulepreload', '/assets/b.js'],
  ])
})

test('with Save-Data the application is loaded by a press', async () => {
  isReachable = true
  vi.stubGlobal('navigator', { onLine: true, connection: { saveData: true } })
  const asked = vi.fn<() => number>()
  vi.stubGlobal('requestAnimationFrame', asked)
  run(landingScript(FILES))
  await vi.advanceTimersByTimeAsync(100_000)
  expect([asked, loadEntry].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  dispatchEvent(new Event('pointerdown'))
  expect(loadEntry).toHaveBeenCalledOnce()
})
