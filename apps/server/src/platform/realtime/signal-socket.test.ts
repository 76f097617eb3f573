import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { story } from '@duet/testkit/test-app.ts'
import { openSocket } from '@duet/testkit/wire-client.ts'

story(
  'the call token opens the signalling socket in the tab of the live main socket, and nowhere else',
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
      const stranger = await openSocket(testApp.origin, '/signal')
      stranger.emit('AUTH', wrong)
      equal(await stranger.closed, 'transport close')
      equal(stranger.heard[0]?.event, 'error_102', JSON.stringify(wrong))
    }
    ok(boris.signalling!.socket.connected)
  },
)

story(
  'without AUTH no signal is heard, and ten seconds later nobody listens',
  async ({ testApp }) => {
    const visitor = await openSocket(testApp.origin, '/signal')
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

story('the signalling socket is lost alone: the line stays', async ({ testApp, boris }) => {
  const wire = await boris.openSignal()
  wire.drop()
  while (testApp.app.realtime.local.activeConnection(boris.id)?.signal) await testApp.settle()
  equal(testApp.app.realtime.local.activeConnection(boris.id)?.main, true)
  await boris.openSignal()
  equal(testApp.app.realtime.local.activeConnection(boris.id)?.signal, true)
})

story(
  'two hundred signals in one moment: a hundred and fifty are taken, the rest is 601',
  async ({ boris }) => {
    await boris.openSignal()
    for (let count = 0; count < 200; count += 1) boris.signal('LOG', { level: 'info', text: 'x' })
    // AUTH was the first of the hundred and fifty.
    await boris.signalHeard('error_601', { action: 'LOG' }, { times: 51 })
  },
)
