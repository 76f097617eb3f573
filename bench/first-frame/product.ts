import { findPreparedGuid } from '@duet/server/modules/calls/preparation/preparations.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { SlowLink, type Weather } from '../../tests/journeys/call-engine/slow-link.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

/** Enough free seconds that no user pays or waits: the bench measures the path, not the meter. */
const settings = {
  language_first: '0',
  rematch_minutes: '0',
  pair_free_start: '1000',
  free_starts_a_day: '1000',
  paid_after: '600',
}

/** The connection as one page saw it, in ms since 1970. */
interface SeenConnection {
  /** ICE and DTLS are done. */
  link_ms?: number
  /** The first frame of the partner came out of the decoder. */
  decoded_ms?: number
  /** That connection's first frame was painted. */
  painted_ms?: number
}

interface MediaWindow {
  seen: SeenConnection[]
  /** Of each partner's picture. */
  receivers: Map<MediaStreamTrack, RTCRtpReceiver>
}

/** The time from the press on Next to each step on one side. */
export type SideTimes = Record<'link' | 'decoded' | 'painted', number>

/** The guy presses Next. The server puts the girl back into the search. */
export interface NextTimes {
  his: SideTimes
  hers: SideTimes
}

export interface Product {
  /** From the press on Next to the next partner's first painted frame, on both sides. */
  next(): Promise<NextTimes>
  close(): Promise<void>
}

export interface PreparedProduct {
  /**
   * From the press on Say hello on both sides to the later of the two first painted frames, in ms. Before the presses
   * both pages have prepared the connection.
   */
  sayHello(): Promise<number>
  close(): Promise<void>
}

/**
 * The product itself, with the real server, search, offer, call and meter. Two signed-in users accept at once, each in
 * a browser. `rtt_ms` lies between pages and server (both sockets) and between the media of the two pages.
 */
export async function openProduct(rttMs: number): Promise<Product> {
  const testApp = await startBrowserTestApp(settings)
  await testApp.db
    .updateTable('users')
    .set({ auto_accept: true })
    .where('nick', 'in', ['Alex', 'Sofia'])
    .execute()
  const weather: Weather = { delay_ms: rttMs / 2, loss: 0, rate_bps: null }
  const link = rttMs > 0 ? new SlowLink(weather) : undefined
  const [sofia, alex] = [
    await enter(testApp, 'Sofia', rttMs, link),
    await enter(testApp, 'Alex', rttMs, link),
  ]
  await Promise.all([sofia.starts(), alex.start_button.click()])
  await alex.isInCallWith('Sofia')
  return {
    async next() {
      const before = await Promise.all([alex, sofia].map(connections))
      await alex.page.waitForFunction(nextButton)
      const pressedMs = await alex.page.evaluate(pressNext)
      const [his, hers] = await Promise.all([
        painted(alex, before[0]!, pressedMs),
        painted(sofia, before[1]!, pressedMs),
      ])
      return { his, hers }
    },
    async close() {
      await testApp.close()
      await link?.close()
    },
  }
}

/**
 * The product as `openProduct`, with users who look at each other's card before they accept. Without a relay, because
 * the other figures of the bench have none.
 */
export async function openPreparedProduct(rttMs: number): Promise<PreparedProduct> {
  const testApp = await startBrowserTestApp({ ...settings, prepare_direct: 'on' })
  const weather: Weather = { delay_ms: rttMs / 2, loss: 0, rate_bps: null }
  const link = rttMs > 0 ? new SlowLink(weather) : undefined
  const girl = await enter(testApp, 'Sofia', rttMs, link)
  const guy = await enter(testApp, 'Alex', rttMs, link)
  await girl.starts()
  await guy.start_button.click()
  const ids = { guy_id: guy.user_id, girl_id: girl.user_id }
  return {
    async sayHello() {
      await until(
        'both pages prepared the connection',
        async () => findPreparedGuid(testApp.running.app, ids) !== undefined,
      )
      const times = await Promise.all([guy, girl].map(({ page }) => page.evaluate(sayHelloInPage)))
      await guy.page.waitForFunction(nextButton)
      await guy.page.evaluate(pressNext)
      return (
        Math.max(...times.map(({ painted_ms }) => painted_ms)) -
        Math.max(...times.map(({ pressed_ms }) => pressed_ms))
      )
    },
    async close() {
      await testApp.close()
      await link?.close()
    },
  }
}

