import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadFailureTemplate } from '../../../build/load-failure.ts'
import { takeEarlyClick } from './early-click.ts'
import { startInPieces, type Pieces } from './start-in-pieces.ts'

const TEXTS = {
  title: 'It did not load',
  text: 'Reload the page.',
  reload: 'Reload',
  no_script: 'Allow <scripts>.',
}

let attempts: number
let isReachable: boolean
let isOnline: boolean
type Opening = Awaited<ReturnType<Pieces['runtime']>>['openRuntime']
const mounted = vi.fn<() => Promise<void>>()
const started = vi.fn<(open: Opening) => void>()
const reloaded = vi.fn<() => void>()

beforeEach(() => {
  attempts = 0
  isReachable = false
  isOnline = true
  mounted.mockReset()
  started.mockReset()
  reloaded.mockReset()
  vi.useFakeTimers()
  vi.stubGlobal('reportError', () => {})
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
  vi.spyOn(location, 'reload').mockImplementation(reloaded)
  globalThis.duetReady = undefined
  document.documentElement.lang = 'en'
  const page = `<button data-press="start">Start</button>${loadFailureTemplate('ar', TEXTS)}`
  document.body.replaceChildren(document.createRange().createContextualFragment(page))
  const source = readFileSync(join(import.meta.dirname, '../../../index.html'), 'utf8')
  runInThisContext(/<script>([\s\S]*?)<\/script>/.exec(source)![1]!)
})
afterEach(async () => {
  // Ends the waiting of a start that failed.
  isReachable = true
  isOnline = true
  dispatchEvent(new Event('online'))
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

async function flaky<T>(result: T): Promise<T> {
  attempts += 1
  if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module')
  return result
}

/** An application with one piece that cannot be loaded. */
function piecesWithout(
  missing: 'library' | 'start' | 'texts' | 'runtime',
  isPrerendered = false,
): Pieces {
  const load = <T>(piece: string, result: T) =>
    piece === missing ? flaky(result) : Promise.resolve(result)
  const screen = {
    is_prerendered: isPrerendered,
    loadTexts: () => load('texts', undefined),
    mount: mounted,
    run: started,
  }
  return {
    libraries: [() => load('library', {})],
    start: () => load('start', { prepare: () => screen }),
    runtime: () => load('runtime', { openRuntime: vi.fn<Opening>() }),
  }
}

const notice = () => document.getElementById('load-failure')
const startButton = () => document.querySelector<HTMLElement>('[data-press]')!

test.each(['library', 'start', 'texts', 'runtime'] as const)(
  'a piece that fails to load once is loaded again, and the stored press runs (%s)',
  async (missing) => {
    void startInPieces(piecesWithout(missing))
    startButton().click()
    await vi.advanceTimersByTimeAsync(500)
    expect([attempts, mounted.mock.calls.length]).toEqual([1, 0])
    isReachable = true
    await vi.advanceTimersByTimeAsync(1000)
    expect(mounted).toHaveBeenCalledOnce()
    expect(notice()).toBeNull()
    expect(takeEarlyClick()).toBe('start')
  },
)

test('a prerendered page is hydrated before its runtime is loaded, and says so when that never loads', async () => {
  void startInPieces(piecesWithout('runtime', true))
  await vi.advanceTimersByTimeAsync(100)
  expect([mounted.mock.calls.length, started.mock.calls.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(40_000)
  expect(notice()!.hidden).toBe(false)
  isReachable = true
  startButton().click()
  await vi.advanceTimersByTimeAsync(10)
  expect([mounted.mock.calls.length, started.mock.calls.length]).toEqual([1, 1])
  expect(notice()).toBeNull()
})

test('the runtime is loaded only when the prerendered page is hydrated', async () => {
  isReachable = true
  let endHydration = () => {}
  mounted.mockReturnValue(
    new Promise((resolve) => {
      endHydration = resolve
    }),
  )
  void startInPieces(piecesWithout('runtime', true))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([mounted.mock.calls.length, attempts, started.mock.calls.length]).toEqual([1, 0, 0])
  endHydration()
  await vi.advanceTimersByTimeAsync(10)
  expect([attempts, started.mock.calls.length]).toEqual([1, 1])
})

test('another page has its runtime before its first frame', async () => {
  isReachable = true
  void startInPieces(piecesWithout('runtime'))
  await vi.advanceTimersByTimeAsync(10)
  expect(started.mock.invocationCallOrder[0]).toBeLessThan(mounted.mock.invocationCallOrder[0]!)
})

test('the address of the page is read once, however often its texts fail', async () => {
  const pieces = piecesWithout('texts')
  const { prepare } = await pieces.start()
  const prepared = vi.fn<typeof prepare>(prepare)
  void startInPieces({ ...pieces, start: async () => ({ prepare: prepared }) })
  await vi.advanceTimersByTimeAsync(4000)
  isReachable = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(mounted).toHaveBeenCalledOnce()
  expect(prepared).toHaveBeenCalledOnce()
})

test('after half a minute the page says so in its language, forgets the press and offers a reload', async () => {
  void startInPieces(piecesWithout('start'))
  startButton().click()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(notice()).toBeNull()
  expect(startButton().getAttribute('aria-busy')).toBe('true')
  await vi.advanceTimersByTimeAsync(5000)
  expect(attempts).toBe(6)
  expect(notice()!.textContent).toContain(TEXTS.title)
  expect([notice()!.lang, notice()!.dir]).toEqual(['ar', 'rtl'])
  expect(startButton().hasAttribute('aria-busy')).toBe(false)
  expect(takeEarlyClick()).toBeUndefined()
  const reload = notice()!.querySelector('button')!
  expect(document.activeElement).toBe(reload)
  reload.click()
  expect(reloaded).toHaveBeenCalledOnce()
})

test.each(['a press', 'the network'])(
  'after the notice %s starts the attempts again, and success removes it',
  async (sign) => {
    void startInPieces(piecesWithout('library'))
    await vi.advanceTimersByTimeAsync(40_000)
    expect(notice()).not.toBeNull()
    isReachable = true
    if (sign === 'a press') startButton().click()
    else dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(10)
    expect(mounted).toHaveBeenCalledOnce()
    expect(notice()).toBeNull()
  },
)

test('time without a network does not count, and its return is a reason to try at once', async () => {
  isOnline = false
  void startInPieces(piecesWithout('start'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect([attempts, notice()]).toEqual([1, null])
  isOnline = true
  isReachable = true
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(10)
  expect(mounted).toHaveBeenCalledOnce()
})

test('a stylesheet that failed is asked for once more, and without it the page is mounted too', async () => {
  const linkWith = (sheet: unknown) => {
    const link = Object.assign(document.createElement('link'), { href: 'data:text/css,' })
    link.setAttribute('rel', 'stylesheet')
    Object.defineProperty(link, 'sheet', { value: sheet })
    document.body.append(link)
    return link
  }
  const loaded = linkWith({ cssRules: [{}] })
  const failed = [linkWith(null), linkWith({ cssRules: [] })]
  isReachable = true
  void startInPieces(piecesWithout('start'))
  await vi.advanceTimersByTimeAsync(10)
  const links = [...document.querySelectorAll('link[rel="stylesheet"]')]
  expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(3).fill('data:text/css,'))
  expect(links.map((link) => link === loaded)).toEqual([true, false, false])
  expect(failed.some((link) => link.isConnected)).toBe(false)
  links.forEach((link) => link.dispatchEvent(new Event('error')))
  await vi.advanceTimersByTimeAsync(10)
  expect(mounted).toHaveBeenCalledOnce()
})

test('a browser without scripts reads why the buttons do nothing', () => {
  const [, shown] = /<noscript>(.*)<\/noscript>/.exec(loadFailureTemplate('ar', TEXTS)) ?? []
  expect(shown).toContain('dir="rtl"')
  expect(shown).toContain('<p>Allow &lt;scripts>.</p>')
})
