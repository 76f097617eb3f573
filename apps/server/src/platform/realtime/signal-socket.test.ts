import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { story } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { openSocket } from '@duet/testkit/wire-client.ts'

story(
  'the call token opens the signaling socket only in the tab of the live main socket',
  async ({ testApp, boris }) => {
    await boris.openSignal()
    equal(testApp.app.realtime.local.activeConnection(boris.id)?.signal, true)
    for (const wrong of [
      { ortc_token: boris.user.ortc_token, tab_id: randomUUID() },
      { ortc_token: 'no-such-token', tab_id: boris.tab_id },
      { ortc_token: boris.token!, tab_id: boris.tab_id },
      { ortc_token: boris.user.ortc_token },
      {},
    ]) {
      const stranger = await openSocket(testApp.origin, '/signal', undefined, testApp.beyond)
      stranger.emit('AUTH', wrong)
      equal(await stranger.closed, 'transport close')
      equal(stranger.heard[0]?.event, 'error_102', JSON.stringify(wrong))
    }
    ok(boris.signaling!.socket.connected)
  },
)

story(
  'before AUTH no signal is accepted, and after ten seconds the socket is closed',
  async ({ testApp }) => {
    const visitor = await openSocket(testApp.origin, '/signal', undefined, testApp.beyond)
    visitor.emit('JOIN_SESSION', { session_id: 1 })
    await testApp.settle()
    equal(visitor.heard[0]?.event, 'error_102')
    await testApp.advance('10 s')
    equal(await visitor.closed, 'transport close')
  },
)

story('a signal that is not sealed with the key of the socket is 903', async ({ boris }) => {
  const wire = await boris.openSignal()
  wire.socket.emit('JOIN_SESSION', { session_id: 1 })
  await boris.signalHeard('error_903', { action: 'JOIN_SESSION' })
})

story('losing the signaling socket keeps the main connection', async ({ testApp, boris }) => {
  const wire = await boris.openSignal()
  wire.drop()
  while (testApp.app.realtime.local.activeConnection(boris.id)?.signal) await testApp.settle()
  equal(testApp.app.realtime.local.activeConnection(boris.id)?.main, true)
  await boris.openSignal()
  equal(testApp.app.realtime.local.activeConnection(boris.id)?.signal, true)
})

story(
  'of two hundred signals at once a hundred and fifty are accepted, the rest are 601',
  async ({ boris }) => {
    await boris.openSignal()
    for (let count = 0; count < 200; count += 1) boris.signal('LOG', { level: 'info', text: 'x' })
    // AUTH was the first of the hundred and fifty.
    await boris.signalHeard('error_601', { action: 'LOG' }, { times: 51 })
  },
)

story(
  'the session of staff opens no signaling socket, neither by its cookie nor by its token',
  async ({ testApp, boris }) => {
    const owner = await openStaff(testApp, 'owner')
    const token = owner.cookie!.split('=')[1]!
    const headers = { origin: testApp.origin, cookie: owner.cookie! }
    for (const sent of [
      {},
      { tab_id: boris.tab_id },
      { ortc_token: token, tab_id: boris.tab_id },
      { ortc_token: boris.token!, tab_id: boris.tab_id },
    ]) {
      const stranger = await openSocket(testApp.origin, '/signal', headers, testApp.beyond)
      stranger.emit('AUTH', sent)
      equal(await stranger.closed, 'transport close')
      deepEqual(
        stranger.heard.map(({ event }) => event),
        ['error_102'],
        JSON.stringify(sent),
      )
    }
  },
)