async function enter(
  testApp: BrowserTestApp,
  nick: string,
  rttMs: number,
  link: SlowLink | undefined,
): Promise<BrowserUser> {
  const person = await testApp.enterInOwnBrowser(nick)
  const { page } = person
  if (rttMs > 0)
    await page.routeWebSocket(/\/(socket\.io|signal)\//, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((packet) => void setTimeout(() => server.send(packet), rttMs / 2))
      server.onMessage((packet) => void setTimeout(() => socket.send(packet), rttMs / 2))
    })
  await page.addInitScript(watchMedia)
  // The sockets that are open already were opened without the delay, and the page without the watch.
  await page.reload()
  await person.isIdle()
  await link?.attach(page)
  return person
}

function connections({ page }: BrowserUser): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as MediaWindow).seen.length)
}

/** Waits for a painted frame of a connection that was opened after `before`. */
async function painted(
  { page }: BrowserUser,
  before: number,
  pressedMs: number,
): Promise<SideTimes> {
  const found = await page.waitForFunction(
    (from) =>
      (globalThis as unknown as MediaWindow).seen.slice(from).find((each) => each.painted_ms),
    before,
    { polling: 50 },
  )
  const { link_ms, decoded_ms, painted_ms } = (await found.jsonValue())!
  const after = (atMs: number | undefined) => (atMs ?? Number.NaN) - pressedMs
  return { link: after(link_ms), decoded: after(decoded_ms), painted: after(painted_ms) }
}

/** Runs in the page. */
function nextButton(): boolean {
  return [...document.querySelectorAll('button')].some(({ innerText }) =>
    innerText.startsWith('Next'),
  )
}

/** Runs in the page. */
function pressNext(): number {
  const button = [...document.querySelectorAll('button')].find(({ innerText }) =>
    innerText.startsWith('Next'),
  )
  if (!button) throw new Error('there is no Next')
  const now = performance.timeOrigin + performance.now()
  button.click()
  return now
}

/**
 * Runs in the page. The element and the prepared connection may still hold a test picture, so the painted frame must
 * have been decoded after the press.
 */
function sayHelloInPage(): Promise<{ pressed_ms: number; painted_ms: number }> {
  const { receivers } = globalThis as unknown as MediaWindow
  const button = [...document.querySelectorAll('button')].find(({ innerText }) =>
    innerText.startsWith('Say hello'),
  )
  if (!button) throw new Error('there is no Say hello')
  const pressedMs = performance.timeOrigin + performance.now()
  button.click()
  return new Promise((resolve) => {
    function watch() {
      const video = document.querySelector<HTMLVideoElement>('[data-remote-picture]')
      if (!video) return void setTimeout(watch, 5)
      video.requestVideoFrameCallback((_, { presentationTime }) => {
        const shown = (video.srcObject as MediaStream | null)?.getVideoTracks().at(-1)
        const [source] = (shown && receivers.get(shown)?.getSynchronizationSources()) ?? []
        if (!source || performance.timeOrigin + source.timestamp < pressedMs) return watch()
        resolve({ pressed_ms: pressedMs, painted_ms: performance.timeOrigin + presentationTime })
      })
    }
    watch()
  })
}

/** Runs in the page, before its own scripts: notes the steps of every connection. */
function watchMedia(): void {
  const self = globalThis as unknown as MediaWindow
  self.seen = []
  self.receivers = new Map()
  const nowMs = () => performance.timeOrigin + performance.now()
  const remoteVideo = () => document.querySelector<HTMLVideoElement>('[data-remote-picture]')

  /** Waits until the element paints this track. The element may still paint the former partner's track. */
  function watchPaint(track: MediaStreamTrack, noted: SeenConnection) {
    const video = remoteVideo()
    if (!video) return void setTimeout(() => watchPaint(track, noted), 5)
    video.requestVideoFrameCallback((_, { presentationTime }) => {
      const shown = (video.srcObject as MediaStream | null)?.getVideoTracks().at(-1)
      if (shown === track) noted.painted_ms = performance.timeOrigin + presentationTime
      else if (track.readyState === 'live') watchPaint(track, noted)
    })
  }

  function watchDecoded(track: MediaStreamTrack, receiver: RTCRtpReceiver, noted: SeenConnection) {
    if (receiver.getSynchronizationSources().length > 0) noted.decoded_ms = nowMs()
    else if (track.readyState === 'live') setTimeout(() => watchDecoded(track, receiver, noted), 5)
  }

  const Real = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      const noted: SeenConnection = {}
      self.seen.push(noted)
      this.addEventListener('connectionstatechange', () => {
        if (this.connectionState === 'connected') noted.link_ms ??= nowMs()
      })
      this.addEventListener('track', ({ track, receiver }) => {
        if (track.kind !== 'video') return
        self.receivers.set(track, receiver)
        watchDecoded(track, receiver, noted)
        watchPaint(track, noted)
      })
    }
  }
}
