import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appScript, landingScript, withLaterIcon } from './start-script.ts'

const FILES = { entry: 'assets/entry.js', scripts: [], runtime_scripts: [], styles: [] }

let isReachable: boolean
const loadEntry = vi.fn<(address: string) => Promise<void>>()
const failed = vi.fn<() => void>()
const addPageFonts = vi.fn<(id: string) => void>()
let listeners: AbortController

/** The parts of the page that the script works with; the link is the stylesheet of an application that was faster. */
function addPage(): void {
  const part = (name: string, properties: object) =>
    Object.assign(document.createElement(name), properties)
  document.body.append(
    part('style', { id: 'first-styles' }),
    part('link', { rel: 'stylesheet' }),
    part('script', { type: 'text/css', id: 'later-styles', textContent: 'a{top:0}' }),
  )
}

beforeEach(() => {
  addPage()
  isReachable = false
  vi.useFakeTimers()
  loadEntry.mockReset()
  failed.mockReset()
  addPageFonts.mockReset()
  loadEntry.mockImplementation(async () => {
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module')
  })
  vi.stubGlobal('loadEntry', loadEntry)
  vi.stubGlobal('duetFailed', failed)
  vi.stubGlobal('addPageFonts', addPageFonts)
  listeners = new AbortController()
  const listen = globalThis.addEventListener.bind(globalThis)
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) =>
    listen(type, listener, { signal: listeners.signal }),
  )
})
afterEach(() => {
  listeners.abort()
  delete document.documentElement.dataset.member
  delete document.documentElement.dataset.laidOut
  delete document.documentElement.dataset.decorated
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Runs a script of the page; the only thing that is replaced is the browser's way to load a module. */
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

const near = () => [...document.querySelectorAll('[data-near]')].map(({ id }) => id)
const isLaidOut = () => 'laidOut' in document.documentElement.dataset

test('lays out what is below the first screen after the first frame, one section a frame', async () => {
  for (const [id, className] of [
    ['a', 'below-fold-phone border-t'],
    ['b', 'below-fold'],
  ])
    document.body.append(Object.assign(document.createElement('p'), { id, className }))
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const nextFrame = async () => {
    for (const frame of frames.splice(0)) frame(0)
    await vi.advanceTimersByTimeAsync(100)
  }
  const parts = () => [...document.body.children].slice(0, 3).map(({ localName }) => localName)
  run(landingScript(FILES))
  expect(near()).toEqual([])
  expect(addPageFonts).not.toHaveBeenCalled()
  expect(parts()).toEqual(['style', 'link', 'script'])
  await nextFrame()
  expect(near()).toEqual(['a'])
  expect(parts()).toEqual(['style', 'style', 'link'])
  expect(document.body.children[1]!.textContent).toBe('a{top:0}')
  expect(addPageFonts.mock.calls).toEqual([['later-fonts']])
  await nextFrame()
  expect([near(), isLaidOut()]).toEqual([['a', 'b'], false])
  await nextFrame()
  expect(isLaidOut()).toBe(true)
  expect(addPageFonts).toHaveBeenCalledOnce()
})

test('decorates the page and fetches its icon after the first paint', async () => {
  const icon = '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />'
  const page = new DOMParser().parseFromString(withLaterIcon(icon), 'text/html')
  const link = page.querySelector('link')!
  document.body.append(link)
  const address = () => link.getAttribute('href')
  const seen = vi.fn<() => void>()
  let tell = (_: string) => {}
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static supportedEntryTypes = ['paint']
      constructor(hear: (list: object, observer: object) => void) {
        tell = (name) =>
          hear({ getEntriesByName: (wanted: string) => (wanted === name ? [name] : []) }, this)
      }
      observe() {}
      disconnect = seen
    },
  )
  run(landingScript(FILES))
  tell('first-paint')
  expect([address(), document.documentElement.dataset.decorated]).toEqual(['data:,', undefined])
  tell('first-contentful-paint')
  expect([address(), document.documentElement.dataset.decorated]).toEqual(['/favicon.svg', ''])
  expect(seen).toHaveBeenCalledOnce()
})

test('a browser without paint entries decorates the page some time after a frame', async () => {
  vi.stubGlobal('PerformanceObserver', undefined)
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  run(landingScript(FILES))
  for (const frame of frames.splice(0)) frame(0)
  await vi.advanceTimersByTimeAsync(99)
  expect('decorated' in document.documentElement.dataset).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect('decorated' in document.documentElement.dataset).toBe(true)
})

test('a browser that reports no paint has the decorations once everything is laid out', async () => {
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static supportedEntryTypes = ['paint']
      observe() {}
    },
  )
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  run(landingScript(FILES))
  expect('decorated' in document.documentElement.dataset).toBe(false)
  for (const frame of frames.splice(0)) frame(0)
  await vi.advanceTimersByTimeAsync(100)
  expect([isLaidOut(), 'decorated' in document.documentElement.dataset]).toEqual([true, true])
})

test.each(['scroll', 'keydown', 'touchstart'])(
  'lays out everything at once for a reader who wants to go there (%s)',
  (sign) => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    run(landingScript(FILES))
    expect(isLaidOut()).toBe(false)
    dispatchEvent(new Event(sign))
    dispatchEvent(new Event(sign))
    expect(isLaidOut()).toBe(true)
    expect(addPageFonts).toHaveBeenCalledOnce()
  },
)
