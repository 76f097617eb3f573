import { deepEqual, equal } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { withoutQuota } from '@duet/testkit/searching.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

/** A new call of two who may have had one before. */
async function nextCall(testApp: TestApp, guy: TestUser, girl: TestUser) {
  guy.forget()
  girl.forget()
  const call = await inCall(testApp, { guy, girl, free_start: false })
  await call.connect()
  return call
}

/** The guy claims to see nothing while the girl's page proves that he receives. */
async function denyUntilEnd(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<void> {
  const call = await nextCall(testApp, guy, girl)
  await call.talk(2)
  for (let times = 0; times < 6; times += 1) {
    await testApp.advance('2 s')
    await call.report({ guy: { frames: 0 } })
  }
  const { session_id } = call
  const { paid_seconds } = await guy.heard('close_session', { session_id, reason: 'media_lost' })
  equal(paid_seconds, 2)
}

async function paidWhileDenying(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<number> {
  const call = await nextCall(testApp, guy, girl)
  for (let times = 0; times < 4; times += 1) {
    await testApp.advance('2 s')
    await call.report({ guy: { frames: 0 } })
  }
  return (await girl.act('BREAK_SESSION', { session_id: call.session_id })).paid_seconds
}

async function flags(testApp: TestApp) {
  return (await testApp.duet('flags')) as Record<string, unknown>[]
}

story(
  'after a guy denies the video of several partners his reports do not count for a day, and the operator sees it',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.setting('contradiction_partners', '2')
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    await withoutQuota(testApp, boris)
    await denyUntilEnd(testApp, boris, anna)
    await denyUntilEnd(testApp, boris, anna)
    deepEqual(
      (await flags(testApp)).map(({ user_id, contradictions, partners, untrusted_until }) => ({
        user_id,
        contradictions,
        partners,
        untrusted_until,
      })),
      [{ user_id: boris.id, contradictions: 2, partners: 1, untrusted_until: null }],
    )
    equal(await paidWhileDenying(testApp, boris, vera), 0)
    await denyUntilEnd(testApp, boris, vera)
    const [flagged] = await flags(testApp)
    const untilMs = testApp.app.clock.now().epochMilliseconds + 86_400_000
    equal(Math.abs(Date.parse(String(flagged!.untrusted_until)) - untilMs) < 60_000, true)
    equal(await paidWhileDenying(testApp, boris, anna), 8)
    // The flags are made a day older in the database: advancing the clock by a day would run every timer of that day.
    await testApp.database.pool.query(
      "update call_flags set at = at - interval '1 day', until = until - interval '1 day'",
    )
    equal(await paidWhileDenying(testApp, boris, anna), 0)
  },
)

/** The socket of the guy is lost three times for four seconds, and she waits. */
async function loseSocketOften(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<void> {
  const { session_id, talk, report } = await nextCall(testApp, guy, girl)
  await talk(4)
  for (let times = 0; times < 3; times += 1) {
    guy.signaling!.drop()
    await testApp.settle()
    await testApp.advance('4 s')
    await guy.openSignal()
    guy.signal('JOIN_SESSION', { session_id })
    await report()
  }
  await girl.act('BREAK_SESSION', { session_id })
}

story(
  'a guy who loses his socket again and again in calls with several partners is listed, and loses nothing else',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.setting('contradiction_partners', '2')
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    await withoutQuota(testApp, boris)
    await loseSocketOften(testApp, boris, anna)
    await loseSocketOften(testApp, boris, anna)
    deepEqual(await flags(testApp), [])
    await loseSocketOften(testApp, boris, vera)
    await loseSocketOften(testApp, boris, vera)
    const [flagged] = await flags(testApp)
    deepEqual(
      [flagged!.user_id, flagged!.losses, flagged!.partners, flagged!.untrusted_until],
      [boris.id, 4, 2, null],
    )
    const rows = await testApp.app.db
      .selectFrom('call_flags')
      .select('id')
      .where('about', '=', 'repeated_losses')
      .execute()
    equal(rows.length, 1, 'one flag a day')
  },
)

/** Her page connects, sends its camera and sees it confirmed; his page says once that it sees nothing. */
async function recordUntilEnd(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<void> {
  guy.forget()
  girl.forget()
  const { session_id, report } = await inCall(testApp, { guy, girl, free_start: false })
  await report({ guy: { frames: 0 }, girl: { frames: 60 } })
  for (let times = 0; times < 4; times += 1) {
    await testApp.advance('4 s')
    await report({ guy: { silent: true } })
  }
  await guy.heard('close_session', { session_id, reason: 'not_connected' })
}

story(
  'a guy who received the cameras of several girls and never said that he is connected does not search for a day',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.setting('contradiction_partners', '2')
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    await recordUntilEnd(testApp, boris, anna)
    await recordUntilEnd(testApp, boris, anna)
    equal(
      (await boris.act('MATCH_AWAIT', {})).state,
      'waiting',
      'one girl alone cannot cause the pause',
    )
    await boris.act('OUT_FROM_SEARCH', {})
    await recordUntilEnd(testApp, boris, vera)
    const paused = await boris.act('MATCH_AWAIT', {})
    deepEqual([paused.state, paused.reason], ['paused', 'not_connected'])
    const hours =
      (Date.parse(paused.until!) - testApp.app.clock.now().epochMilliseconds) / 3_600_000
    equal(Math.round(hours), 24)
  },
)

story(
  'a guy who reaches the pages of girls and then sends nothing at all is flagged and not put back into search',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    const { session_id, session_guid } = await inCall(testApp, { guy: boris, girl: anna })
    boris.signal('WEBRTC_SIGNAL', { session_id, session_guid, type_signal: 'reached', data: null })
    await anna.signalHeard('peer_signal', { type_signal: 'reached' })
    await testApp.settle()
    await testApp.advance('16 s')
    await boris.heard('close_session', { session_id, reason: 'not_connected' })
    const flagged = await testApp.app.db
      .selectFrom('call_flags')
      .select(['user_id', 'about'])
      .where('session_id', '=', session_id)
      .execute()
    deepEqual(flagged, [{ user_id: boris.id, about: 'never_reported' }])
  },
)
