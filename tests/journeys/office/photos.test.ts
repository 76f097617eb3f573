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

/** The portraits of two users wait, that of Alex for longer. */
async function twoPortraits(): Promise<void> {
  await sql`update media set status = 'pending', created_at = now() - case users.nick
      when 'Alex' then interval '2 hours' else interval '1 hour' end
    from users where media.owner_id = users.id and users.nick in ('Alex', 'Sofia') and media.product = 'avatar'
      and media.status = 'ready'`.execute(testApp.db)
}

/** Of Alex and of Sofia. */
async function states(): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ', media.status, media.reason) as state from media join users on users.id = media.owner_id
    where users.nick in ('Alex', 'Sofia') and media.product = 'avatar' order by users.nick`.execute(
    testApp.db,
  )
  return rows.map(({ state }) => state).join()
}

test('a moderator decides photos by keys, and each look is in the audit log', async () => {
  await twoPortraits()
  const dana = await enterOffice(testApp, 'Moderator')
  const { page } = dana
  const picture = page.getByRole('img', { name: 'The picture that waits' })
  const isShown = () =>
    picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0).catch(() => false)
  await page.getByRole('link', { name: 'Photos' }).click()
  await dana.sees(page.getByText('2 waiting'))
  await page.keyboard.press('j')
  await until('the picture has come', isShown)
  equal((await barriers(page)).join('\n'), '')
  await shot(dana, 'office-photos')
  await page.keyboard.press('Enter')
  await dana.sees(page.getByRole('radio', { name: 'Approve' }))
  await until('the picture has come', isShown)
  equal((await barriers(page)).join('\n'), '')
  await dana.sees(page.locator('img.veiled'))
  await page.keyboard.press(' ')
  await dana.seesNo(page.locator('img.veiled'))
  await shot(dana, 'office-photo')
  await page.keyboard.press('5')
  const words = page.getByLabel('Alex will read')
  await dana.sees(words)
  equal(
    await words.inputValue(),
    'Your picture does not show you. Upload one that shows your face. You can appeal this decision.',
  )
  await words.fill('Show your face, please.')
  await words.blur()
  equal((await barriers(page)).join('\n'), '')
  await page.keyboard.press('Control+Enter')
  await dana.sees(page.getByText(/^Remove: not this person: sent in/))
  await dana.sees(page.getByText('1 waiting'))
  await until('the next picture has come', isShown)
  await dana.sees(page.locator('img.veiled'))
  await page.keyboard.press('Escape')
  await dana.seesNo(page.getByRole('radio', { name: 'Approve' }))
  await page.keyboard.press('j')
  await until('the picture is clear', isShown)
  await page.keyboard.press('r')
  await dana.sees(page.getByRole('radio', { name: 'Remove: screenshot' }))
  await page.keyboard.press('3')
  await dana.sees(page.getByLabel('Sofia will read'))
  equal((await barriers(page)).join('\n'), '')
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await until('the first is sent', async () => (await states()) === 'removed not_you,pending')
  await dana.sees(page.getByText('Nothing waits'))
  await page.close()
  await until('the second is sent', async () => (await states()) === 'removed not_you,ready')
  const { rows } = await sql<{ act: string }>`
    select act from audit_entries where act like 'media%' order by entry_id`.execute(testApp.db)
  const comments = await sql<{ comment: string }>`
    select statements.comment from statements where reason = 'not_you'`.execute(testApp.db)
  equal(comments.rows.map(({ comment }) => comment).join(), 'Show your face, please.')
  equal(rows.map(({ act }) => act).join(), 'media_view,media_view,media_remove,media_approve')
})
