import type { openRuntime } from '../runtime/open-runtime.ts'
import type { FirstScreen } from './start.tsx'

/** Half a minute in all. A refused request is answered at once, so that time nearly equals the sum. */
const DELAYS_MS = [1000, 2000, 4000, 8000, 16_000]

declare global {
  /**
   * Shows that the application cannot be loaded. The script in index.html sets this function. The element has the id
   * `load-failure`.
   */
  var duetFailed: (() => void) | undefined
}

/** The loaders of the application, in the order of their use. */
export interface Pieces {
  /** Evaluated in tasks of their own, so that a slow phone reacts to a touch between two of them. */
  libraries: readonly (() => Promise<unknown>)[]
  start: () => Promise<{ prepare: () => FirstScreen }>
  runtime: () => Promise<{ openRuntime: typeof openRuntime }>
}

/**
 * Loads the application and mounts it. A prerendered page is hydrated before the runtime arrives. Every other page
 * waits for the runtime, because it would be empty. If a piece fails to load, the load is repeated until it succeeds.
 */
export async function startInPieces({ libraries, start, runtime }: Pieces): Promise<void> {
  for (const load of libraries) {
    await loadPatiently(load)
    await nextTask()
  }
  const { prepare } = await loadPatiently(start)
  await renewFailedStyles()
  const screen = prepare()
  await loadPatiently(screen.loadTexts)
  await nextTask()
  if (screen.is_prerendered) await screen.mount()
  const { openRuntime } = await loadPatiently(runtime)
  await nextTask()
  screen.run(openRuntime)
  if (!screen.is_prerendered) void screen.mount()
  document.getElementById('load-failure')?.remove()
}

/** So that a slow phone reacts to a touch between two pieces. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/**
 * Tries again with growing delays. After the last delay the page shows the failure. A press or the network then starts
 * the delays again.
 */
async function loadPatiently<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await load()
    } catch (error) {
      const delay = DELAYS_MS[failures]
      if (!navigator.onLine) {
        // A failure without a network does not count: the piece may be all right.
        await nextSign(['online', 'click'])
        failures = -1
      } else if (delay !== undefined) await nextSign(['online'], delay)
      else {
        reportError(error)
        globalThis.duetFailed?.()
        await nextSign(['online', 'click'])
        failures = -1
      }
    }
  }
}

/** Resolves at the first of some events of the window, or after a time. */
function nextSign(types: readonly string[], timeoutMs?: number): Promise<void> {
  return new Promise((resolve) => {
    const heard = new AbortController()
    const done = () => {
      clearTimeout(timer)
      heard.abort()
      resolve()
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(done, timeoutMs)
    for (const type of types) addEventListener(type, done, { signal: heard.signal })
  })
}

/** A stylesheet that failed is asked for once more. Without it the application is better than nothing. */
async function renewFailedStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')
  await Promise.all([...links].filter(({ sheet }) => !hasRules(sheet)).map(renewed))
}

/** Chromium gives a stylesheet that failed a sheet too, but refuses to show its rules. */
function hasRules(sheet: CSSStyleSheet | null): boolean {
  try {
    return Boolean(sheet?.cssRules.length)
  } catch {
    return false
  }
}

function renewed(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    const next = link.cloneNode() as HTMLLinkElement
    next.onload = next.onerror = () => resolve()
    link.replaceWith(next)
  })
}
