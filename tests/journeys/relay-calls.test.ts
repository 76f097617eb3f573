import { ok } from 'node:assert/strict'
import { loadavg } from 'node:os'
import { after, before, describe, test } from 'node:test'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { COTURN_MISSING, startCoturn, type Coturn } from '@duet/testkit/stand-ins/coturn.ts'

/** S3: pairs in Chromium whose media goes through a real relay. The long form by `npm run proof relay-calls`. */
const PAIRS = Number(process.env.PAIRS ?? (process.env.PROOF === 'long' ? 200 : 4))
const SHARE_CONNECTED = 0.995
const COUPLES = [
  ['Sofia', 'Alex'],
  ['Elif', 'Omar'],
] as const
const FRAME_WAIT_MS = 30_000

/** The connection of one page in one call, in ms since 1970. */
interface RelayedConnection {
  readonly opened_ms: number
  frame_ms?: number
}

interface RelayedWindow {
  relayed: RelayedConnection[]
  /** By candidate: when this page had its own, and when it got the partner's. */
  had: Record<string, number>
  got: Record<string, number>
  /** The types of the language do not have it yet. */
  MediaStreamTrackProcessor: new (of: { track: MediaStreamTrack }) => {
    readonly readable: ReadableStream<{ close(): void }>
  }
}

interface Couple {
  readonly girl: BrowserUser
  readonly guy: BrowserUser
}

describe('many calls behind a relay', { skip: COTURN_MISSING }, () => {
  let relay: Coturn
  let testApp: BrowserTestApp

  before(async () => {
    relay = await startCoturn({ admitsLoopback: true })
    testApp = await startBrowserTestApp(
      {
        language_first: '0',
        rematch_minutes: '0',
        rematch_last_only: '0',
        pair_free_start: '1000',
        free_starts_a_day: '1000',
        paid_after: '600',
        prepare_direct: 'off',
      },
      {
        TURN_URLS: `turn:127.0.0.1:${relay.port}?transport=udp`,
        TURN_SECRET: relay.secret,
        TURN_ADDRESSES: '127.0.0.1',
      },
    )
    await testApp.db
      .updateTable('users')
      .set({ auto_accept: true })
      .where('nick', 'in', COUPLES.flat())
      .execute()
  })
  after(async () => {
    await testApp.close()
    await relay.stop()
  })

  async function enter(nick: string): Promise<BrowserUser> {
    const person = await testApp.enter(nick)
    await person.page.addInitScript(watchRelayed)
    await person.reloads()
    await person.isIdle()
    return person
  }

  test(`${PAIRS} pairs connect through the relay alone and see each other`, async () => {
    const frames: number[] = []
    const signals: number[] = []
    let connected = 0
    // One couple after the other: the second search must not take the first couple apart.
    for (const [she, he] of COUPLES) {
      const couple = { girl: await enter(she), guy: await enter(he) }
      await couple.girl.starts()
      await couple.guy.start_button.click()
      let pressedMs = 0
      for (let pair = 0; pair < PAIRS / COUPLES.length; pair += 1) {
        const times = await firstFrames(couple, pressedMs)
        if (times) connected += 1
        frames.push(...(times ?? []))
        pressedMs = Date.now()
        await pressNext(couple.guy)
      }
      signals.push(...(await signalTimes(couple)))
      for (const one of [couple.girl, couple.guy]) await one.leave()
    }
    const at = (values: readonly number[], part: number) =>
      values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1]
    console.log(
      `relay-calls: ${connected} of ${PAIRS} connected; first frame p95 ${at(frames, 0.95)} ms after the connection began; ` +
        `a candidate from page to page p50 ${at(signals, 0.5)} ms, p99 ${at(signals, 0.99)} ms (n ${signals.length}); load ${loadavg()[0]!.toFixed(1)}`,
    )
    ok(connected / PAIRS >= SHARE_CONNECTED, `${connected} of ${PAIRS} pairs connected`)
  })
})

/**
 * On both sides, from the begin of the connection that began after this moment to the partner's first frame; nothing when
 * one saw no frame.
 */
async function firstFrames({ girl, guy }: Couple, afterMs: number): Promise<number[] | undefined> {
  const seen = await Promise.allSettled(
    [girl, guy].map(async ({ page, nick }) => {
      const found = page.waitForFunction(
        (sinceMs) => {
          const connection = (globalThis as unknown as RelayedWindow).relayed.findLast(
            ({ opened_ms, frame_ms }) => opened_ms > sinceMs && frame_ms !== undefined,
          )
          return connection && connection.frame_ms! - connection.opened_ms
        },
        afterMs,
        { polling: 50, timeout: FRAME_WAIT_MS },
      )
      const time = await found
        .then((handle) => handle.jsonValue())
        .catch(async () => {
          const text = await page.locator('body').innerText()
          console.log(
            `${nick} saw no frame; on the screen: ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
          )
        })
      return time ?? undefined
    }),
  )
  const times = seen.flatMap((one) =>
    one.status === 'fulfilled' && typeof one.value === 'number' ? [one.value] : [],
  )
  return times.length === seen.length ? times : undefined
}

/** The button is drawn again while the call begins, so the page itself presses it. */
async function pressNext({ page }: BrowserUser): Promise<void> {
  await page.waitForFunction(() => {
    const next = [...document.querySelectorAll('button')].find(({ innerText }) =>
      innerText.startsWith('Next'),
    )
    next?.click()
    return next !== undefined
  })
}

/** The pages share one clock. A candidate also passes the queues of both pages, so this is more than the server's part. */
async function signalTimes({ girl, guy }: Couple): Promise<number[]> {
  const [hers, his] = await Promise.all(
    [girl, guy].map(({ page }) =>
      page.evaluate(() => {
        const { had, got } = globalThis as unknown as RelayedWindow
        return { had, got }
      }),
    ),
  )
  const times: number[] = []
  for (const [from, to] of [
    [hers!, his!],
    [his!, hers!],
  ] as const)
    for (const [candidate, gotMs] of Object.entries(to.got)) {
      ok(candidate.endsWith('typ relay'), candidate)
      const hadMs = from.had[candidate]
      if (hadMs !== undefined) times.push(gotMs - hadMs)
    }
  return times
}

/** Runs in the page, before its own scripts. */
function watchRelayed(): void {
  const page = globalThis as unknown as RelayedWindow
  Object.assign(page, { relayed: [], had: {}, got: {} })
  // The server takes out where the relay was reached from, so the strings of the two sides differ.
  const toAddress = (candidate: string) => candidate.split(' ').slice(4, 8).join(' ')
  const Real = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      const seen: RelayedConnection = { opened_ms: Date.now() }
      page.relayed.push(seen)
      this.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate?.candidate) page.had[toAddress(candidate.candidate)] ??= Date.now()
      })
      this.addEventListener('track', ({ track }) => {
        if (track.kind !== 'video') return
        const reader = new page.MediaStreamTrackProcessor({
          track: track.clone(),
        }).readable.getReader()
        void reader.read().then(async ({ value }) => {
          seen.frame_ms = Date.now()
          value?.close()
          await reader.cancel()
        })
      })
    }

    override addIceCandidate(candidate?: RTCIceCandidateInit | null): Promise<void> {
      if (candidate?.candidate) page.got[toAddress(candidate.candidate)] ??= Date.now()
      return super.addIceCandidate(candidate)
    }
  }
}
