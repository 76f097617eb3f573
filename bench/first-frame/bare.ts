import type { Page } from 'playwright-core'
import { hop } from '../../tests/journeys/call-engine/two-pages.ts'

/**
 * The baseline: a page that does nothing but WebRTC. The camera is on and "matched" arrives. A new connection with
 * trickled candidates paints the first frame on both sides. There is no product, no framework, no polite negotiation.
 */

interface Bare {
  prepare(): Promise<void>
  hear(heard: BareSignal): Promise<void>
  /** When the first frame of the present round was painted, in ms since 1970. */
  painted(): Promise<number>
}

type BareSignal =
  | { matched: { offers: boolean } }
  | { description: RTCSessionDescriptionInit }
  | { candidate: RTCIceCandidateInit }

interface BareWindow {
  bare: Bare
  bareSay(said: BareSignal): Promise<void>
}

const rounds = new WeakMap<Page, (said: BareSignal) => void>()

/**
 * One cold connection between two blank pages of an origin that may use the camera. The result is the time in ms from
 * "matched" at the server to the later of the two first frames. `rtt_ms` is the round trip between a page and the
 * server that passes the signals on. Media goes directly, or through a `SlowLink` that was attached before. The same
 * pages may be used repeatedly.
 */
export async function bareColdFirstFrame(pageA: Page, pageB: Page, rttMs: number): Promise<number> {
  await Promise.all([pageA, pageB].map(prepare))
  const tell = async (page: Page, heard: BareSignal) => {
    await hop(rttMs / 2)
    await page.evaluate((signal) => (globalThis as unknown as BareWindow).bare.hear(signal), heard)
  }
  const pass = (to: Page) => async (said: BareSignal) => {
    await hop(rttMs / 2)
    await tell(to, said)
  }
  rounds.set(pageA, (said) => void pass(pageB)(said))
  rounds.set(pageB, (said) => void pass(pageA)(said))
  const matchedMs = performance.timeOrigin + performance.now()
  void tell(pageA, { matched: { offers: true } })
  void tell(pageB, { matched: { offers: false } })
  const painted = await Promise.all(
    [pageA, pageB].map((page) =>
      page.evaluate(() => (globalThis as unknown as BareWindow).bare.painted()),
    ),
  )
  return Math.max(...painted) - matchedMs
}

async function prepare(page: Page) {
  if (!rounds.has(page)) {
    rounds.set(page, () => {})
    await page.exposeFunction('bareSay', (said: BareSignal) => rounds.get(page)?.(said))
    await page.evaluate(bareInPage)
  }
  await page.evaluate(() => (globalThis as unknown as BareWindow).bare.prepare())
}

/** Runs in the page, so it may use nothing from outside itself. */
function bareInPage() {
  const page = globalThis as unknown as BareWindow
  const video = document.createElement('video')
  video.autoplay = true
  video.playsInline = true
  document.body.append(video)
  let camera: MediaStream | undefined
  let connection: RTCPeerConnection | undefined
  let early: RTCIceCandidateInit[] = []
  let painted = Promise.withResolvers<number>()

  function connect() {
    const fresh = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
    fresh.onicecandidate = ({ candidate }) =>
      candidate && void page.bareSay({ candidate: candidate.toJSON() })
    fresh.ontrack = ({ streams }) => {
      video.srcObject = streams[0]!
    }
    for (const track of camera!.getTracks()) fresh.addTrack(track, camera!)
    video.requestVideoFrameCallback(() =>
      painted.resolve(performance.timeOrigin + performance.now()),
    )
    connection = fresh
    return fresh
  }

  async function describe() {
    await connection!.setLocalDescription()
    const { type, sdp } = connection!.localDescription!
    void page.bareSay({ description: { type, sdp } })
  }

  page.bare = {
    async prepare() {
      connection?.close()
      connection = undefined
      early = []
      video.srcObject = null
      painted = Promise.withResolvers()
      camera ??= await navigator.mediaDevices.getUserMedia({
        audio: true,
        video: { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30, max: 30 } },
      })
    },
    async hear(heard) {
      if ('matched' in heard) {
        connect()
        if (heard.matched.offers) await describe()
      } else if ('description' in heard) {
        await connection!.setRemoteDescription(heard.description)
        for (const candidate of early.splice(0)) await connection!.addIceCandidate(candidate)
        if (heard.description.type === 'offer') await describe()
      } else if (connection?.remoteDescription) await connection.addIceCandidate(heard.candidate)
      else early.push(heard.candidate)
    },
    painted: () => painted.promise,
  }
}
