import { after, afterEach, before, describe, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { closedCall, latestCall } from './ledger.ts'
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
  })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`what two people agree on in a call on a ${screen}`, () => {
    test('one asks to go private, the other agrees, and both see that the call is private', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      await alex.presses('Ask to go private')
      await alex.sees(alex.page.getByText("Waiting for Sofia's answer"))
      await sofia.sees(sofia.heading('Continue in private?'))
      await sofia.presses(/^Go private$/)
      for (const user of [sofia, alex]) {
        await user.wakesControls()
        await user.sees(user.page.getByText(/^Private call/))
        equal(await user.button('Ask to go private').count(), 0)
      }
      const call = await latestCall(testApp, alex)
      equal(call.state, 'private')
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
  })
}
