import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import type { Page, WebSocketRoute } from 'playwright-core'
import { closedCall, latestCall } from './money/ledger.ts'
import { meet, type BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({
    search_grace: '0',
    rematch_minutes: '0',
    partner_grace: '30',
    pair_free_start: '1000',
    free_starts_a_day: '1000',
    paid_after: '600',
  })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

interface ConnectionsWindow {
  connections: RTCPeerConnection[]
}

/** The two sockets of a page, which the test can cut. Media does not pass through them. */
async function cuttable({ page }: BrowserUser) {
  const open = new Set<WebSocketRoute>()
  let isCut = false
  await page.routeWebSocket(/\/(socket\.io|signal)\//, (socket) => {
    if (isCut) return void socket.close()
    open.add(socket)
    const server = socket.connectToServer()
    socket.onMessage((packet) => server.send(packet))
    server.onMessage((packet) => socket.send(packet))
  })
  return {
    async cut() {
      isCut = true
      await Promise.all([...open].map((socket) => socket.close()))
      open.clear()
    },
    restore() {
      isCut = false
    },
  }
}

/** Runs in the page, before its own scripts. */
function noteConnections() {
  const self = globalThis as unknown as ConnectionsWindow
  self.connections = []
  const Real = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      self.connections.push(this)
    }
  }
}

/** Runs in the page, before its own scripts: counts how often a device is requested. */
function noteRequests() {
  const self = globalThis as unknown as { device_requests: number }
  self.device_requests = 0
  const { mediaDevices } = navigator
  const request = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = (constraints) => {
    self.device_requests += 1
    return request(constraints)
  }
}

const deviceRequests = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { device_requests: number }).device_requests)

const openConnections = (page: Page) =>
  page.evaluate(
    () =>
      (globalThis as unknown as ConnectionsWindow).connections.filter(
        ({ connectionState }) => connectionState !== 'closed',
      ).length,
  )

test('End without the server stops the media at once; there is a way back, and a way out with the receipt later', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  const sockets = await cuttable(alex)
  await alex.page.addInitScript(noteConnections)
  await alex.reloads()
  await alex.isIdle()
  await meet(sofia, alex)

  const endsOffline = async () => {
    await sockets.cut()
    await alex.presses('End the call')
    await alex.sees(alex.button('Back to Sofia'))
    await until('the end of the media', async () => (await openConnections(alex.page)) === 0)
    equal((await latestCall(testApp, alex)).status, 'running')
  }
  await endsOffline()
  await alex.button('Back to Sofia').click()
  sockets.restore()
  await Promise.all([alex.isInCallWith('Sofia'), sofia.isInCallWith('Alex')])

  await endsOffline()
  await alex.button('Go on without waiting').click()
  await alex.isIdle()
  sockets.restore()
  await alex.sees(alex.heading('You talked with Sofia'))
  equal((await closedCall(testApp, alex)).reason, 'left')
})

test('a call that was ended without the server stays ended after a reload', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  const sockets = await cuttable(alex)
  await alex.page.addInitScript(noteConnections)
  await alex.reloads()
  await alex.isIdle()
  await meet(sofia, alex)
  await sockets.cut()
  await alex.presses('End the call')
  await alex.button('Go on without waiting').click()
  await alex.isIdle()
  sockets.restore()
  await alex.reloads()
  await alex.sees(alex.heading('You talked with Sofia'))
  equal((await closedCall(testApp, alex)).reason, 'left')
  equal(await openConnections(alex.page), 0)
  equal(await alex.hasCamera(), false)
})

test('a second tab opens no device before a press, and no camera that is off in the call', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  await meet(sofia, alex)
  const former = await latestCall(testApp, alex)
  await sofia.presses('Turn the camera off')
  await alex.meterIs('paused')
  await sofia.page.context().addInitScript(noteRequests)
  const second = await sofia.opensSecondTab(testApp.origin, '/profile')
  sofia.looksAt(second)
  const card = second.getByRole('complementary', { name: 'Your call with Alex' })
  await sofia.sees(card.getByText('You have not joined on this page'))
  equal(await deviceRequests(second), 0)
  await card.getByRole('button', { name: 'Return' }).click()
  await sofia.sees(second.getByText('Your camera stays off.'))
  equal(await deviceRequests(second), 0)
  await sofia.button('Go on here').click()
  await sofia.isInCallWith('Alex')
  equal(await sofia.hasCamera(), false)
  equal((await latestCall(testApp, alex)).session_id, former.session_id)
  await alex.presses('End the call')
  await closedCall(testApp, alex)
})

test('a reload in a call keeps the microphone muted and the camera off', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  await meet(sofia, alex)
  await alex.presses('Mute the microphone')
  await alex.presses('Turn the camera off')
  await alex.reloads()
  await alex.isInCallWith('Sofia')
  await alex.wakesControls()
  for (const name of ['Mute the microphone', 'Turn the camera off'])
    await alex.sees(alex.page.getByRole('button', { name, pressed: true }))
  equal(await alex.hasCamera(), false)
  await alex.presses('End the call')
  await closedCall(testApp, alex)
})
