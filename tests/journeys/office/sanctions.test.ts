import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { barriers, enterOffice, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a ban is imposed from the table, found by its person, and lifted by an owner', async () => {
  const alex = await testApp.enter('Alex')
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.getByRole('link', { name: 'Bans and penalties' }).click()
  await owner.button('New act').click()
  const dialog = owner.page.getByRole('dialog')
  await dialog.getByLabel('User id').fill(String(alex.user_id))
  await dialog.getByLabel('This person will read').fill('You showed a recording.')
  equal((await barriers(owner.page)).join('\n'), '')
  await shot(owner, 'office-impose')
  await dialog.getByRole('button', { name: 'Ban now' }).click()
  await alex.sees(alex.page.getByText('You showed a recording.').first())
  await owner.page.getByLabel('User id').fill(String(alex.user_id))
  const row = owner.page.getByRole('row', { name: /You showed a recording/ })
  await owner.sees(row.getByText(/^Until/))
  await shot(owner, 'office-sanctions')
  await row.getByRole('button', { name: 'Lift' }).click()
  await owner.page.getByRole('dialog').getByLabel('Reason').fill('The wrong person.')
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click()
  await owner.sees(row.getByText(/^Lifted by/))
})
