/** The part of a browser's window that `sendGoals` uses. */
export interface GoalWindow {
  readonly document: {
    readonly head: { append(script: ScriptElement): void }
    createElement(name: 'script'): ScriptElement
  }
  readonly parent: unknown
  addEventListener(type: 'message', listener: (event: GoalMessage) => void): void
  setTimeout(run: () => void, ms: number): unknown
  ym?: StubFunction
  gtag?: (...given: unknown[]) => void
  dataLayer?: unknown[]
}

/** The function of Yandex before its script runs: the script takes over the calls that it keeps. */
interface StubFunction {
  (...given: unknown[]): void
  a?: unknown[]
  l?: number
}

interface ScriptElement {
  src: string
  onload: (() => void) | null
}

interface GoalMessage {
  readonly source: unknown
  readonly data: unknown
}

export interface GoalOptions {
  readonly counters: readonly { readonly service: 'yandex' | 'google'; readonly key: string }[]
  readonly goals: readonly string[]
  /** The only address that the services learn. */
  readonly page: string
  readonly retry_ms: number
  readonly tries: number
}

/** A service of statistics in the frame. */
interface GoalService {
  /** Whether the function of the service exists. */
  isReady(): boolean
  send(goal: string): void
}

type StartService = (window: GoalWindow, key: string, page: string) => GoalService

/**
 * These functions run in the frame of statistics and are written into it as texts (`statistics-page.ts`), so each of them
 * uses nothing outside of itself. Sends each goal of the list to each service as soon as its function exists.
 */
export function sendGoals(
  window: GoalWindow,
  { counters, goals, page, retry_ms, tries }: GoalOptions,
  start: Readonly<Record<'yandex' | 'google', StartService>>,
): void {
  const services = counters.map(({ service, key }) => start[service](window, key, page))
  const attempt = (service: GoalService, goal: string, left: number): void => {
    if (service.isReady()) service.send(goal)
    else if (left > 1) window.setTimeout(() => attempt(service, goal, left - 1), retry_ms)
  }
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || !goals.includes(data as string)) return
    for (const service of services) attempt(service, data as string, tries)
  })
}

export function startYandex(window: GoalWindow, key: string): GoalService {
  let isLoaded = false
  // The script takes over the calls that this function keeps.
  const stub: StubFunction = (...given) => void (stub.a ??= []).push(given)
  stub.l = Date.now()
  window.ym = stub
  // `defer`: no page is counted. Nothing that a user does is followed.
  window.ym(Number(key), 'init', {
    defer: true,
    webvisor: false,
    clickmap: false,
    trackLinks: false,
    trackHash: false,
    accurateTrackBounce: false,
    sendTitle: false,
  })
  const script = window.document.createElement('script')
  script.src = 'https://mc.yandex.ru/metrika/tag.js'
  script.onload = () => (isLoaded = true)
  window.document.head.append(script)
  return {
    isReady: () => isLoaded && typeof window.ym === 'function',
    send: (goal) => window.ym?.(Number(key), 'reachGoal', goal),
  }
}

export function startGoogle(window: GoalWindow, key: string, page: string): GoalService {
  const layer: unknown[] = (window.dataLayer ??= [])
  const place = { page_location: page, page_referrer: '' }
  const script = window.document.createElement('script')
  script.src = `https://www.googletagmanager.com/gtag/js?id=${key}`
  script.onload = () => {
    window.gtag = function gtag() {
      // The script of Google takes objects of arguments only.
      layer.push(arguments)
    }
    window.gtag('js', new Date())
    window.gtag('config', key, {
      send_page_view: false,
      ...place,
      page_title: 'Duet',
      client_storage: 'none',
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
    })
  }
  window.document.head.append(script)
  return {
    isReady: () => typeof window.gtag === 'function',
    send: (goal) => window.gtag?.('event', goal, { send_to: key, ...place }),
  }
}
