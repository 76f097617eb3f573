import { after, afterEach, before, describe, test } from 'node:test'
import { equal, match } from 'node:assert/strict'
import { type BrowserUser, meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { latestCall } from './ledger.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp(
    { discount_enabled: 'on', partner_grace: '10', free_quota: '0' },
    {},
    { shop: true },
  )
})
afterEach(() => testApp.empty())
after(() => testApp.close())

/** Opens the shop from the wallet, chooses a pack and presses Pay. Returns the tab of the provider. */
async function beginsToPay(guy: BrowserUser, pack: RegExp) {
  const dialog = guy.page.getByRole('dialog')
  await dialog.getByRole('radio', { name: pack }).check({ force: true })
  const opened = guy.page.context().waitForEvent('page')
  await dialog.getByRole('button', { name: /^Pay (?!with)/ }).click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Pay' }).waitFor()
  return tab
}

async function opensShop(guy: BrowserUser): Promise<void> {
  await guy.page
    .getByRole('button', { name: /Add minutes/ })
    .first()
    .click()
  await guy.sees(guy.page.getByRole('dialog').getByText('Pay with'))
}

/** The chosen method is in view beside the button, and on a phone a press leads to the other methods. */
async function seesMethod(person: BrowserUser): Promise<void> {
  const { page, screen } = person
  const dialog = page.getByRole('dialog')
  const isInView = async (name: string | RegExp) => {
    const box = await dialog.getByText(name).last().boundingBox()
    const footer = await dialog
      .getByRole('button', { name: /^(Pay|Choose)/ })
      .last()
      .boundingBox()
    return box !== null && footer !== null && box.y + box.height <= footer.y
  }
  if (screen === 'phone') {
    const chosen = dialog.getByRole('button', { name: 'Pay with Card' })
    equal(await isInView('Pay with Card'), true)
    await chosen.click()
  }
  await shot(person, `shop-methods-${screen}`)
  equal(await isInView('Paysafecard'), true)
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`the shop on a ${screen}`, () => {
    test('a guy buys minutes, has Premium, and finds the purchase with its receipt', async () => {
      const paul = await testApp.enterNew(`Paul ${screen}`, 'guy', screen)
      await opensShop(paul)
      await shot(paul, `shop-${screen}`)
      await seesMethod(paul)
      const tab = await beginsToPay(paul, /^45/)
      await paul.sees(paul.heading('Waiting for your bank'))
      await shot(paul, `shop-waiting-${screen}`)
      match(await tab.locator('body').innerText(), /39\.99 USD/)
      await tab.getByRole('button', { name: 'Pay' }).click()
      await tab.getByRole('heading', { name: 'Paid. Thank you' }).waitFor()
      await tab.close()
      await paul.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await paul.sees(paul.page.getByText('50', { exact: true }))
      await paul.page.goto(`${testApp.origin}/purchases/`)
      await paul.sees(paul.page.getByText('Your own limits'))
      await shot(paul, `purchases-${screen}`)
      await paul.page.getByRole('link', { name: /50 minutes/ }).click()
      const saved = paul.page.waitForEvent('download')
      await paul.page.getByRole('button', { name: 'Save as PDF' }).click()
      match((await saved).suggestedFilename(), /^duet-receipt-\d+\.pdf$/)
      await shot(paul, `purchase-${screen}`)
    })

    test('a declined payment keeps the choice and says the next step', async () => {
      const rene = await testApp.enterNew(`Rene ${screen}`, 'guy', screen)
      await opensShop(rene)
      const tab = await beginsToPay(rene, /^15/)
      await tab.getByRole('button', { name: 'Decline' }).click()
      await tab.getByText('Waiting for your bank').first().waitFor()
      await tab.close()
      await rene.presses('Cancel')
      const dialog = rene.page.getByRole('dialog')
      equal(await dialog.getByRole('radio', { name: /^15/ }).isChecked(), true)
      await shot(rene, `shop-again-${screen}`)
    })
  })
}

test('a guy pays in the frame of a provider, on a page beside the application', async () => {
  const oskar = await testApp.enterNew('Oskar', 'guy')
  await opensShop(oskar)
  const dialog = oskar.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'More' }).click()
  await dialog.getByRole('radio', { name: 'CloudPayments' }).check({ force: true })
  await dialog.getByRole('radio', { name: /^15/ }).check({ force: true })
  const opened = oskar.page.context().waitForEvent('page')
  await dialog.getByRole('button', { name: /^Pay (?!with)/ }).click()
  const tab = await opened
  await tab.frameLocator('iframe').getByRole('button', { name: 'Pay' }).click()
  await tab.getByRole('heading', { name: 'Paid. Thank you' }).waitFor()
  match(tab.url(), /\/payment\/return\?/)
  await tab.close()
  await dialog.waitFor({ state: 'hidden' })
  await oskar.sees(oskar.page.getByText('15', { exact: true }))
})

test('a guy whose minutes run out refills during the call and keeps his partner', async () => {
  const [sofia, theo] = await Promise.all([testApp.enter('Sofia'), testApp.enterNew('Theo', 'guy')])
  await testApp.duet('grant', String(theo.user_id), '1', 'diamond', '--reason', 'journey')
  await meet(sofia, theo)
  await theo.meterIs('paid')
  await theo.sees(theo.page.getByText('1 minute left'))
  await theo.page.getByRole('button', { name: 'Add minutes' }).last().click()
  await shot(theo, 'shop-in-call')
  const tab = await beginsToPay(theo, /^15/)
  await tab.getByRole('button', { name: 'Pay' }).click()
  await tab.getByRole('heading', { name: 'Paid. Thank you' }).waitFor()
  await tab.close()
  await theo.isInCallWith('Sofia')
  // The meter counts from the new balance.
  await theo.page.getByText('1 minute left').waitFor({ state: 'hidden' })
  equal((await latestCall(testApp, theo)).status, 'running')
})

async function shot({ page }: BrowserUser, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
