import { deepEqual, equal, ok } from 'node:assert/strict'
import { TestUser } from '@duet/testkit/test-user.ts'
import { story, type TestApp, together } from '@duet/testkit/test-app.ts'

function recordChanges(testApp: TestApp): string[] {
  const changes: string[] = []
  testApp.app.realtime.local.onConnectionChange(({ socket, state, reason }) =>
    changes.push(`${socket} ${state} ${reason}`),
  )
  return changes
}

story(
  'the same tab coming back replaces its old socket, which sees a transport close',
  async ({ testApp, boris }) => {
    const changes = recordChanges(testApp)
    const old = boris.wire!
    await boris.comeBack()
    equal(await old.closed, 'transport close')
    await testApp.settle()
    deepEqual(changes, ['main up same_tab'])
    equal(testApp.app.realtime.local.activeConnection(boris.id)?.main, true)
  },
)

story(
  'another tab takes over, and the older one is instructed not to reconnect',
  async ({ testApp, boris }) => {
    await boris.openSignal()
    const changes = recordChanges(testApp)
    const other = await boris.inAnotherTab()
    equal(await boris.wire!.closed, 'io server disconnect')
    equal(await boris.signaling!.closed, 'io server disconnect')
    await testApp.settle()
    deepEqual(changes, ['signal down takeover', 'main down takeover', 'main up takeover'])
    deepEqual(testApp.app.realtime.local.activeConnection(boris.id), {
      user_id: boris.id,
      login_id: testApp.app.realtime.local.activeConnection(boris.id)!.login_id,
      tab_id: other.tab_id,
      main: true,
      signal: false,
    })
  },
)

story(
  'of two hundred parallel takeovers one socket stays, and no old cleanup removes it',
  async ({ testApp, boris }) => {
    const tabs = await together(200, async (index) => {
      const tab = new TestUser(testApp, `tab ${index}`, boris.token)
      await tab.connect()
      return tab
    })
    await Promise.all(
      tabs.map((tab, index) =>
        (index % 3 === 0 ? tab.auth().then(() => tab.wire!.drop()) : tab.auth()).catch(() => {}),
      ),
    )
    await testApp.settle()
    const open = tabs.filter((tab) => tab.wire!.socket.connected)
    ok(open.length <= 1, `${open.length} sockets are open`)
    equal(testApp.app.realtime.local.activeConnection(boris.id)?.tab_id, open[0]?.tab_id)
    const last = await boris.inAnotherTab()
    await testApp.settle()
    equal(testApp.app.realtime.local.activeConnection(boris.id)?.tab_id, last.tab_id)
    await last.act('SUBSCRIBE', { user_ids: [] })
    for (const tab of tabs) tab.wire!.close()
  },
)

story('a lost socket ends the connection, an open one keeps it', async ({ testApp, boris }) => {
  const changes = recordChanges(testApp)
  await boris.drop()
  equal(testApp.app.realtime.local.activeConnection(boris.id), undefined)
  deepEqual(changes, ['main down closed'])
})

story(
  'after LOGOUT the socket stays for the next AUTH, and the call tokens are invalid',
  async ({ testApp, boris }) => {
    const { token } = boris
    await boris.openSignal()
    await boris.act('LOGOUT', {})
    equal(await boris.signaling!.closed, 'transport close')
    ok(boris.wire!.socket.connected)
    equal(
      ((await boris.tryAct('GET_CHANGES', { since: 0 })) as { error: { code: number } }).error.code,
      102,
    )
    boris.token = undefined
    const guest = await boris.auth()
    ok(guest.user.id > 0)
    await boris.isRefused('session_invalid', () => new TestUser(testApp, 'a thief', token).auth())
  },
)

story(
  'an ended login gets a transport close, and 102 when it comes back',
  async ({ testApp, boris }) => {
    await testApp.app.realtime.endLogin({ user_id: boris.id })
    equal(await boris.wire!.closed, 'transport close')
    equal(testApp.app.realtime.local.activeConnection(boris.id), undefined)
  },
)
