import { after, afterEach, before, describe, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { closedCall, latestCall } from './money/ledger.ts'
import { meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({
    search_grace: '0',
    rematch_minutes: '0',
    pair_free_start: '1000',
    free_starts_a_day: '1000',
    paid_after: '600',
    private_ask_seconds: '60',
    frame_seconds: '3',
  })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

interface ReportedSide {
  readonly summary?: { readonly score?: { readonly inbound: number | null } }
}

/** The pages have reported statistics that say how the network is. */
function bothReported(app: BrowserTestApp, sessionId: number) {
  return until('the summaries of both sides', async () => {
    const { guy, girl } = (await app.duet('quality', String(sessionId))) as Record<
      'guy' | 'girl',
      ReportedSide
    >
    return [guy, girl].every(({ summary }) => (summary?.score?.inbound ?? 0) > 2)
  })
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`what two people agree on in a call on a ${screen}`, () => {
    test('one asks to go private, the other agrees, and both see that the call is private', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await testApp.set({ quality_watch_ids: `${sofia.user_id},${alex.user_id}` })
      await meet(sofia, alex)
      await until('the server has a frame of her camera', async () => {
        const { session_id } = await latestCall(testApp, alex)
        const frames = testApp.db.selectFrom('call_frames').where('session_id', '=', session_id)
        const frame = await frames.select('girl_id').executeTakeFirst()
        return frame?.girl_id === sofia.user_id
      })
      await alex.wakesControls()
      await alex.presses('Ask to go private')
      await alex.sees(alex.page.getByText("Waiting for Sofia's answer"))
      await sofia.sees(sofia.heading('Continue in private?'))
      await sofia.presses(/^Go private$/)
      for (const user of [sofia, alex]) {
        await user.wakesControls()
        await user.sees(user.page.getByText(/^Private call/))
        await user.seesNo(user.button('Ask to go private'))
      }
      const call = await latestCall(testApp, alex)
      equal(call.state, 'private')
      if (screen === 'desktop') await bothReported(testApp, call.session_id)
      await alex.presses('End the call')
      await closedCall(testApp, alex)
    })

    test('she sets a break, and the end of the call brings her to it; back and out work', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      await sofia.presses('Break after this call')
      await sofia.sees(
        sofia.page.getByRole('button', { name: 'Break after this call', pressed: true }),
      )
      await until(
        'the break is stored',
        async () => (await latestCall(testApp, alex)).break_set === true,
      )
      await alex.presses('End the call')
      await closedCall(testApp, alex)
      await sofia.sees(sofia.heading('Take your time'))
      await sofia.button('Leave the studio').click()
      await sofia.isIdle()
      await sofia.reloads()
      await sofia.isIdle()
    })

    test('each sees the like, the muted microphone and the camera that is off, and both go on with sound', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      // A like is stored once a person, so on each screen another person gives it.
      const [giver, taker] = screen === 'desktop' ? [alex, sofia] : [sofia, alex]
      // The heart rises for less than a second.
      const liked = taker.sees(taker.page.getByText(/likes you|like each other/).first())
      await giver.wakesControls()
      await giver.presses(`Like ${taker.nick}`)
      await liked
      await sofia.wakesControls()
      await sofia.presses('Mute the microphone')
      await alex.sees(alex.page.getByText("Sofia's microphone is off"))
      await sofia.presses('Turn the camera off')
      await alex.sees(alex.heading('Go on with sound?'))
      await alex.presses('Go on with sound')
      await sofia.sees(sofia.heading('Alex would go on with sound'))
      if (process.env.SHOTS)
        for (const user of [sofia, alex])
          await user.page.screenshot({
            path: `${process.env.SHOTS}/sound-${user.nick}-${screen}.png`,
          })
      await sofia.presses('Go on with sound')
      for (const user of [sofia, alex]) await user.sees(user.page.getByText('Sound only, for free'))
      await alex.presses('End the call')
      await closedCall(testApp, alex)
    })

    test('a wish for less data reaches the other page, and the settings count the megabytes', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await sofia.page.evaluate(keepConnections)
      await meet(sofia, alex)
      await alex.wakesControls()
      await alex.presses('Call settings')
      await alex.presses('Little')
      if (process.env.SHOTS)
        await alex.page.screenshot({ path: `${process.env.SHOTS}/call-settings-${screen}.png` })
      await until('her page sends stills', async () => {
        const framesMax = await sofia.page.evaluate(readFrameLimit)
        return framesMax !== null && framesMax <= 2
      })
      await alex.sees(alex.page.getByText(/^[1-9].* MB so far$|^0\.[1-9] MB so far$/))
      await alex.presses('Close')
      await alex.presses('End the call')
      await closedCall(testApp, alex)
    })
  })
}

interface WithConnections {
  connections: RTCPeerConnection[]
}

/** In the page: the connections that it opens from now on. */
function keepConnections(): void {
  const { connections } = Object.assign(globalThis, { connections: [] as RTCPeerConnection[] })
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
}

/** In the page: how many frames a second it sends at most. Null before a limit is set. */
function readFrameLimit(): number | null {
  const { connections } = globalThis as unknown as WithConnections
  const senders = connections.at(-1)?.getSenders() ?? []
  const sender = senders.find(({ track }) => track?.kind === 'video')
  return sender?.getParameters().encodings[0]?.maxFramerate ?? null
}
