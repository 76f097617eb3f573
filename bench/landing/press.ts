import type { Browser } from 'playwright-core'
import { openPage, type Device } from './visit.ts'

/** A slow phone: the device and the link on which a press has to show the next step within 300 ms. */
const SLOW_PHONE: Device = {
  name: 'slow phone',
  viewport: { width: 390, height: 844 },
  scale: 3,
  cpu_slowdown: 4,
  link: { latency_ms: 150, down_bps: 1_600_000, up_bps: 750_000 },
}
/** How long a reader looks at the page before the press. */
const READING_MS = 3000

/** The measurements of a visit whose visitor presses the start button. */
export interface PressVisit {
  /** From the press until the next step is on the screen. */
  readonly next_step_ms: number
  /** Scripts that the page had loaded before the press. */
  readonly before: Loaded
  /** Scripts that the page had loaded when the next step was shown. */
  readonly after: Loaded
  readonly longest_task_ms: number
}

interface Loaded {
  readonly script_files: number
  readonly script_bytes: number
}

export async function visitAndPress(browser: Browser, url: string): Promise<PressVisit> {
  const { page, close } = await openPage(browser, SLOW_PHONE)
  try {
    await page.addInitScript(watchInPage)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    )
    await page.waitForTimeout(READING_MS)
    const before = await page.evaluate(loadedInPage)
    const button = await page.locator('[data-press="start"]:visible').boundingBox()
    await page.touchscreen.tap(button!.x + button!.width / 2, button!.y + button!.height / 2)
    const seen = await page.waitForFunction(
      () => (globalThis as unknown as { pressed: Watched }).pressed.shown_ms,
    )
    await seen.dispose()
    const after = await page.evaluate(loadedInPage)
    const { pressed_ms, shown_ms, longest_task_ms } = await page.evaluate(
      () => (globalThis as unknown as { pressed: Required<Watched> }).pressed,
    )
    return { next_step_ms: shown_ms - pressed_ms, before, after, longest_task_ms }
  } finally {
    await close()
  }
}

interface Watched {
  pressed_ms?: number
  shown_ms?: number
  longest_task_ms: number
}

/** Runs in the page, so it may use nothing from outside itself. */
function watchInPage() {
  const pressed: Watched = { longest_task_ms: 0 }
  Object.assign(globalThis, { pressed })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      pressed.longest_task_ms = Math.max(pressed.longest_task_ms, duration)
  }).observe({ type: 'longtask', buffered: true })
  const watch = () => {
    const dialog = document.querySelector('[role="dialog"]')
    // The frame that shows the dialog ends after this callback.
    if (dialog && dialog.getBoundingClientRect().height > 0)
      setTimeout(() => (pressed.shown_ms = performance.now()))
    else requestAnimationFrame(watch)
  }
  addEventListener(
    'click',
    ({ timeStamp }) => {
      pressed.pressed_ms ??= timeStamp
      watch()
    },
    { capture: true, once: true },
  )
}

/** Runs in the page. */
function loadedInPage(): Loaded {
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ name, responseEnd }) => /\.m?js(\?|$)/.test(name) && responseEnd > 0,
  )
  return {
    script_files: new Set(scripts.map(({ name }) => name)).size,
    script_bytes: scripts.reduce((bytes, entry) => bytes + entry.encodedBodySize, 0),
  }
}
