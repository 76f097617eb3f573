import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { enterOffice } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(async () => {
  await testApp.empty()
  await sql`delete from complaints`.execute(testApp.db)
})
after(() => testApp.close())

/** The comments of the complaints are One, Two and Three, the longest wait first. */
async function threeComplaints(before: string): Promise<void> {
  await sql`insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    select man.id, woman.id, 'dislike', word.word, ${before}::date + word.n::integer, now() - (9 - word.n) * interval '1 hour'
    from users as man, users as woman, unnest(array['One', 'Two', 'Three']) with ordinality as word (word, n)
    where man.nick = 'Alex' and woman.nick = 'Sofia'`.execute(testApp.db)
}

async function decided(): Promise<string[]> {
  const { rows } = await sql<{ comment: string }>`
    select comment from complaints where decided_at is not null order by complaint_id`.execute(
    testApp.db,
  )
  return rows.map(({ comment }) => comment)
}

test('a moderator passes a complaint on by the keyboard', async () => {
  await threeComplaints('2020-03-01')
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.sees(dana.page.getByText('3 waiting'))
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByText('The reporter says: One', { exact: true }))
  await dana.page.keyboard.press('5')
  await dana.page.keyboard.type('Please look at their dialog.')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText('2 waiting'))
  await until('the note is stored', async () => {
    const { rows } = await sql<{ passed_note: string }>`
      select passed_note from complaints where passed_at is not null`.execute(testApp.db)
    return rows[0]?.passed_note === 'Please look at their dialog.'
  })
})

test('the queue opens no case of another person, and a closed tab sends its decision', async () => {
  await threeComplaints('2020-01-01')
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.locator('[data-case]').nth(1).click()
  await owner.sees(owner.page.getByText('The reporter says: Two', { exact: true }))
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.sees(dana.page.getByText('3 waiting'))
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByText('The reporter says: One', { exact: true }))
  await dana.page.keyboard.press('1')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText('The reporter says: Three', { exact: true }))
  await dana.seesNo(dana.page.getByText('The reporter says: Two', { exact: true }))
  await dana.page.keyboard.press('1')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText(/^No violation: sent in/))
  await until('the first is sent', async () => (await decided()).length === 1)
  await dana.page.close()
  await until(
    'the second is sent by the end of the page',
    async () => (await decided()).length === 2,
  )
  equal((await decided()).join(), 'One,Three')
})

test('an owner takes over the case that another person has', async () => {
  await threeComplaints('2020-02-01')
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.sees(dana.page.getByText('3 waiting'))
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByText('The reporter says: One', { exact: true }))
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.locator('[data-case]').first().click()
  await owner.button('Take over').click()
  await owner.sees(owner.page.getByText('The reporter says: One', { exact: true }))
  await owner.seesNo(owner.button('Take over'))
})
