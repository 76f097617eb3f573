import { after, afterEach, before, test } from 'node:test'
import { equal, match, ok } from 'node:assert/strict'
import { closedCall, latestCall } from './money/ledger.ts'
import { meet, type BrowserUser, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ ring_again: '0', rings_an_hour: '100' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

async function opensGirlPage(he: BrowserUser, nick: string): Promise<void> {
  const { ref_code } = await testApp.db
    .selectFrom('users')
    .select('ref_code')
    .where('nick', '=', nick)
    .executeTakeFirstOrThrow()
  await he.page.goto(`${testApp.origin}/girl/${ref_code}`)
  await he.sees(he.heading(new RegExp(`^${nick}`)))
}

const rings = (she: BrowserUser, nick: string) =>
  she.page.getByRole('alertdialog', { name: new RegExp(`^${nick}.* is calling you$`) })
/** The dialog takes keys once the user has typed nothing for a while. */
const takesKey = (she: BrowserUser, key: string) =>
  she.page.locator(`[aria-keyshortcuts="${key}"]`).waitFor()
const calling = (he: BrowserUser, nick: string) =>
  he.page.getByRole('dialog', { name: new RegExp(`^Calling ${nick}`) })

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  test(`on a ${screen} a guy calls from her page, she accepts by the keyboard on another page, and both talk in private`, async () => {
    const [sofia, alex] = await Promise.all([
      testApp.enter('Sofia', screen),
      testApp.enter('Alex', screen),
    ])
    await sofia.page.goto(`${testApp.origin}/profile/`)
    await opensGirlPage(alex, 'Sofia')
    await alex.button('Call Sofia').click()
    await alex.sees(calling(alex, 'Sofia'))
    await alex.sees(alex.page.getByText(/1[.,]5\d? a minute/).first())
    await sofia.sees(rings(sofia, 'Alex'))
    await sofia.sees(sofia.page.getByText(/125 a minute/).first())
    await sofia.page.waitForFunction(() => document.title === 'Alex is calling you')
    await sofia.shot(`ringing-${screen}`)
    await alex.shot(`calling-${screen}`)
    await takesKey(sofia, 'Enter')
    await sofia.page.keyboard.press('Enter')
    await Promise.all([sofia.isInCallWith('Alex'), alex.isInCallWith('Sofia')])
    await sofia.seesNo(rings(sofia, 'Alex'))
    const call = await latestCall(testApp, alex)
    equal(call.state, 'private')
    await alex.wakesControls()
    await alex.seesNo(alex.button('Next'))
    await alex.shot(`direct-call-${screen}`)
    await alex.presses('End the call')
    await alex.sees(alex.heading('You talked with Sofia'))
    const { session_id, reason } = await closedCall(testApp, alex)
    equal(session_id, call.session_id)
    equal(reason, 'left')
    await alex.sees(alex.button(/Call Sofia/))
    await alex.shot(`direct-receipt-${screen}`)
  })

test('a declined and a cancelled call end at both with a sentence, and a missed one waits in messages and notices', async () => {
  const [sofia, alex] = await Promise.all([
    testApp.enter('Sofia', 'phone'),
    testApp.enter('Alex', 'phone'),
  ])
  const missedCalls = async () =>
    (
      await testApp.db
        .selectFrom('notices')
        .select('id')
        .where('user_id', '=', sofia.user_id)
        .where('kind', '=', 'missed_call')
        .execute()
    ).length
  const earlier = await missedCalls()
  await opensGirlPage(alex, 'Sofia')
  const call = async () => {
    await alex.button('Call Sofia').click()
    await sofia.sees(rings(sofia, 'Alex'))
  }
  await call()
  await takesKey(sofia, 'Escape')
  await sofia.page.keyboard.press('Escape')
  await alex.sees(alex.heading("Sofia can't talk right now"))
  await sofia.seesNo(rings(sofia, 'Alex'))
  await alex.shot('call-declined')
  await alex.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await call()
  await alex.button(/^Cancel the call/).click()
  await rings(sofia, 'Alex').waitFor({ state: 'hidden' })
  await calling(alex, 'Sofia').waitFor({ state: 'hidden' })

  await call()
  testApp.clock.leap({ seconds: 30 })
  await alex.sees(alex.heading("Sofia didn't answer"))
  await rings(sofia, 'Alex').waitFor({ state: 'hidden' })
  await sofia.page.waitForFunction(() => !document.title.includes('calling'))
  await sofia.page.goto(`${testApp.origin}/messenger/`)
  await sofia.sees(sofia.page.getByText(/missed call/i).first())
  await sofia.shot('missed-call')
  // The call without an answer. A call that its caller cancels within five seconds is not missed.
  equal((await missedCalls()) - earlier, 1)
})

test('a call that rings in a public call leaves End usable, and ends the public call when she accepts', async () => {
  const [sofia, alex, omar] = await Promise.all([
    testApp.enter('Sofia', 'phone'),
    testApp.enter('Alex'),
    testApp.enter('Omar'),
  ])
  await opensGirlPage(omar, 'Sofia')
  await meet(sofia, alex)
  await omar.button('Call Sofia').click()
  const card = sofia.page.getByRole('region', { name: /^Omar.* is calling you$/ })
  await sofia.sees(card)
  await sofia.shot('ringing-in-call')
  // A click that another element would receive fails here.
  await sofia.button(/^End/).click({ trial: true })
  await card.getByRole('button', { name: 'Accept' }).click()
  await Promise.all([sofia.isInCallWith('Omar'), omar.isInCallWith('Sofia')])
})

test('a girl switches calls off in her studio, and a guy is told so before and at the press', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  await sofia.page.getByRole('switch', { name: /^Available for calls/ }).click()
  await sofia.shot('studio')
  await until('the switch is stored', async () => {
    const row = await testApp.db
      .selectFrom('users')
      .select('available')
      .where('id', '=', sofia.user_id)
      .executeTakeFirstOrThrow()
    return row.available === false
  })
  await opensGirlPage(alex, 'Sofia')
  const button = alex.button('Sofia takes no calls right now')
  await alex.sees(button)
  match(String(await button.getAttribute('aria-disabled')), /true/)
  await button.click({ force: true })
  await alex.sees(alex.page.getByText('Sofia takes no calls right now').first())
  ok(!(await rings(sofia, 'Alex').isVisible()))
})
