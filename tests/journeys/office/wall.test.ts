import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { meet } from '@duet/testkit/browser/browser-user.ts'
import { barriers, enterOffice, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ search_grace: '0', rematch_minutes: '0' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a moderator watches a running call on the wall, warns, and ends it by the keyboard', async () => {
  const alex = await testApp.enter('Alex')
  const sofia = await testApp.enter('Sofia', 'phone')
  await meet(alex, sofia)
  const dana = await enterOffice(testApp, 'Moderator')
  const { page } = dana
  await page.getByRole('link', { name: 'Live sessions' }).click()
  await dana.sees(page.getByText('1 public and 0 private sessions'))
  const tile = page.getByRole('button', { name: /Sofia with Alex/ })
  await dana.sees(tile.locator('img'))
  equal((await barriers(page)).join('\n'), '')
  await shot(dana, 'office-wall')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await dana.sees(page.getByRole('img', { name: 'The camera of Sofia' }))
  equal((await barriers(page)).join('\n'), '')
  await shot(dana, 'office-wall-open')
  await page.keyboard.press('p')
  await page.keyboard.press('1')
  await page.keyboard.press('Control+Enter')
  await dana.sees(page.getByText(/^Warn in the session: sent in/))
  await shot(dana, 'office-wall-warned')
  // Leaving the page sends what waits.
  await page.getByRole('link', { name: 'Your devices' }).click()
  await alex.sees(alex.page.getByText(/^A moderator has warned you/).first())
  await shot(alex, 'call-warned')
  await page.getByRole('link', { name: 'Live sessions' }).click()
  await tile.press('Enter')
  await dana.sees(page.getByRole('radio', { name: 'End the session' }))
  await page.keyboard.press('2')
  await page.keyboard.press('Control+Enter')
  await dana.sees(page.getByText('No session is running'))
  await alex.sees(alex.heading('The call was ended by our team'))
})
