import { deepEqual, equal, ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import type { FakeClock } from '@duet/testkit/fake-clock.ts'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { fetchOffer, withoutQuota } from '@duet/testkit/searching.ts'
import { story, TestApp } from '@duet/testkit/test-app.ts'
import { TestUser } from '@duet/testkit/test-user.ts'
import type { Module } from '../../../core/module.ts'
import { plusMs } from '../../../lib/clock.ts'
import { modules } from '../../../modules.ts'
import { ledgerCheck } from '../../ledger/index.ts'
import { registeredCall } from '../call-registry.ts'
import { dispatchEvent } from '../process.ts'

/** Another server process on the same database, at the same moment. */
async function beside(testApp: TestApp): Promise<TestApp> {
  const other = new TestApp(testApp.database, testApp.config, {})
  other.clock.sleep(testApp.clock.now())
  return other.open()
}

/** The page of this user reconnects to another server process: the same tab with the same token. */
function pageAt(testApp: TestApp, user: TestUser): TestUser {
  const page = new TestUser(testApp, user.name, user.token)
  page.tab_id = user.tab_id
  return page
}

async function fetchRow(testApp: TestApp, sessionId: number) {
  return testApp.app.db
    .selectFrom('video_sessions')
    .select(['status', 'reason', 'owner_id', 'closed_at', 'good_ms', 'version'])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
}

const slowStart = { delay_ms: 0 }
const slow: Module = {
  name: 'slow start',
  start: async (app) => (app.clock as FakeClock).sleep(plusMs(app.clock.now(), slowStart.delay_ms)),
}

story.with({ modules: [...modules, slow] })(
  'the grace time after a restart begins when the server listens, not when it reads the calls',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(6)
    slowStart.delay_ms = 60_000
    await testApp.crash()
    await testApp.advance('9 s')
    for (const one of [boris, anna]) {
      equal((await one.comeBack()).active_session?.id, call.session_id)
      await one.openSignal()
      one.signal('JOIN_SESSION', { session_id: call.session_id, session_guid: call.session_guid })
      await one.signalHeard('new_peer')
    }
    await call.report()
    await call.talk(4)
    const { reason, paused } = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    equal(reason, 'left')
    equal(paused.filter(({ why }) => why === 'server').length, 1)
  },
)

story('a restart takes as many statements for ten calls as for one', async ({ testApp }) => {
  const { guys, girls } = await enterCrowd(testApp, { guys: 10, girls: 10, minutes: 5 })
  let acquired = 0
  testApp.database.pool.on('acquire', () => (acquired += 1))
  const acquiredByRestart = async () => {
    const before = acquired
    await testApp.crash()
    await testApp.settle()
    return acquired - before
  }
  for (const [at, guy] of guys.slice(0, 1).entries())
    await inCall(testApp, { guy, girl: girls[at]! })
  const one = await acquiredByRestart()
  for (const person of [...guys, ...girls]) await person.comeBack()
  for (let at = 1; at < guys.length; at += 1) {
    const [guy, girl] = [guys[at]!, girls[at]!]
    for (const person of [guy, girl]) await person.openSignal()
    await inCall(testApp, { guy, girl })
  }
  equal(await acquiredByRestart(), one)
  const open = await testApp.app.db
    .selectFrom('video_sessions')
    .select('session_id')
    .where('status', '<>', 'closed')
    .execute()
  equal(open.length, 10)
  for (const { session_id } of open) ok(registeredCall(testApp.app, session_id))
})

story(
  'a second server process changes no call and no offer of one that is alive',
  async ({ testApp, boris, anna, carl, vera }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(4)
    const pair_id = await fetchOffer(carl, vera)
    const other = await beside(testApp)
    try {
      for (let seconds = 0; seconds < 8; seconds += 2) {
        await other.advance('2 s')
        await call.talk(2)
      }
      for (const one of [carl, vera]) await one.act('SEARCH_PAIR_ACCEPT', { pair_id })
      const { session } = await carl.heard('new_session')
      for (let seconds = 0; seconds < 20; seconds += 2) {
        await other.advance('2 s')
        await call.talk(2)
      }
      equal((await fetchRow(testApp, session.id)).reason, 'not_connected')
      const { reason, seconds, paused } = await boris.act('BREAK_SESSION', {
        session_id: call.session_id,
      })
      deepEqual([reason, seconds, paused], ['left', 32, []])
    } finally {
      await other.running.stop()
    }
  },
)

story(
  'in a rolling deploy a call goes on at the next server process as soon as the former one has ended',
  async ({ testApp, boris, anna }) => {
    await withoutQuota(testApp, boris)
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(30)
    const next = await beside(testApp)
    const [his, hers] = [pageAt(next, boris), pageAt(next, anna)]
    try {
      const { session_id, session_guid } = call
      // Asked to reconnect, his page is faster than the end of the former server process.
      equal((await his.auth()).active_session?.id, session_id)
      await his.openSignal()
      his.signal('JOIN_SESSION', { session_id, session_guid })
      await his.signalHeard('error_102')
      await testApp.running.stop()
      equal((await hers.auth()).active_session?.id, session_id)
      for (const one of [his, hers]) {
        await one.openSignal()
        one.signal('JOIN_SESSION', { session_id, session_guid })
        await one.signalHeard('new_peer', { session_guid })
      }
      const counts = { frames_decoded: 9000, frames_sent: 9000, reports_received: 9000 }
      const report = { session_id, session_guid, ...counts, audio: true, video: true }
      for (let at = 0; at < 5; at += 1) {
        for (const one of [his, hers])
          one.signal('PEER_STATE', { ...report, frames_decoded: 9000 + at, frames_sent: 9000 + at })
        await next.advance('2 s')
      }
      const { reason, paid_seconds, spent } = await his.act('BREAK_SESSION', { session_id })
      equal(reason, 'left')
      ok(paid_seconds >= 26 && paid_seconds <= 30, `${paid_seconds} paid`)
      equal(spent, String(Math.floor((paid_seconds * 10_000) / 60) / 10_000))
      ok((await ledgerCheck(next.app.db)).ok)
    } finally {
      for (const one of [his, hers]) await one.close()
      await next.running.stop()
    }
  },
)

story(
  'a user learns of no call of other users, also while another server process may own calls',
  async ({ testApp, boris, anna, carl }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const next = await beside(testApp)
    const page = pageAt(next, carl)
    try {
      equal((await page.auth()).active_session, undefined)
      await page.openSignal()
      page.signal('JOIN_SESSION', { session_id: call.session_id })
      await page.signalHeard('error_305')
      page.signal('JOIN_SESSION', { session_id: 999_999 })
      await page.signalHeard('error_305', {}, { times: 2 })
    } finally {
      await page.close()
      await next.running.stop()
    }
  },
)

story(
  'a call that another server process closed is never opened again by its former owner',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(4)
    const next = await beside(testApp)
    try {
      // The time of the former owner stands still: it renews no lease, and no page returns to the next owner.
      await next.advance('40 s')
      const closed = await fetchRow(next, call.session_id)
      deepEqual([closed.status, closed.reason], ['closed', 'server'])
      await dispatchEvent(testApp.app, call.session_id, {
        type: 'break_changed',
        on: true,
      }).catch(() => {})
      await dispatchEvent(testApp.app, call.session_id, { type: 'left', side: 'guy' }).catch(
        () => {},
      )
      deepEqual(await fetchRow(next, call.session_id), closed)
      equal(registeredCall(testApp.app, call.session_id), undefined)
    } finally {
      await next.running.stop()
    }
  },
)
