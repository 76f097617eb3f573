import { after, afterEach, before, describe, test } from 'node:test'
import { equal, match } from 'node:assert/strict'
import type { BrowserUser, Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({}, {}, { shop: true })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  describe(`invitations on a ${screen}`, () => {
    test('a girl opens her link from the navigation, and it says what she gets', async () => {
      const greta = await testApp.enterNew(`Greta ${screen}`, 'girl', screen, '--verified')
      if (screen === 'desktop') {
        await greta.page.getByRole('button', { name: 'Invite' }).press('Enter')
      } else {
        await greta.page.getByRole('link', { name: 'Me', exact: true }).click()
        await greta.page.getByRole('button', { name: 'Invite' }).click()
      }
      await greta.page.getByRole('dialog', { name: 'Invite and earn' }).waitFor()
      await greta.sees(greta.page.getByText('No one yet. Your link never expires.'))
      const link = await greta.page.getByLabel('Your personal link').inputValue()
      equal(new URL(link).searchParams.get('rc')?.length, 10)
      const folder = process.env.SHOTS
      if (folder) await greta.page.screenshot({ path: `${folder}/referral-${screen}.png` })
    })
  })

/** Fills in the form of registration, as a visitor does. */
async function registers(visitor: BrowserUser, nick: string, gender: 'Man' | 'Woman') {
  if (visitor.screen === 'phone') await visitor.presses('Log in')
  await visitor.presses(visitor.screen === 'phone' ? 'Create an account' : 'Create account')
  const dialog = visitor.page.getByRole('dialog', { name: 'Create your account' })
  await dialog.getByText(gender, { exact: true }).click()
  const fields = {
    Nickname: nick,
    Email: `${nick.toLowerCase()}@journey.example`,
    Password: 'meadow-lantern-7',
    Birthday: '1994-03-12',
  }
  for (const [label, text] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(text)
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await visitor.presses("Let's go")
}

async function readLink({ page }: BrowserUser): Promise<string> {
  await page.goto(`${testApp.origin}/profile/#invite`)
  return page.getByLabel('Your personal link').inputValue()
}

async function buysMinutes({ page }: BrowserUser): Promise<void> {
  await page
    .getByRole('button', { name: /Add minutes/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^15/ }).check({ force: true })
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('button', { name: /^Pay (?!with)/ }).click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Pay' }).click()
  await tab.getByRole('heading', { name: 'Paid. Thank you' }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
}

test('a guest comes by a link, registers and buys, and the inviter sees the guest and the held share', async () => {
  const hanna = await testApp.visit('/', 'desktop')
  await registers(hanna, 'Hanna', 'Woman')
  const link = await readLink(hanna)
  const { pathname, search } = new URL(link)
  const lukas = await testApp.visit(pathname + search, 'phone')
  await registers(lukas, 'Lukas', 'Man')
  await buysMinutes(lukas)
  await hanna.page.reload()
  const figure = (name: string) =>
    hanna.page.locator('dl > div', { hasText: name }).locator('dd').innerText()
  await hanna.sees(hanna.page.getByText('Purchase · On hold until'))
  for (const name of ['Came by it', 'Registered', 'Purchases']) equal(await figure(name), '1')
  // 15 % of 14.99 USD at 1250 coins for a dollar.
  match(await figure('On hold'), /^2\s810,62 coins/)
  match(await figure('Earned'), /^0 coins/)
  const [purchase, registration] = await hanna.page
    .getByRole('listitem')
    .filter({ hasText: 'Lukas' })
    .allInnerTexts()
  match(purchase ?? '', /Purchase · On hold until .+2\s810,62/s)
  match(registration ?? '', /Registered/)
})
