import { after, afterEach, before, test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import { closedCall, latestCall } from './money/ledger.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a date from her open hours over asking and accepting to the call at its time, paid from what was reserved', async () => {
  const [sofia, alex] = await Promise.all([
    testApp.enter('Sofia', 'desktop'),
    testApp.enter('Alex', 'phone'),
  ])
  await sofia.page.goto(`${testApp.origin}/virtualdate/`)
  await sofia.sees(sofia.heading('Your open hours'))
  const cells = sofia.page.locator('[data-cell]')
  await cells.first().waitFor()
  // The whole week by the keyboard: the clock of the machine is unknown.
  for (let cell = 0; cell < 168; cell += 1)
    if ((await cells.nth(cell).getAttribute('aria-pressed')) === 'false')
      await cells.nth(cell).dispatchEvent('click')
  await sofia.sees(sofia.page.getByText('168 open hours a week'))
  await sofia.button('Save open hours').click()
  await sofia.reads('Your open hours are saved')

  const { ref_code } = await testApp.db
    .selectFrom('users')
    .select('ref_code')
    .where('nick', '=', 'Sofia')
    .executeTakeFirstOrThrow()
  await alex.page.goto(`${testApp.origin}/girl/${ref_code}`)
  await alex.button('Add to favourites').click()
  await alex.page.getByRole('link', { name: 'Ask for a date' }).click()
  await alex.sees(alex.heading('Ask for a date'))
  // Late in the evening the first day has one time left or none: the second day has all of them.
  const times = alex.page.getByRole('group', { name: /^Open times/ }).getByRole('button')
  await times.first().focus()
  await alex.page.keyboard.press('ArrowRight')
  await alex.page.keyboard.press('ArrowDown')
  await alex.page.keyboard.press('Enter')
  await alex.sees(alex.page.locator('[data-start][aria-pressed=true]'))
  await alex.shot('date-week')
  await alex.shot('date-asking')
  await alex.button('Ask for a date').click()
  await alex.sees(alex.page.getByText('Asked', { exact: true }))
  await sofia.button('Accept').click()
  await alex.sees(alex.page.getByText('Agreed', { exact: true }))
  await alex.sees(alex.page.getByText(/^Begins in/))
  await alex.shot('date-agreed')
  equal(await alex.button('Start your date').count(), 0)

  const { at } = await testApp.db.selectFrom('virtual_dates').select('at').executeTakeFirstOrThrow()
  const left = at.epochMilliseconds - testApp.clock.now().epochMilliseconds
  testApp.clock.leap({ milliseconds: left + 1000 })
  await alex.button('Start your date').click()
  await alex.sees(alex.page.getByText(/We're waiting for Sofia/))
  await sofia.sees(sofia.page.getByText(/Alex is here and waits for you/).first())
  await sofia.shot('date-time')
  await sofia.button('Start your date').click()
  await Promise.all([sofia.isInCallWith('Alex'), alex.isInCallWith('Sofia')])
  const call = await latestCall(testApp, alex)
  equal(call.state, 'private')
  await alex.wakesControls()
  await alex.presses('End the call')
  await alex.sees(alex.heading('You talked with Sofia'))
  const closed = await closedCall(testApp, alex)
  equal(closed.session_id, call.session_id)
  const date = await testApp.db
    .selectFrom('virtual_dates')
    .select(['state', 'session_id'])
    .executeTakeFirstOrThrow()
  equal(date.state, 'done')
  equal(date.session_id, call.session_id)
})

test('hours that she saved on her phone are shown on her computer, and not overwritten', async () => {
  const cell = ({ page }: BrowserUser, number: number) => page.locator(`[data-cell="${number}"]`)
  const isOpen = (user: BrowserUser, number: number) =>
    cell(user, number).getAttribute('aria-pressed')
  const change = async (user: BrowserUser, number: number) => {
    await user.page.goto(`${testApp.origin}/virtualdate/`)
    await cell(user, number).click()
  }
  const computer = await testApp.enter('Sofia', 'desktop')
  await change(computer, 1)
  const chosen = await isOpen(computer, 1)
  const phone = await testApp.enter('Sofia', 'phone')
  await change(phone, 30)
  await phone.button('Save open hours').click()
  await phone.reads('Your open hours are saved')
  const saved = await isOpen(phone, 31)

  await computer.button('Use it here').click()
  await computer.button('Save open hours').click()
  await computer.sees(computer.page.getByText(/changed elsewhere/))
  equal(await isOpen(computer, 1), chosen)
  await computer.shot('hours-elsewhere')
  await computer.button('Keep my choice').click()
  await computer.button('Save open hours').click()
  await computer.reads('Your open hours are saved')

  await phone.button('Use it here').click()
  await cell(phone, 31).click()
  await phone.button('Save open hours').click()
  await phone.sees(phone.page.getByText(/changed elsewhere/))
  await phone.shot('hours-elsewhere-phone')
  await phone.button('Use the saved hours').click()
  deepEqual([await isOpen(phone, 1), await isOpen(phone, 31)], [chosen, saved])
})
