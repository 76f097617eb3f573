import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { meet } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { barriers, enterOffice, proveAgain, setUpMember, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ search_grace: '0', rematch_minutes: '0' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a complaint that involves a child is raised, and its sealed case leaves only by two people', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia', 'phone'), testApp.enter('Alex')])
  await meet(sofia, alex)
  await sofia.presses(/^Report$/)
  await sofia.page.getByText('Spam or advertising').click()
  await sofia.button('Send report').click()
  await sofia.sees(sofia.heading('Thank you. We have your report'))
  await sofia.button('Close').last().click()
  await alex.presses(/^Report$/)
  await alex.page.getByText('Begging for gifts or money').click()
  await alex.page.getByLabel('What happened? (optional)').fill('She looks very young')
  await alex.button('Send report').click()
  await alex.sees(alex.heading('Thank you. We have your report'))
  await alex.button('Close').last().click()
  const dana = await enterOffice(testApp, 'Moderator')
  equal(await dana.page.getByRole('link', { name: 'Sealed cases' }).count(), 0)
  await dana.sees(dana.page.getByText('2 waiting'))
  await dana.page.locator('[data-case]', { hasText: 'Asks for a gift' }).click()
  await dana.sees(dana.page.getByText('She looks very young'))
  await dana.button('A child may be involved').click()
  await dana.sees(dana.heading('Does this complaint involve a child?'))
  equal((await barriers(dana.page)).join('\n'), '')
  await shot(dana, 'office-raise')
  await dana.page.getByLabel('What did you see?').fill('She says that she is 15.')
  await dana.button('Suspend and seal').click()
  await dana.sees(dana.page.getByText('This is now a case about a child.'))
  await dana.button('Close').last().click()
  await dana.sees(dana.page.getByText('Only a manager can decide this case.'))
  await dana.sees(dana.heading(/^Child involvement/))
  await sofia.sees(sofia.heading('Your account is closed for now'))
  await alex.sees(alex.heading('Sofia had to go'))
  await dana.sees(
    dana.page
      .getByRole('listitem')
      .filter({ hasText: /Child.*Waits for a manager/ })
      .first(),
  )
  await dana.seesNo(dana.button('A child may be involved'))

  const asking = await setUpMember(testApp, 'manager', 'nora@duet.example')
  const allowing = await setUpMember(testApp, 'owner', 'emil@duet.example')
  const { member: nora } = asking
  const { member: emil } = allowing
  const { page } = nora
  await page.getByRole('link', { name: 'Sealed cases' }).click()
  await nora.sees(page.getByRole('cell', { name: 'Data held' }))
  equal((await barriers(page)).join('\n'), '')
  await shot(nora, 'office-sealed')
  await page.getByRole('row', { name: /Sofia/ }).getByRole('link').click()
  await nora.sees(page.getByText('The hold can end only after a decision'))
  await nora.sees(page.getByRole('cell', { name: 'Unchanged' }).first())
  await page.getByLabel('Why the files leave the platform').fill('police report 17')
  await nora.button('Ask for an export').click()
  await nora.sees(page.getByText('Another manager must allow it.'))
  await nora.seesNo(nora.button('Fetch the files'))
  equal((await barriers(page)).join('\n'), '')
  await shot(nora, 'office-sealed-case')

  // The proofs of both are no longer fresh.
  testApp.clock.leap({ minutes: 11 })
  await emil.page.reload()
  await emil.page.getByRole('link', { name: /^Stopped acts 1$/ }).click()
  await emil.sees(emil.page.getByText('police report 17'))
  await emil.sees(emil.page.getByText(/nora@duet.example/))
  equal((await barriers(emil.page)).join('\n'), '')
  await shot(emil, 'office-export-waits')
  await page.getByRole('link', { name: 'Another manager must allow it.' }).click()
  await nora.sees(page.getByText('Another person must allow yours'))
  equal(await nora.button('Allow once').count(), 0)
  await emil.button('Allow once').click()
  await proveAgain(testApp, allowing)
  await emil.sees(emil.page.getByText('No act waits'))
  await emil.sees(emil.page.getByRole('link', { name: /^Stopped acts$/ }))

  await page.goBack()
  await page.reload()
  await nora.sees(page.getByText(/allowed by emil@duet.example/))
  const download = page.waitForEvent('download')
  await nora.button('Fetch the files').click()
  await proveAgain(testApp, asking)
  const zip = readFileSync(await (await download).path())
  equal(zip.subarray(0, 2).toString(), 'PK')
  ok(zip.includes('manifest.json'))
  await nora.sees(page.getByText(/fetched/))
  await nora.seesNo(nora.button('Fetch the files'))
  await emil.page.getByRole('link', { name: 'Audit log' }).click()
  await emil.sees(emil.page.getByRole('cell', { name: 'Exported sealed evidence', exact: true }))
})
