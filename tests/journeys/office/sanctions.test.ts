import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
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
  await owner.page.getByRole('textbox', { name: 'User id' }).fill(String(alex.user_id))
  const row = owner.page.getByRole('row', { name: /You showed a recording/ })
  await owner.sees(row.getByText(/^Until/))
  await shot(owner, 'office-sanctions')
  // The same ban again is refused; another reason makes another ban, which outlives the first.
  const impose = async () => {
    await owner.button('New act').click()
    await dialog.getByLabel('This person will read').fill('Once more.')
    await dialog.getByRole('button', { name: 'Ban now' }).click()
  }
  await impose()
  await owner.sees(dialog.getByText(/^This person is banned already until/))
  await dialog.getByLabel('Reason').click()
  await owner.page.getByRole('option', { name: 'Nudity' }).click()
  await dialog.getByRole('button', { name: 'Ban now' }).click()
  await owner.sees(owner.page.getByRole('row', { name: /Once more/ }))
  await row.getByRole('button', { name: 'Lift' }).click()
  await owner.page.getByRole('dialog').getByLabel('Reason').fill('The wrong person.')
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click()
  await owner.sees(dialog.getByText(/but the person stays banned until/))
  await shot(owner, 'office-ban-stands')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await owner.sees(row.getByText(/^Lifted by/))
  const other = owner.page.getByRole('row', { name: /Once more/ })
  await other.getByRole('button', { name: 'Lift' }).click()
  await dialog.getByLabel('Reason').fill('The wrong person.')
  await dialog.getByRole('button', { name: 'Lift' }).click()
  await owner.sees(other.getByText(/^Lifted by/))
})

test('a man is warned, reads why, and a manager takes the warning back', async () => {
  const alex = await testApp.enter('Alex')
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.getByRole('link', { name: 'Bans and penalties' }).click()
  await owner.button('New act').click()
  const dialog = owner.page.getByRole('dialog')
  await dialog.getByLabel('User id').fill(String(alex.user_id))
  await dialog.getByLabel('Kind').click()
  await owner.page.getByRole('option', { name: 'Warning' }).click()
  await dialog.getByLabel('This person will read').fill('You sent a phone number.')
  await shot(owner, 'office-warn')
  await dialog.getByRole('button', { name: 'Warn', exact: true }).click()
  // Taken back in time, it is not sent, and the dialog has kept its words.
  await owner.sees(owner.page.getByText(/^Warning: sent in/))
  await owner.page.keyboard.press('u')
  await owner.sees(dialog.getByText('You sent a phone number.'))
  const warnings = testApp.db.selectFrom('statements').select('kind').where('kind', '=', 'warning')
  equal((await warnings.execute()).length, 0)
  await dialog.getByRole('button', { name: 'Warn', exact: true }).click()
  await alex.sees(alex.heading('You were warned'))
  await alex.sees(alex.page.getByText('You sent a phone number.').first())
  await shot(alex, 'warning')
  // It was not confirmed: the next visit shows it again.
  await alex.page.reload()
  await alex.sees(alex.heading('You were warned'))
  await alex.button('I have read it').click()
  await until('it is read', async () => {
    const { rows } = await sql`select 1 from statements where read_at is null`.execute(testApp.db)
    return rows.length === 0
  })
  await alex.page.reload()
  await alex.sees(alex.button('Start a video chat').first())
  equal(await alex.heading('You were warned').count(), 0)
  const row = owner.page.getByRole('row', { name: /You sent a phone number/ })
  await row.getByRole('button', { name: 'Take back' }).click()
  await owner.page.getByRole('dialog').getByLabel('Reason').fill('The wrong person.')
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await owner.sees(row.getByText(/^Lifted by/))
})
