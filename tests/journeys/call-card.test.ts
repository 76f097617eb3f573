import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sendMessage } from '@duet/server/modules/messenger/index.ts'
import { closedCall, latestCall } from './money/ledger.ts'
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
    await alex.seesNo(card())

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

/** Another girl of the cast writes to the guy, in a dialog that both have. */
async function writeTo(guy_id: number, except: number): Promise<void> {
  const { id, girl_id } = await testApp.db
    .selectFrom('dialogs')
    .select(['id', 'girl_id'])
    .where('guy_id', '=', guy_id)
    .where('girl_id', '!=', except)
    .where('guy_wrote', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const sent = { dialogId: id, message: 'Are you there?', random_id: crypto.randomUUID() }
  await sendMessage(testApp.running.app, { id: girl_id }, { ...sent, type: 'text' })
}

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  test(`on a ${screen} the message that arrives in a call opens from its notice, and the call comes back from its card`, async () => {
    const [sofia, alex] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enter('Alex', screen),
    ])
    await meet(sofia, alex)
    await writeTo(alex.user_id, sofia.user_id)
    await alex.button('Open').click()
    const card = alex.page.getByRole('complementary', { name: 'Your call with Sofia' })
    await alex.sees(card)
    await alex.sees(alex.page.locator('[data-composer]').or(alex.page.getByRole('textbox')))
    equal(/^\/messenger\/\d+/.test(new URL(alex.page.url()).pathname), true)
    await card.getByRole('button', { name: 'Return' }).click()
    await alex.isInCallWith('Sofia')
    equal(new URL(alex.page.url()).pathname, '/')
    await alex.presses('End the call')
    await closedCall(testApp, alex)
  })
