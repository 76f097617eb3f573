import type { Browser, Page } from 'playwright-core'

export interface Device {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly scale: number
  /** How many times slower than this machine. */
  readonly cpu_slowdown: number
  /** The "fast 4G" of DevTools. Undefined is this machine's loopback. */
  readonly link?: {
    readonly latency_ms: number
    readonly down_bps: number
    readonly up_bps: number
  }
}

export const devices: readonly Device[] = [
  { name: 'desktop', viewport: { width: 1440, height: 900 }, scale: 1, cpu_slowdown: 1 },
  {
    name: 'phone',
    viewport: { width: 390, height: 844 },
    scale: 3,
    cpu_slowdown: 4,
    link: { latency_ms: 165, down_bps: 8_100_000, up_bps: 1_350_000 },
  },
]

/** The measurements of a visit with an empty cache. */
export interface Visit {
  readonly lcp_ms: number
  /** The largest element: its tag and first words or address. */
  readonly largest: string
  readonly cls: number
  readonly tbt_ms: number
  /** As they came over the wire. */
  readonly bytes: {
    readonly script_until_lcp: number
    readonly until_lcp: number
    readonly script: number
    readonly all: number
  }
}

/** No long task is expected after this time, in which the application starts. */
const SETTLE_MS = 3000

/** A page of a new visitor on a device. */
export async function openPage(
  browser: Browser,
  { viewport, scale, link, cpu_slowdown }: Device,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const isPhone = viewport.width < 768
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: 'en-US',
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu_slowdown })
  if (link) {
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: link.latency_ms,
      downloadThroughput: link.down_bps / 8,
      uploadThroughput: link.up_bps / 8,
    })
  }
  // A new window loads pages of the browser itself, which would compete with the visit.
  await page.waitForTimeout(SETTLE_MS)
  return { page, close: () => context.close() }
}

export async function visit(browser: Browser, url: string, device: Device): Promise<Visit> {
  const { page, close } = await openPage(browser, device)
  try {
    await page.addInitScript(watchInPage)
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForTimeout(SETTLE_MS)
    return await page.evaluate(figuresInPage)
  } finally {
    await close()
  }
}

interface Watched {
  lcp_ms: number
  largest: string
  cls: number
  long_tasks: { from_ms: number; took_ms: number }[]
}

type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean }
type Largest = PerformanceEntry & { readonly element: Element | null; readonly url: string }

/** Runs in the page, so it may use nothing from outside itself. */
function watchInPage() {
  const watched: Watched = { lcp_ms: 0, largest: '', cls: 0, long_tasks: [] }
  Object.assign(globalThis, { watched })
  const observe = (type: string, hear: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({
      type,
      buffered: true,
    })
  observe('largest-contentful-paint', (entry) => {
    const { startTime, element, url } = entry as Largest
    watched.lcp_ms = startTime
    watched.largest = `${element?.localName ?? '?'} ${(url.split('/').at(-1) || element?.textContent?.trim() || '').slice(0, 40)}`
  })
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as Shift
    if (!hadRecentInput) watched.cls += value
  })
  observe('longtask', ({ startTime, duration }) =>
    watched.long_tasks.push({ from_ms: startTime, took_ms: duration }),
  )
}

/** Runs in the page. */
function figuresInPage(): Visit {
  const { lcp_ms, largest, cls, long_tasks } = (globalThis as unknown as { watched: Watched })
    .watched
  const responsiveMs = 50
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const sum = (entries: readonly PerformanceResourceTiming[]) =>
    entries.reduce((bytes, entry) => bytes + entry.encodedBodySize, 0)
  const isScript = ({ name }: PerformanceEntry) => /\.m?js(\?|$)/.test(name)
  const before = resources.filter(({ responseStart }) => responseStart <= lcp_ms)
  return {
    lcp_ms,
    largest,
    cls,
    tbt_ms: long_tasks.reduce(
      (totalMs, { took_ms }) => totalMs + Math.max(0, took_ms - responsiveMs),
      0,
    ),
    bytes: {
      script_until_lcp: sum(before.filter(isScript)),
      until_lcp: document!.encodedBodySize + sum(before),
      script: sum(resources.filter(isScript)),
      all: document!.encodedBodySize + sum(resources),
    },
  }
}
