import { after, afterEach, before, test } from 'node:test'
import { meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ free_quota: '0' }, {}, { shop: true })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  test(`in a call on a ${screen} a guy gives a gift, and is offered minutes for a dearer one`, async () => {
    const sofia = await testApp.enter('Sofia')
    const theo = await testApp.enterNew(`Theo ${screen}`, 'guy', screen)
    await testApp.duet('grant', String(theo.user_id), '8', 'diamond', '--reason', 'journey')
    await meet(sofia, theo)
    const { page } = theo
    await page.getByRole('button', { name: 'A gift for Sofia' }).first().click()
    await page.getByRole('button', { name: /^Crown/ }).click()
    await theo.sees(page.getByText(/minutes? (is|are) missing/))
    await theo.sees(page.getByRole('button', { name: 'Add minutes' }).last())
    await page.getByRole('button', { name: /^Letter/ }).click()
    await page.getByRole('button', { name: /^Send Letter for 2 minutes/ }).click()
    await theo.sees(page.getByText('Sofia has your gift: Letter').first())
    await sofia.sees(
      sofia.page.getByText(new RegExp(`^Theo ${screen} gave you a gift: Letter`)).first(),
    )
    await theo.isInCallWith('Sofia')
  })
