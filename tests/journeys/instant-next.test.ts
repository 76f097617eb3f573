import { deepEqual } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { RunningApp } from '@duet/server/create-app.ts'
import { findPreparedGuid } from '@duet/server/modules/calls/preparation/preparations.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { COTURN_MISSING, startCoturn, type Coturn } from '@duet/testkit/stand-ins/coturn.ts'

/** The steps of a page with its connections, in order. */
interface WatchedWindow {
  steps: string[]
  connections: RTCPeerConnection[]
}

describe('a call behind a relay', { skip: COTURN_MISSING }, () => {
  let relay: Coturn
  let testApp: BrowserTestApp

  before(async () => {
    relay = await startCoturn({ admitsLoopback: true })
    testApp = await startBrowserTestApp(
      { rematch_minutes: '0', search_grace: '30', offer_seconds: '60' },
      {
        TURN_URLS: `turn:127.0.0.1:${relay.port}?transport=udp`,
        TURN_SECRET: relay.secret,
        TURN_ADDRESSES: '127.0.0.1',
      },
    )
  })
  afterEach(() => testApp.empty())
  after(async () => {
    await testApp.close()
    await relay.stop()
  })

  async function enter(nick: string): Promise<BrowserUser> {
    const person = await testApp.enter(nick)
    await person.page.addInitScript(watchConnections)
    await person.reloads()
    await person.isIdle()
    return person
  }

  test('the picture comes over the connection that was prepared behind the offer, and only through the relay', async () => {
    const [sofia, alex] = [await enter('Sofia'), await enter('Alex')]
    await sofia.starts()
    await alex.starts()
    const both = [sofia, alex]
    await arePrepared(testApp.running, sofia, alex)
    for (const one of both)
      deepEqual(await steps(one), ['opened', 'connected', 'shows canvas', 'shows nothing'])
    await Promise.all([sofia.saysHelloTo('Alex'), alex.saysHelloTo('Sofia')])
    await Promise.all([sofia.isInCallWith('Alex'), alex.isInCallWith('Sofia')])
    for (const one of both) {
      deepEqual((await steps(one)).slice(4), ['shows camera'])
      deepEqual(await candidateTypes(one), ['relay'])
    }
  })

  test('two people meet when one page was loaded again after the preparation', async () => {
    const [sofia, alex] = [await enter('Elif'), await enter('Omar')]
    await sofia.starts()
    await alex.starts()
    await arePrepared(testApp.running, sofia, alex)
    await alex.reloads()
    await Promise.all([sofia.saysHelloTo('Omar'), alex.saysHelloTo('Elif')])
    await Promise.all([sofia.isInCallWith('Omar'), alex.isInCallWith('Elif')])
  })
})

/** Each page reports its half of the connection some time after the half rests. */
async function arePrepared(
  { app }: RunningApp,
  girl: BrowserUser,
  guy: BrowserUser,
): Promise<void> {
  await until(
    'both halves reported to the server',
    async () => findPreparedGuid(app, { guy_id: guy.user_id, girl_id: girl.user_id }) !== undefined,
  )
}

function steps({ page }: BrowserUser): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as WatchedWindow).steps)
}

/** The kinds of the own and the partner's candidates that this page knows. */
function candidateTypes({ page }: BrowserUser): Promise<string[]> {
  return page.evaluate(async () => {
    const types = new Set<string>()
    for (const connection of (globalThis as unknown as WatchedWindow).connections)
      for (const [, entry] of (await connection.getStats()) as unknown as Iterable<
        [string, { type: string; candidateType: string }]
      >)
        if (entry.type.endsWith('-candidate')) types.add(entry.candidateType)
    return [...types]
  })
}

/** Runs in the page, before its own scripts. */
function watchConnections(): void {
  const page = globalThis as unknown as WatchedWindow
  page.steps = []
  page.connections = []
  const Real = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      page.connections.push(this)
      page.steps.push('opened')
      this.addEventListener('connectionstatechange', () => {
        if (this.connectionState === 'connected') page.steps.push('connected')
      })
    }
  }
  const { replaceTrack } = RTCRtpSender.prototype
  Object.assign(RTCRtpSender.prototype, {
    replaceTrack(this: RTCRtpSender, track: MediaStreamTrack | null) {
      if (track?.kind === 'video')
        page.steps.push(
          track instanceof CanvasCaptureMediaStreamTrack ? 'shows canvas' : 'shows camera',
        )
      else if (!track && this.track?.kind === 'video') page.steps.push('shows nothing')
      return replaceTrack.call(this, track)
    },
  })
}
