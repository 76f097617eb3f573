import { after, before, test } from 'node:test'
import { equal, notEqual, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { EngineSnapshot, CallStart } from '@duet/call-engine'
import type {} from './call-engine/page.ts'
import { CLEAR, SlowLink } from './call-engine/slow-link.ts'
import { bundleEnginePage, meeting, openBrowser } from './call-engine/two-pages.ts'
import type { Meeting, RelayedPage } from './call-engine/two-pages.ts'

const WAIT_MS = 60_000

let browser: Browser
let script: string

before(async () => {
  browser = await openBrowser()
  script = await bundleEnginePage()
})
after(() => browser.close())

/** One meeting, both in the call and both seen by the other. */
async function inCall(run: (meeting: Meeting) => Promise<void>, link?: SlowLink) {
  const met = await meeting(browser, script, { link })
  try {
    await together(met, (side) => startCall(side, { session_id: 1 }))
    await together(met, (side) => reaches(side, { phase: 'connected', picture: 'live' }))
    await run(met)
  } finally {
    await met.close()
  }
}

function together<T>(
  { anna, boris }: Meeting,
  run: (side: RelayedPage) => Promise<T>,
): Promise<[T, T]> {
  return Promise.all([run(anna), run(boris)])
}

function startCall({ page }: RelayedPage, session: CallStart) {
  return page.evaluate((begun) => duet.engine.start(begun), session)
}

async function reaches({ name, page }: RelayedPage, wanted: Partial<EngineSnapshot>) {
  const reached = page.waitForFunction(
    (parts) => {
      const snapshot = duet.engine.getSnapshot() as unknown as Record<string, unknown>
      return Object.entries(parts).every(([key, value]) => snapshot[key] === value)
    },
    wanted,
    { polling: 50, timeout: WAIT_MS },
  )
  await reached.catch(async () => {
    const snapshot = await page.evaluate(() => JSON.stringify(duet.engine.getSnapshot()))
    throw new Error(`${name} never reached ${JSON.stringify(wanted)}: ${snapshot}`)
  })
}

function statistic({ page }: RelayedPage, type: string, field: string) {
  return page.evaluate(
    async ([wanted, name]) => {
      let total = 0
      const report = await duet.connections.at(-1)!.getStats()
      report.forEach((entry: Record<string, unknown>) => {
        if (entry['type'] === wanted && entry['kind'] === 'video')
          total += Number(entry[name!] ?? 0)
      })
      return total
    },
    [type, field],
  )
}

async function grows(side: RelayedPage, type: string, field: string) {
  const start = await statistic(side, type, field)
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline;) {
    if ((await statistic(side, type, field)) > start + 10) return
  }
  throw new Error(`${side.name}: ${type}.${field} stands still at ${start}`)
}

async function hasSaid(check: () => boolean, what: string) {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline;) {
    if (check()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`never said: ${what}`)
}

function descriptions({ relay }: Meeting, name: string, type: 'offer' | 'answer') {
  return relay
    .said(name, 'signal')
    .filter((each) => each.type_signal === 'offer' && each.data.type === type).length
}

function getConnections({ page }: RelayedPage) {
  return page.evaluate(() => duet.connections.length)
}

function restartIceInside({ page }: RelayedPage) {
  return page.evaluate(() => duet.connections.at(-1)!.restartIce())
}

function usernameFragment({ page }: RelayedPage) {
  return page.evaluate(
    () => /a=ice-ufrag:(\S+)/.exec(duet.connections.at(-1)!.localDescription!.sdp)![1]!,
  )
}

test('two people see each other: frames are decoded and go on being decoded on both sides', () =>
  inCall(async (met) => {
    await together(met, (side) => grows(side, 'inbound-rtp', 'framesDecoded'))
    for (const { name } of [met.anna, met.boris]) {
      equal(met.relay.said(name, 'peer_connected').length, 1)
      await hasSaid(() => met.relay.said(name, 'peer_state').length >= 3, 'three PEER_STATEs')
      const states = met.relay.said(name, 'peer_state')
      ok(states.at(-1)!.frames_decoded > states[0]!.frames_decoded)
      ok(states.at(-1)!.frames_sent > states[0]!.frames_sent)
      ok(states.at(-1)!.audio && states.at(-1)!.video)
    }
  }))

test('a call needs one offer and one answer, without a conflict of offers', () =>
  inCall(async (met) => {
    equal(descriptions(met, 'anna', 'offer'), 1)
    equal(descriptions(met, 'boris', 'offer'), 0)
    equal(descriptions(met, 'boris', 'answer'), 1)
  }))

