import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { meet } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { barriers, enterOffice, setUpMember, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ search_grace: '0', rematch_minutes: '0' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a complaint that involves a child is raised, and its sealed case leaves only by two people', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia', 'phone'), testApp.enter('Alex')])
  await meet(sofia, alex)
  await alex.presses(/^Report$/)
  await alex.page.getByText('Begging for gifts or money').click()
  await alex.page.getByLabel('What happened? (optional)').fill('She looks very young')
  await alex.button('Send report').click()
  await alex.sees(alex.heading('Thank you. We have your report'))
  await alex.button('Close').last().click()
  // An older complaint waits before it.
  await sql`insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    select complainer_id, accused_id, 'dislike', '', date '2020-01-01', now() - interval '1 hour'
    from complaints`.execute(testApp.db)
  const dana = await enterOffice(testApp, 'Moderator')
  equal(await dana.page.getByRole('link', { name: 'Sealed cases' }).count(), 0)
  await dana.sees(dana.page.getByText('2 waiting'))
  await dana.page.locator('[data-case]').nth(1).click()
  await dana.sees(dana.page.getByText('She looks very young'))
  await dana.button('A child may be involved').click()
  await dana.sees(dana.heading('Does this complaint involve a child?'))
  equal((await barriers(dana.page)).join('\n'), '')
  await shot(dana, 'office-raise')
  await dana.page.getByLabel('What did you see?').fill('She says that she is 15.')
  await dana.button('Suspend and seal').click()
  await sofia.sees(sofia.heading('Your account is closed for now'))
  await alex.sees(alex.heading('Sofia had to go'))
  await dana.sees(
    dana.page
      .getByRole('listitem')
      .filter({ hasText: /Child.*Waits for a manager/ })
      .first(),
  )
  await dana.seesNo(dana.button('A child may be involved'))

  const owner = await enterOffice(testApp, 'Owner')
  const { page } = owner
  await page.getByRole('link', { name: 'Sealed cases' }).click()
  await owner.sees(page.getByRole('cell', { name: 'Data held' }))
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-sealed')
  await page.getByRole('row', { name: /Sofia/ }).getByRole('link').click()
  await owner.sees(page.getByText('The hold can end only after a decision'))
  await owner.sees(page.getByRole('cell', { name: 'Unchanged' }).first())
  await page.getByLabel('Why the files leave the platform').fill('police report 17')
  await owner.button('Ask for an export').click()
  await owner.sees(page.getByText('Another manager must allow it.'))
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-sealed-case')
  const { member } = await setUpMember(testApp, 'manager')
  await member.page.getByRole('link', { name: /^Stopped acts 1$/ }).click()
  await member.sees(member.page.getByText('police report 17'))
  equal((await barriers(member.page)).join('\n'), '')
  await shot(member, 'office-export-waits')
  await page.getByRole('link', { name: 'Another manager must allow it.' }).click()
  await owner.sees(page.getByText('Another person must allow yours'))
  await member.button('Allow once').click()
  await member.sees(member.page.getByText('No act waits'))
  await member.sees(member.page.getByRole('link', { name: /^Stopped acts$/ }))
  await page.goBack()
  await page.reload()
  await owner.sees(page.getByText(/allowed by dana@duet.example/))
  const download = page.waitForEvent('download')
  await owner.button('Fetch the files').click()
  ok(readFileSync(await (await download).path()).includes('manifest.json'))
  await owner.sees(page.getByText(/fetched/))
  await owner.seesNo(owner.button('Fetch the files'))
  await page.getByRole('link', { name: 'Audit log' }).click()
  await owner.sees(page.getByRole('cell', { name: 'Exported sealed evidence', exact: true }))
})
