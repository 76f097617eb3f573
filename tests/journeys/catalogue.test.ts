import { after, afterEach, before, test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import { latestCall } from './money/ledger.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import type { Locator } from 'playwright-core'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('on a phone a visitor sees who is online and logs in at a press, and a guy searches, filters, calls from a card and talks', async () => {
  const [sofia, alex] = await Promise.all([
    testApp.enter('Sofia', 'phone'),
    testApp.enter('Alex', 'phone'),
  ])
  const visitor = await testApp.visit('/girls/', 'phone')
  const card = (nick: string) => visitor.page.getByRole('link', { name: new RegExp(`^${nick}`) })
  await visitor.sees(card('Sofia'))
  equal(await visitor.page.getByRole('listitem').count(), 1)
  // The page follows who leaves and who comes, without a reload.
  const lena = await testApp.enter('Lena', 'phone')
  await visitor.sees(visitor.button(/^Online 2$/))
  await lena.page.close()
  await visitor.sees(visitor.button(/^Online 1$/))
  await visitor.button('Recommended').click()
  await visitor.sees(visitor.page.getByText('Because she speaks English').first())
  await visitor.button(/^Online \d/).click()
  await visitor.button('Call Sofia').click()
  await visitor.sees(visitor.page.getByRole('dialog').getByLabel('Email'))
  await visitor.page.close()

  const { page } = alex
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Girls' }).click()
  await alex.sees(alex.heading('Girls'))
  await alex.button('Filter').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('searchbox').fill('no such name')
  await sheet.getByRole('button', { name: 'Show' }).click()
  await alex.sees(page.getByText('No one by that name'))
  await alex.button('Clear').click()
  await alex.button('Filter').click()
  await sheet.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await sheet.getByRole('searchbox').fill('sof')
  await sheet.getByRole('button', { name: 'Show' }).click()
  await alex.sees(page.getByRole('link', { name: /^Sofia/ }))
  await until(
    'her card alone is shown',
    async () => (await page.getByRole('link', { name: /open her profile/ }).count()) === 1,
  )
  await alex.shot('catalogue-phone')
  // A long press opens the other actions, and so does the menu key of a keyboard.
  const herCard = page.getByRole('link', { name: /^Sofia/ })
  const menu = page.getByRole('menu')
  const end = await longPress(alex, herCard)
  await menu.getByRole('menuitem', { name: 'Add to favourites' }).waitFor()
  await alex.shot('catalogue-menu-phone')
  await end()
  await menu.getByRole('menuitem', { name: 'Add to favourites' }).click()
  await herCard.focus()
  await page.keyboard.press('ContextMenu')
  await menu.getByRole('menuitem', { name: 'Remove from favourites' }).waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  await alex.button('Call Sofia').click()
  await sofia.page.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click()
  await Promise.all([sofia.isInCallWith('Alex'), alex.isInCallWith('Sofia')])
  equal((await latestCall(testApp, alex)).state, 'private')
})

/** A finger on the middle of an element. The answer lifts the finger. */
async function longPress({ page }: BrowserUser, target: Locator): Promise<() => Promise<unknown>> {
  const { x, y, width, height } = (await target.boundingBox())!
  const touch = await page.context().newCDPSession(page)
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  return () => touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('on narrow phones the actions of guests stay inside their cards', async () => {
  const [greta] = await Promise.all([
    testApp.enterNew('Greta', 'girl', 'phone', '--verified', '--avatar', 'demo'),
    testApp.enter('Alex', 'phone'),
  ])
  const { page } = greta
  await page.goto(new URL('/girls/', page.url()).href)
  await greta.sees(greta.button('Invite Alex'))
  const measure = () =>
    page.evaluate(() => {
      const card = document.querySelector('main li')!
      const { left, right } = card.getBoundingClientRect()
      const shown = [...card.querySelectorAll('button')]
        .map((button) => button.getBoundingClientRect())
        .filter(({ width }) => width > 0)
      return {
        shown: shown.length,
        outside: shown.filter((one) => one.left < left || one.right > right).length,
        sideways: document.documentElement.scrollWidth > innerWidth,
      }
    })
  for (const [width, shown] of [
    [390, 3],
    [360, 2],
    [320, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    deepEqual({ width, ...(await measure()) }, { width, shown, outside: 0, sideways: false })
  }
})
