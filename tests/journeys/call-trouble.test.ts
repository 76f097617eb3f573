import { after, afterEach, before, describe, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { CLEAR, SlowLink } from './call-engine/slow-link.ts'
import { closedCall, fetchUnits, latestCall, settledExactly } from './money/ledger.ts'
import { meet, type BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({
    search_grace: '0',
    rematch_minutes: '0',
    pair_free_start: '1000',
    free_starts_a_day: '1000',
    paid_after: '3',
  })
  await testApp.db.updateTable('free_quotas').set({ seconds: 0 }).execute()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

interface TakingWindow {
  takeDevice(kind: 'audio' | 'video'): void
}

/**
 * Runs in the page, before its own scripts: `takeDevice` is another application that takes the open device. The track
 * ends, and the browser opens that device and the default device no more.
 */
function letDevicesBeTaken() {
  const { mediaDevices } = navigator
  const request = mediaDevices.getUserMedia.bind(mediaDevices)
  const open: Partial<Record<string, MediaStreamTrack>> = {}
  const taken: Partial<Record<string, string>> = {}
  const isTaken = (kind: 'audio' | 'video', asked: MediaStreamConstraints) => {
    const wanted = asked[kind]
    if (!wanted || !taken[kind]) return false
    const { deviceId } = wanted === true ? {} : wanted
    const exact = (deviceId as { exact?: string } | undefined)?.exact
    return exact === undefined || exact === taken[kind]
  }
  mediaDevices.getUserMedia = async (asked = {}) => {
    if (isTaken('audio', asked) || isTaken('video', asked))
      throw new DOMException('Could not start the source', 'NotReadableError')
    const stream = await request(asked)
    for (const track of stream.getTracks()) open[track.kind] = track
    return stream
  }
  const takeDevice: TakingWindow['takeDevice'] = (kind) => {
    const track = open[kind]!
    taken[kind] = track.getSettings().deviceId!
    track.stop()
    track.dispatchEvent(new Event('ended'))
  }
  Object.assign(globalThis, { takeDevice })
}

/**
 * A computer with three cameras and three microphones, which other applications may take. The second fake camera of
 * Chromium measures depth, so the journeys use the third.
 */
async function enterWithThreeCameras(nick: string): Promise<BrowserUser> {
  const user = await testApp.enterInOwnBrowser(nick, 'desktop', { cameras: 3 })
  await user.page.addInitScript(letDevicesBeTaken)
  await user.reloads()
  await user.isIdle()
  return user
}

function take({ page }: BrowserUser, kind: 'audio' | 'video') {
  return page.evaluate((taken) => (globalThis as unknown as TakingWindow).takeDevice(taken), kind)
}

describe('another application takes a device of a user in a call', () => {
  test('her camera: the meter pauses, she chooses the other camera in the notice, and the call goes on', async () => {
    const [sofia, alex] = await Promise.all([enterWithThreeCameras('Sofia'), testApp.enter('Alex')])
    await meet(sofia, alex)
    const { session_id } = await latestCall(testApp, alex)
    await take(sofia, 'video')
    await alex.meterIs('paused')
    await sofia.button('Your camera was lost').click()
    if (process.env.SHOTS)
      await sofia.page.screenshot({ path: `${process.env.SHOTS}/camera-lost.png` })
    await sofia.button(/^fake_device_2/).click()
    await sofia.seesNo(sofia.button('Your camera was lost'))
    await alex.meterIs('paid')
    await alex.seesMovingPicture()
    const call = await latestCall(testApp, alex)
    equal(call.session_id, session_id)
    equal(call.status, 'running')
    await alex.presses('End the call')
    await closedCall(testApp, alex)
  })

  test('her microphone: the guy is told, she chooses another, and the sound comes back', async () => {
    const [sofia, alex] = await Promise.all([enterWithThreeCameras('Sofia'), testApp.enter('Alex')])
    await meet(sofia, alex)
    await take(sofia, 'audio')
    const muted = alex.page.getByText("Sofia's microphone is off")
    await alex.sees(muted)
    await sofia.button('Your microphone was lost').click()
    await sofia.button('Fake Audio Input 2').click()
    await alex.seesNo(muted)
    await sofia.seesNo(sofia.button('Your microphone was lost'))
    await alex.presses('End the call')
    await closedCall(testApp, alex)
  })
})

describe('the network between the two is cut for some seconds', () => {
  test('both read that they are reconnecting and that nothing is charged, and the call goes on with the second after the last good one', async () => {
    const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
    const link = new SlowLink(CLEAR)
    try {
      for (const { page } of [sofia, alex]) await link.attach(page)
      const beforeCall = {
        his: await fetchUnits(testApp, alex),
        hers: await fetchUnits(testApp, sofia),
      }
      await meet(sofia, alex)
      await alex.meterIs('paid')
      const { session_id } = await latestCall(testApp, alex)

      link.weather = { ...CLEAR, loss: 1 }
      await Promise.all([
        alex.sees(alex.page.getByText("Reconnecting. You're not being charged.")),
        sofia.sees(sofia.page.getByText('Reconnecting. The meter stands still.')),
        alex.meterIs('paused'),
      ])
      const paused = await latestCall(testApp, alex)
      equal(paused.why, 'no_frames')

      link.weather = CLEAR
      await Promise.all([alex.meterIs('paid'), sofia.meterIs('paid')])
      for (const user of [sofia, alex]) {
        await user.seesMovingPicture()
        await user.seesNo(user.page.getByText(/^Reconnecting/))
      }
      const resumed = await latestCall(testApp, alex)
      equal(resumed.session_id, session_id)

      await alex.presses('End the call')
      const call = await closedCall(testApp, alex)
      // No second of the cut was counted: what the call lasted holds the counted seconds and the pauses side by side.
      const pauses = call.paused as unknown as { why: string; ms: number }[]
      const pausedMs = pauses.reduce((total, { ms }) => total + ms, 0)
      const lastedMs = call.connected_at!.until(call.closed_at!).total('milliseconds')
      equal(pauses[0]?.why, 'no_frames')
      ok(
        call.good_ms + pausedMs <= lastedMs,
        JSON.stringify({ pauses, good_ms: call.good_ms, lastedMs }),
      )
      await settledExactly(testApp, call, {
        his: (await fetchUnits(testApp, alex)) - beforeCall.his,
        hers: (await fetchUnits(testApp, sofia)) - beforeCall.hers,
      })
    } finally {
      await link.close()
    }
  })
})
