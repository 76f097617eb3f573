import { after, afterEach, before, describe, test } from 'node:test'
import { equal, notEqual, ok } from 'node:assert/strict'
import { closedCall, latestCall, settledExactly, fetchUnits } from './money/ledger.ts'
import { meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

/** Free seconds and grace are short here, so that a journey takes seconds; that they are what the settings say is told by the stories. */
const QUICK = {
  paid_after: '3',
  partner_grace: '4',
  search_grace: '0',
  rematch_minutes: '0',
  pair_free_start: '1000',
  free_starts_a_day: '1000',
}

before(async () => {
  testApp = await startBrowserTestApp(QUICK)
  await testApp.db.updateTable('free_quotas').set({ seconds: 0 }).execute()
})
afterEach(async () => {
  await testApp.empty()
  await testApp.set(QUICK)
})
after(() => testApp.close())

/** Users who have not met in this run; Next does not pair recent partners again. */
const trios: Record<Screen, string[]> = {
  desktop: ['Mira', 'Elif', 'Omar'],
  phone: ['Lena', 'Yuki', 'Tom'],
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`a call on a ${screen}`, () => {
    test('two people meet by search, see each other move, write both ways; the guy pays and the girl earns to the last unit', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      const beforeCall = {
        his: await fetchUnits(testApp, alex),
        hers: await fetchUnits(testApp, sofia),
      }
      await meet(sofia, alex)
      await alex.says('Is that rain I hear?')
      await sofia.reads('Is that rain I hear?')
      await sofia.says('It never stops in April')
      await alex.reads('It never stops in April')
      await Promise.all([alex.meterIs('paid'), sofia.meterIs('paid')])
      await until(
        'three paid seconds',
        async () => (await latestCall(testApp, alex)).paid_seconds >= 3,
      )
      await alex.presses('End the call')
      await alex.sees(alex.heading('You talked with Sofia'))
      const call = await closedCall(testApp, alex)
      equal(call.reason, 'left')
      await settledExactly(testApp, call, {
        his: (await fetchUnits(testApp, alex)) - beforeCall.his,
        hers: (await fetchUnits(testApp, sofia)) - beforeCall.hers,
      })
    })

    test('Next finds another person', async () => {
      const [first, second, guy] = await Promise.all(
        trios[screen].map((nick) => testApp.enter(nick, screen)),
      )
      await testApp.set({ rematch_minutes: '30' })
      await meet(first!, guy!)
      await second!.starts()
      await guy!.presses('Next')
      await Promise.all([guy!.saysHelloTo(second!.nick), second!.saysHelloTo(guy!.nick)])
      await Promise.all([guy!.isInCallWith(second!.nick), second!.isInCallWith(guy!.nick)])
      await first!.sees(first!.heading('Looking for someone to say hello to'))
    })

    test('while she covers her camera the meter stands still, and the guy is informed', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      await alex.meterIs('paid')
      await sofia.presses('Turn the camera off')
      await alex.meterIs('paused')
      await alex.sees(alex.page.getByText("You're not being charged", { exact: true }))
      const stopped = await latestCall(testApp, alex)
      equal(stopped.why, 'camera_off')
      await sofia.presses('Turn the camera off')
      await alex.meterIs('paid')
      await alex.seesMovingPicture()
      await alex.presses('End the call')
      const call = await closedCall(testApp, alex)
      ok(call.paid_seconds >= stopped.paid_seconds)
      notEqual((call.paused as unknown[]).length, 0)
    })
  })
}

/** The size of the screen changes nothing here. */
describe('a call on any screen', () => {
  const screen = 'desktop'

  test('a reload comes back into the same call, with everything that was said', async () => {
    // A slow machine may load the page for longer than the usual time of grace.
    await testApp.set({ partner_grace: '20' })
    const [sofia, alex] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enter('Alex', screen),
    ])
    await meet(sofia, alex)
    await sofia.says('You were about to tell me something')
    await alex.reads('You were about to tell me something')
    const { session_id } = await latestCall(testApp, alex)
    await alex.reloads()
    await Promise.all([alex.isInCallWith('Sofia'), sofia.isInCallWith('Alex')])
    await alex.seesText('You were about to tell me something')
    const call = await latestCall(testApp, alex)
    equal(call.session_id, session_id)
    equal(call.status, 'running')
  })

  test('closing the tab ends the call after the time of grace, and she looks on', async () => {
    const [sofia, alex] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enter('Alex', screen),
    ])
    await meet(sofia, alex)
    await alex.closesTab()
    await sofia.sees(sofia.page.getByText('Waiting for Alex to come back'))
    await sofia.sees(sofia.heading('Looking for someone to say hello to'))
    equal((await closedCall(testApp, alex)).reason, 'partner_lost')
  })

  test('a second tab takes the call over and gives it back; only one holds the camera', async () => {
    await testApp.set({ partner_grace: '10' })
    const [sofia, alex] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enter('Alex', screen),
    ])
    await meet(sofia, alex)
    const first = alex.page
    const second = await alex.opensSecondTab(testApp.origin)
    await alex.sees(alex.page.getByText('Duet is open elsewhere'))
    equal(await alex.hasCamera(), false)
    alex.looksAt(second)
    await alex.button('Go on here').click()
    await alex.isInCallWith('Sofia')
    alex.looksAt(first)
    await first.bringToFront()
    await alex.button('Use it here').click()
    await alex.isInCallWith('Sofia')
    await sofia.isInCallWith('Alex')
    alex.looksAt(second)
    await alex.sees(alex.page.getByText('Duet is open elsewhere'))
    equal((await latestCall(testApp, alex)).status, 'running')
  })

  test('without minutes no search starts, and more can be added at once', async () => {
    const paul = await testApp.enterNew(`Paul ${screen}`, 'guy', screen)
    await testApp.db
      .updateTable('free_quotas')
      .set({ seconds: 0 })
      .where('user_id', '=', paul.user_id)
      .execute()
    await paul.start_button.click()
    await paul.sees(paul.page.getByRole('dialog').getByRole('button', { name: /Add .*minutes/ }))
    await paul.page.keyboard.press('Escape')
    await paul.isIdle()
  })

  test('when the money ends the call ends, at the second that it paid for', async () => {
    const [sofia, tim] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enterNew(`Tim ${screen}`, 'guy', screen),
    ])
    await testApp.db
      .updateTable('free_quotas')
      .set({ seconds: 0 })
      .where('user_id', '=', tim.user_id)
      .execute()
    await testApp.duet('grant', String(tim.user_id), '0.1', 'diamond', '--reason', 'six seconds')
    await meet(sofia, tim)
    const call = await closedCall(testApp, tim)
    equal(call.reason, 'no_balance')
    equal(call.paid_seconds, 6)
    equal(await fetchUnits(testApp, tim), 0n)
    await tim.sees(tim.page.getByRole('dialog'))
  })
})
