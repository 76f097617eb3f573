import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { closedCall, latestCall } from './ledger.ts'
import { meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({
    search_grace: '0',
    rematch_minutes: '0',
    pair_free_start: '1000',
  })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  test(`on a ${screen} the running call is a card on other pages, comes back from it, and ends from the question that Back asks`, async () => {
    const [sofia, alex] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enter('Alex', screen),
    ])
    const card = () => alex.page.getByRole('complementary', { name: 'Your call with Sofia' })
    const leavesToCard = async () => {
      await alex.page.goBack()
      await alex.button('Keep it in the card').click()
      await alex.sees(card())
    }
    await meet(sofia, alex)
    const { session_id } = await latestCall(testApp, alex)

    await leavesToCard()
    equal(new URL(alex.page.url()).pathname, '/profile')
    await sofia.isInCallWith('Alex')
    await alex.page.goBack()
    await alex.isInCallWith('Sofia')
    equal(await card().count(), 0)

    await leavesToCard()
    await card().getByRole('button', { name: 'Return' }).click()
    await alex.isInCallWith('Sofia')

    await alex.page.goBack()
    await alex.button('Stay in the call').click()
    await alex.isInCallWith('Sofia')
    equal((await latestCall(testApp, alex)).status, 'running')

    await alex.page.goBack()
    await alex.page.getByRole('dialog').getByRole('button', { name: 'End the call' }).click()
    await alex.sees(alex.heading('You talked with Sofia'))
    const call = await closedCall(testApp, alex)
    equal(call.session_id, session_id)
    equal(call.reason, 'left')
  })
