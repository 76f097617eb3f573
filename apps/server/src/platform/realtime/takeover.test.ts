import { deepEqual, equal, ok } from 'node:assert/strict'
import { Actor } from '../../../test/actor.ts'
import { story, together } from '../../../test/stage.ts'
import type { LineChange } from './realtime.ts'

function listening(stage: { app: { realtime: { onLine(hear: (change: LineChange) => void): () => void } } }): string[] {
  const said: string[] = []
  stage.app.realtime.onLine(({ what, state, why }) => said.push(`${what} ${state} ${why}`))
  return said
}

story('the same tab coming back replaces its old socket, which sees a transport close', async ({ stage, boris }) => {
  const said = listening(stage)
  const old = boris.wire!
  await boris.comeBack()
  equal(await old.closed, 'transport close')
  await stage.settle()
  deepEqual(said, ['main up same_tab'])
  equal(stage.app.realtime.line(boris.id)?.main, true)
})

story('another tab takes over: the older one is told not to come back', async ({ stage, boris }) => {
  await boris.openSignal()
  const said = listening(stage)
  const other = await boris.inAnotherTab()
  equal(await boris.wire!.closed, 'io server disconnect')
  equal(await boris.signalling!.closed, 'io server disconnect')
  await stage.settle()
  deepEqual(said, ['signal down takeover', 'main down takeover', 'main up takeover'])
  deepEqual(stage.app.realtime.line(boris.id), {
    user_id: boris.id,
    login_id: stage.app.realtime.line(boris.id)!.login_id,
    tab_id: other.tab_id,
    main: true,
    signal: false,
  })
})

story('of two hundred parallel takeovers one socket stays, and no old cleanup removes it', async ({ stage, boris }) => {
  const tabs = await together(200, async (index) => {
    const tab = new Actor(stage, `tab ${index}`, boris.token)
    await tab.connect()
    return tab
  })
  await Promise.all(
    tabs.map((tab, index) => (index % 3 === 0 ? tab.auth().then(() => tab.wire!.drop()) : tab.auth()).catch(() => {})),
  )
  await stage.settle()
  const open = tabs.filter((tab) => tab.wire!.socket.connected)
  ok(open.length <= 1, `${open.length} sockets are open`)
  equal(stage.app.realtime.line(boris.id)?.tab_id, open[0]?.tab_id)
  const last = await boris.inAnotherTab()
  await stage.settle()
  equal(stage.app.realtime.line(boris.id)?.tab_id, last.tab_id)
  await last.act('SUBSCRIBE', { user_ids: [] })
  for (const tab of tabs) tab.wire!.close()
})

story('a lost socket ends the line, an open one keeps it', async ({ stage, boris }) => {
  const said = listening(stage)
  await boris.drop()
  equal(stage.app.realtime.line(boris.id), undefined)
  deepEqual(said, ['main down closed'])
})

story('after LOGOUT the socket stays for the next AUTH, and the call tokens are dead', async ({ stage, boris }) => {
  const { token } = boris
  await boris.openSignal()
  await boris.act('LOGOUT', {})
  equal(await boris.signalling!.closed, 'transport close')
  ok(boris.wire!.socket.connected)
  equal(((await boris.tryAct('GET_CHANGES', { since: 0 })) as { error: { code: number } }).error.code, 102)
  boris.token = undefined
  const guest = await boris.auth()
  ok(guest.user.id > 0)
  await boris.isRefused('session_invalid', () => new Actor(stage, 'a thief', token).auth())
})

story('an ended login is told by a transport close and meets 102 when it comes back', async ({ stage, boris }) => {
  await stage.app.realtime.endLogin({ user_id: boris.id })
  equal(await boris.wire!.closed, 'transport close')
  equal(stage.app.realtime.line(boris.id), undefined)
})
