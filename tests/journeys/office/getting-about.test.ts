import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { barriers, enterOffice, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a moderator goes to a case, a person and a page with the keyboard alone', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  const { rows } = await sql<{ complaint_id: number }>`
    insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    values (${alex.user_id}, ${sofia.user_id}, 'spam', 'She sells things', current_date, now())
    returning complaint_id`.execute(testApp.db)
  const dana = await enterOffice(testApp, 'Moderator')
  const { keyboard } = dana.page
  const goTo = async (words: string, name: RegExp) => {
    await keyboard.press('Control+k')
    await dana.sees(dana.page.getByRole('combobox'))
    await keyboard.type(words)
    const option = dana.page.getByRole('option', { name })
    await dana.sees(option)
    while ((await option.getAttribute('aria-selected')) !== 'true') await keyboard.press('ArrowDown')
    equal((await barriers(dana.page)).join('\n'), '')
    await shot(dana, `office-go-${words}`)
    await keyboard.press('Enter')
  }
  await goTo(String(rows[0]!.complaint_id), /^Complaint \d+/)
  await dana.sees(dana.page.getByText('She sells things'))
  await goTo('sof', /^Sofia/)
  await dana.sees(dana.page.getByRole('heading', { level: 1, name: /^Sofia/ }))
  await goTo('pho', /^Photos/)
  await dana.sees(dana.page.getByRole('heading', { name: 'Photos' }))
})