test('a muted microphone keeps its device and carries silence', () =>
  inCall(async ({ anna, relay }) => {
    const track = await anna.page.evaluate(() => {
      duet.media.setMicrophone(false)
      const { audio_track, microphone } = duet.media.getSnapshot()
      return { enabled: audio_track!.enabled, live: audio_track!.readyState, microphone }
    })
    equal(
      JSON.stringify(track),
      JSON.stringify({ enabled: false, live: 'live', microphone: 'off' }),
    )
    await hasSaid(() => relay.said('anna', 'peer_state').at(-1)?.audio === false, 'audio: false')
  }))

test('a camera that is switched off is stopped, sends nothing more, and comes back without a new connection', () =>
  inCall(async ({ anna, boris, relay }) => {
    const stopped = await anna.page.evaluate(async () => {
      const track = duet.media.getSnapshot().video_track!
      await duet.media.setCamera(false)
      return track.readyState
    })
    equal(stopped, 'ended')
    await reaches(boris, { picture: 'still', phase: 'connected' })
    await hasSaid(() => relay.said('anna', 'peer_state').at(-1)?.video === false, 'video: false')
    await anna.page.evaluate(() => duet.media.setCamera(true))
    await reaches(boris, { picture: 'live' })
    equal(await getConnections(boris), 1)
    await grows(boris, 'inbound-rtp', 'framesDecoded')
  }))

test('the network changes under a call: new candidates are found and the connection stays', () =>
  inCall(async ({ anna, boris }) => {
    const fragment = await usernameFragment(anna)
    await anna.page.evaluate(() => window.dispatchEvent(new Event('online')))
    await anna.page.waitForFunction(
      (old) => {
        const connection = duet.connections.at(-1)!
        const changed = !connection.localDescription!.sdp.includes(`a=ice-ufrag:${old}`)
        return (
          changed &&
          connection.signalingState === 'stable' &&
          connection.connectionState === 'connected'
        )
      },
      fragment,
      { timeout: WAIT_MS },
    )
    notEqual(await usernameFragment(anna), fragment)
    equal(await getConnections(anna), 1)
    await grows(boris, 'inbound-rtp', 'framesDecoded')
  }))

test('both sides offer in the same moment: one offer gives way and the call goes on', () =>
  inCall(async (met) => {
    const { anna, boris, relay } = met
    relay.hold()
    await together(met, restartIceInside)
    for (const { name } of [anna, boris])
      await hasSaid(
        () => descriptions(met, name, 'offer') === (name === 'anna' ? 2 : 1),
        `an offer of ${name}`,
      )
    relay.letGo()
    await hasSaid(
      () => descriptions(met, 'boris', 'answer') >= 2,
      'the answer to the offer that stood',
    )
    await together(met, ({ page }) =>
      page.waitForFunction(() => duet.connections.at(-1)!.signalingState === 'stable', null, {
        timeout: WAIT_MS,
      }),
    )
    await together(met, (side) => grows(side, 'inbound-rtp', 'framesDecoded'))
    await together(met, async (side) => equal(await getConnections(side), 1))
    await together(met, (side) => reaches(side, { phase: 'connected' }))
  }))

test('the signaling is lost and media lives: the page comes back with its guid and keeps its connection', () =>
  inCall(async ({ anna, boris, relay }) => {
    await relay.cut('anna')
    await reaches(anna, { signaling: 'lost', phase: 'connected' })
    await grows(boris, 'inbound-rtp', 'framesDecoded')
    await relay.restore('anna')
    await reaches(anna, { signaling: 'up', phase: 'connected' })
    await hasSaid(() => relay.said('anna', 'join').length === 2, 'a second JOIN_SESSION')
    equal(relay.said('anna', 'join').at(-1)?.session_guid, relay.first_guid)
    equal(await getConnections(anna), 1)
  }))

test('the partner reloads: a new guid makes a fresh connection on both sides', () =>
  inCall(async ({ anna, boris, relay }) => {
    await boris.page.evaluate(() => duet.engine.end())
    await startCall(boris, { session_id: 1 })
    await hasSaid(
      () => relay.said('anna', 'peer_connected').length === 2,
      'PEER_CONNECTED for the second guid',
    )
    await reaches(anna, { phase: 'connected', session_guid: relay.running_guid })
    await reaches(boris, { phase: 'connected', session_guid: relay.running_guid })
    notEqual(relay.running_guid, relay.first_guid)
    equal(await getConnections(anna), 2)
    equal(await anna.page.evaluate(() => duet.connections[0]!.connectionState), 'closed')
    await grows(anna, 'inbound-rtp', 'framesDecoded')
  }))

