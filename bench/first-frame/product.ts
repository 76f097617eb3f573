import type { Page } from 'playwright-core'
import { SlowLink, type Weather } from '../../tests/journeys/call-engine/slow-link.ts'
import { meet, type BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

/** Enough free seconds that no user pays or waits: the bench measures the path, not the meter. */
const settings = {
  language_first: '0',
  rematch_minutes: '0',
  pair_free_start: '1000',
  free_starts_a_day: '1000',
  paid_after: '600',
}

interface FramesWindow {
  /** When the first frame of each partner's picture was painted, in ms of this page. */
  firstFrames: number[]
}

export interface Product {
  /** From the press on Next to the next partner's first painted frame, in ms of his page. */
  next(): Promise<number>
  close(): Promise<void>
}

/**
 * The product itself: two signed-in pages that accept at once, the real server, search, offer, call, meter. `rtt_ms` lies
 * between pages and server (both sockets) and between the two pages' media.
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
  await meet(sofia, alex).catch(() => alex.isInCallWith('Sofia'))
  return {
    async next() {
      const before = await frames(alex.page)
      const pressedMs = await alex.page.evaluate(pressNext)
      const painted = await alex.page.waitForFunction(
        (seen) => (globalThis as unknown as FramesWindow).firstFrames[seen],
        before,
        { polling: 50 },
      )
      return (await painted.jsonValue())! - pressedMs
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
  const person = await testApp.enter(nick)
  const { page } = person
  if (rttMs > 0) {
    await page.routeWebSocket(/\/(socket\.io|signal)\//, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((packet) => void setTimeout(() => server.send(packet), rttMs / 2))
      server.onMessage((packet) => void setTimeout(() => socket.send(packet), rttMs / 2))
    })
    // The sockets that are open already were opened without the delay.
    await page.reload()
    await person.isIdle()
  }
  await link?.attach(page)
  await page.evaluate(watchFrames)
  return person
}

function frames(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as FramesWindow).firstFrames.length)
}

/** Runs in the page. */
function pressNext(): number {
  const button = [...document.querySelectorAll('button')].find((one) =>
    (one.innerText || one.ariaLabel || '').startsWith('Next'),
  )
  if (!button) throw new Error('there is no Next')
  const now = performance.now()
  button.click()
  return now
}

/** Runs in the page: notes when each new track of the one remote element paints for the first time. */
function watchFrames(): void {
  const noted = new Set<string>()
  const self = globalThis as unknown as FramesWindow
  self.firstFrames = []
  const look = () => {
    const video = document.querySelector<HTMLVideoElement>('[data-remote-picture]')
    if (!video) return void setTimeout(look, 5)
    video.requestVideoFrameCallback((_, { presentationTime }) => {
      const track = (video.srcObject as MediaStream | null)?.getVideoTracks().at(-1)
      if (track && !noted.has(track.id)) {
        noted.add(track.id)
        self.firstFrames.push(presentationTime)
      }
      look()
    })
  }
  look()
}
