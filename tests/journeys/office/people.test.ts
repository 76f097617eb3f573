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

test('an owner finds a person, reads a dialog with a reason, and leaves a note', async () => {
  const alex = await testApp.enter('Alex')
  const owner = await enterOffice(testApp, 'Owner')
  const { page } = owner
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByLabel('Search people').fill('ale')
  await owner.sees(page.getByRole('row', { name: /Alex/ }))
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-people')
  await page.getByRole('row', { name: /Alex/ }).getByRole('link').press('Enter')
  await owner.sees(
    page.getByRole('heading', { level: 1, name: new RegExp(`^Alex.*${alex.user_id}$`) }),
  )
  for (const [tab, shown] of [
    ['Ledger', 'demo cast'],
    ['Calls', 'No call yet'],
    ['Pictures', 'Each look is kept in the audit log.'],
    ['Linked accounts', /Hints, not proof|No linked account/],
    ['Bans and penalties', 'No ban, penalty or warning found'],
  ] as const) {
    await page.getByLabel('Parts of the page').getByRole('link', { name: tab }).click()
    await owner.sees(page.getByText(shown).first())
    equal((await barriers(page)).join('\n'), '', tab)
    await shot(owner, `office-person-${tab.toLowerCase().replaceAll(' ', '-')}`)
  }
  await page.getByLabel('Parts of the page').getByRole('link', { name: 'Pictures' }).click()
  await page.getByRole('button', { name: 'Look' }).first().click()
  await owner.sees(page.getByRole('dialog').getByRole('img', { name: 'Photo · avatar' }))
  await owner.button(/^Show the picture/).click()
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-person-picture')
  await page.keyboard.press('Escape')
  await page.getByLabel('Parts of the page').getByRole('link', { name: 'Overview' }).click()
  await shot(owner, 'office-person')
  await page.getByLabel('Parts of the page').getByRole('link', { name: 'Dialogs' }).click()
  await page.getByRole('button', { name: 'Open' }).first().click()
  await page.getByLabel('Why do you open this dialog?').fill('A letter of the user.')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await owner.sees(dialog.getByRole('listitem').first())
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-person-dialog')
  await dialog.getByRole('button', { name: 'Remove' }).first().click()
  await dialog.getByLabel('This person will read').fill('No advertising here.')
  equal((await barriers(page)).join('\n'), '')
  await page.keyboard.press('Enter')
  await owner.sees(dialog.getByText('removed', { exact: true }))
  await page.keyboard.press('Escape')
  await page.getByLabel('Parts of the page').getByRole('link', { name: 'Notes' }).click()
  await page.getByLabel('New note').fill('Wrote a letter.')
  await owner.button('Add the note').click()
  await owner.sees(page.getByRole('cell', { name: 'Wrote a letter.' }))
  await page.getByRole('link', { name: 'Audit log' }).click()
  await owner.sees(page.getByRole('cell', { name: 'Opened a dialog' }))
  await owner.sees(page.getByRole('cell', { name: 'A letter of the user.' }))
})