test('in the next call the offer leaves together with JOIN_SESSION, before the server answers', () =>
  inCall(async (met) => {
    const { anna, boris, relay } = met
    await together(met, ({ page }) => page.evaluate(() => duet.engine.end()))
    relay.nextCall()
    const session = { session_id: relay.session_id, session_guid: relay.first_guid }
    await startCall(anna, { ...session, initiator: true })
    await hasSaid(
      () => descriptions(met, 'anna', 'offer') === 2,
      'the offer, before the other page has joined',
    )
    await startCall(boris, { ...session, initiator: false })
    await together(met, (side) =>
      reaches(side, { phase: 'connected', picture: 'live', ...session }),
    )
    equal(descriptions(met, 'anna', 'offer'), 2)
    await together(met, async (side) => equal(await getConnections(side), 2))
  }))

test('an answer that is lost under way is asked for again', async () => {
  const met = await meeting(browser, script)
  try {
    let lost = 0
    met.relay.loseSignals(
      (from, signal) => from === 'boris' && signal.type_signal === 'offer' && (lost += 1) === 1,
    )
    await together(met, (side) => startCall(side, { session_id: 1 }))
    await together(met, (side) => reaches(side, { phase: 'connected', picture: 'live' }))
    ok(lost >= 2)
  } finally {
    await met.close()
  }
})

test('another tab takes over: devices are stopped at once and nothing is shown any more', () =>
  inCall(async ({ anna }) => {
    const afterRelease = await anna.page.evaluate(() => {
      const { video_track, audio_track } = duet.media.getSnapshot()
      duet.engine.release()
      const shown =
        duet.engine.remote_stream.getTracks().length + duet.media.preview.getTracks().length
      return [
        video_track!.readyState,
        audio_track!.readyState,
        duet.engine.getSnapshot().phase,
        shown,
      ]
    })
    equal(afterRelease.join(), 'ended,ended,ended,0')
  }))

test('the network is gone for some seconds: the call says so, and the picture comes back on the same connection', () => {
  const link = new SlowLink(CLEAR)
  return inCall(async (met) => {
    link.weather = { ...CLEAR, loss: 1 }
    await together(met, (side) => reaches(side, { phase: 'reconnecting', picture: 'still' }))
    link.weather = CLEAR
    await together(met, (side) => reaches(side, { phase: 'connected', picture: 'live' }))
    await together(met, async (side) => equal(await getConnections(side), 1))
  }, link)
})

test('a tenth of all packets is lost on a long way and the call lives', () =>
  inCall(
    (met) => together(met, (side) => grows(side, 'inbound-rtp', 'framesDecoded')).then(() => {}),
    new SlowLink({ delay_ms: 100, loss: 0.1, rate_bps: null }),
  ))

test('a narrow network gets a smaller picture and is called weak, and frames go on coming', () => {
  const link = new SlowLink(CLEAR)
  return inCall(async (met) => {
    const { anna, boris } = met
    await anna.page.waitForFunction(() => duet.video.videoWidth >= 640, null, { timeout: WAIT_MS })
    link.weather = { delay_ms: 20, loss: 0, rate_bps: 150_000 }
    await together(met, (side) => reaches(side, { weak: true }))
    await anna.page.waitForFunction(() => duet.video.videoWidth <= 320, null, { timeout: WAIT_MS })
    await grows(boris, 'inbound-rtp', 'framesDecoded')
  }, link)
})

test('the device check hears the microphone, and nothing once it is muted', async () => {
  const met = await meeting(browser, script)
  try {
    // The fake microphone beeps once a second: thirty readings hold a beep, whenever they begin.
    const loudest = () =>
      met.anna.page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const levels: number[] = []
            const stop = duet.watchLevel(duet.media.getSnapshot().audio_track!, (level) => {
              if (levels.push(level) < 30) return
              stop()
              resolve(Math.max(...levels))
            })
          }),
      )
    ok((await loudest()) > 0.2)
    await met.anna.page.evaluate(() => duet.media.setMicrophone(false))
    equal(await loudest(), 0)
  } finally {
    await met.close()
  }
})
