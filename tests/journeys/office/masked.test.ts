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

test('a moderator sees that a woman and a man use one device, and finds no violation', async () => {
  const alex = await testApp.enter('Alex')
  const sofia = await testApp.enter('Sofia')
  await meet(alex, sofia)
  await testApp.running.app.jobs.run('findings evasions')
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.page.getByRole('link', { name: 'Automatic checks' }).click()
  await dana.page.getByRole('button', { name: /Sofia/ }).click()
  await dana.sees(dana.page.getByRole('link', { name: 'Alex' }))
  equal((await barriers(dana.page)).join('\n'), '')
  await dana.page.keyboard.press('1')
  await shot(dana, 'office-findings')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText('Nothing waits'))
})

test('a moderator reads a masked text of a call and warns by the keyboard', async () => {
  const alex = await testApp.enter('Alex')
  const sofia = await testApp.enter('Sofia')
  await meet(alex, sofia)
  await sofia.page.getByPlaceholder(/Alex/).fill('write me at sofia@example.com')
  await sofia.page.keyboard.press('Enter')
  await alex.sees(alex.page.getByText('write me at ***'))
  testApp.clock.leap({ seconds: 90 })
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.page.getByRole('link', { name: 'Masked contacts' }).click()
  await dana.sees(dana.page.getByText('1 waiting'))
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByText('write me at sofia@example.com').first())
  equal((await barriers(dana.page)).join('\n'), '')
  await dana.page.keyboard.press('2')
  await shot(dana, 'office-masked')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText('Nothing waits'))
})
