import { after, afterEach, before, test } from 'node:test'
import { equal, match, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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
    ['Devices', 'Recognised by'],
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
  const why = page.getByLabel('Why do you open this dialog?')
  await why.pressSequentially('A letter of the user.')
  equal(await why.inputValue(), 'A letter of the user.')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await owner.sees(dialog.getByRole('listitem').first())
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-person-dialog')
  // Signs of a child start their case from the dialog that is read; Escape leaves it open.
  await dialog.getByRole('button', { name: 'Signs of a child: Alex' }).click()
  const child = page.getByRole('alertdialog')
  await owner.sees(child.getByLabel('What did you see?'))
  equal((await barriers(page)).join('\n'), '')
  await page.keyboard.press('Escape')
  await owner.seesNo(child)
  await dialog.getByRole('button', { name: 'Remove' }).first().click()
  await dialog.getByLabel('Reason').click()
  const rule = page.getByRole('option', { name: 'Exchanging contacts' })
  await rule.click()
  await owner.seesNo(rule)
  const words = dialog.getByLabel('will read')
  match(await words.inputValue(), /^Your message breaks the rules/)
  await words.fill('No advertising here.')
  equal((await barriers(page)).join('\n'), '')
  await dialog.getByRole('button', { name: 'Remove this message' }).click()
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

test('an owner filters a ledger, saves it, opens the source of a movement, and ends a login', async () => {
  const alex = await testApp.enter('Alex')
  await testApp.duet('grant', String(alex.user_id), '7', 'diamond', '--reason', 'for waiting')
  const owner = await enterOffice(testApp, 'Owner')
  const { page } = owner
  await page.goto(`${testApp.origin}/office/users/${alex.user_id}/money`)
  const row = page.getByRole('row', { name: /for waiting/ })
  await owner.sees(row)
  const [amount, balance] = await row
    .getByRole('cell')
    .allTextContents()
    .then((all) => all.slice(2, 4))
  equal(amount!.replaceAll(/\s+/g, ' '), '7 diamonds')
  ok(Number.parseFloat(balance!) >= 7, String(balance))
  await page.getByRole('combobox', { name: 'Purpose' }).click()
  await page.getByRole('option', { name: 'Gift', exact: true }).click()
  await owner.sees(page.getByText('No movement matches these filters'))
  await page.getByRole('combobox', { name: 'Purpose' }).click()
  const grant = page.getByRole('option', { name: 'Grant of the operator' })
  await grant.click()
  await owner.seesNo(grant)
  await owner.sees(row)
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-person-ledger-filtered')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    owner.button('Save as CSV').click(),
  ])
  equal(file.suggestedFilename(), `ledger-${alex.user_id}.csv`)
  match(await readFile(await file.path(), 'utf8'), /,diamond,7,[\d.]+,grant,.*for waiting/)

  await page.getByLabel('Parts of the page').getByRole('link', { name: 'Devices' }).click()
  await page
    .getByRole('button', { name: /^End: / })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'End this login?' })
  await dialog.getByLabel('Reason').pressSequentially('He asked for it.')
  equal(await dialog.getByLabel('Reason').inputValue(), 'He asked for it.')
  equal((await barriers(page)).join('\n'), '')
  await page.keyboard.press('Enter')
  await owner.sees(page.getByText(/^Ended /).first())
  await shot(owner, 'office-person-devices')
})
