import { after, afterEach, before, describe, test } from 'node:test'
import { equal } from 'node:assert/strict'
import type { Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  describe(`invitations on a ${screen}`, () => {
    test('a girl opens her link from her menu, and it says what she gets', async () => {
      const greta = await testApp.enterNew(`Greta ${screen}`, 'girl', screen, '--verified')
      if (screen === 'desktop') {
        await greta.page.getByRole('button', { name: /menu/i }).first().click()
        await greta.page.getByRole('menuitem', { name: 'Invite and earn' }).click()
      } else {
        // The list of the own page on a phone leads to the same.
        await greta.page.goto(`${testApp.origin}/profile/#invite`)
      }
      await greta.sees(greta.page.getByText('No one yet. Your link never expires.'))
      const link = await greta.page.getByLabel('Your personal link').inputValue()
      equal(new URL(link).searchParams.get('rc')?.length, 10)
      const folder = process.env.SHOTS
      if (folder) await greta.page.screenshot({ path: `${folder}/referral-${screen}.png` })
    })
  })
