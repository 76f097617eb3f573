import { after, afterEach, before, describe, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { closedCall } from './ledger.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({
    search_grace: '0',
    rematch_minutes: '0',
    pair_free_start: '1000',
    free_starts_a_day: '1000',
    paid_after: '600',
  })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`decisions about people on a ${screen}`, () => {
    test('a user who is banned in a call sees why in the place of every page, and goes on after the ban', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      const comment = 'You showed a recording.'
      const line = ['--reason', 'video_material', '--comment', comment]
      await testApp.duet('ban', String(alex.user_id), ...line)
      await alex.sees(alex.heading('Your account is banned'))
      await alex.sees(alex.page.getByText(comment))
      equal((await closedCall(testApp, alex)).reason, 'banned')
      await sofia.sees(sofia.heading('Alex had to go'))
      equal(await alex.page.getByRole('navigation').count(), 0)
      equal(await alex.hasCamera(), false)
      await alex.page.goto(`${testApp.origin}/messenger/`)
      await alex.sees(alex.heading('Your account is banned'))
      await testApp.duet('unban', String(alex.user_id), '--comment', 'It was live.')
      await alex.sees(alex.page.getByText('Your account is open again'))
      await alex.page.goto(`${testApp.origin}/profile/#decisions`)
      await alex.sees(alex.page.getByText(comment))
    })
  })
}
