import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
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
    while ((await option.getAttribute('aria-selected')) !== 'true')
      await keyboard.press('ArrowDown')
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

test('the office has the theme of the system until another is chosen, which it keeps', async () => {
  const owner = await enterOffice(testApp, 'Owner')
  const has = (theme: string) =>
    owner.page.waitForFunction(
      (wanted) => document.documentElement.dataset['theme'] === wanted,
      theme,
    )
  for (const colorScheme of ['dark', 'light'] as const) {
    await owner.page.emulateMedia({ colorScheme })
    await has(colorScheme)
  }
  await owner.button('Light or dark').click()
  await has('dark')
  await owner.page.reload()
  await owner.sees(owner.heading('Complaints'))
  await has('dark')
  await owner.button('Light or dark').click()
  await has('light')
  // It was the theme of the system, which is followed again.
  await owner.page.emulateMedia({ colorScheme: 'dark' })
  await has('dark')
})

test('the filters of the audit log are in the address: a reload, Back and a sent link keep them', async () => {
  await testApp.duet('giftcards', 'create', '--count', '1', '--minutes', '5', '--as', 'olga')
  const owner = await enterOffice(testApp, 'Owner')
  const { page } = owner
  await page.goto(`${testApp.origin}/office/audit?act=gift_cards_create`)
  const cells = page.getByRole('cell', { name: 'Created gift cards' })
  await owner.sees(cells)
  const name = page.getByLabel('Name at the shell')
  await name.pressSequentially('olga of the shell')
  equal(await name.inputValue(), 'olga of the shell')
  await owner.sees(page.getByText('No entries'))
  await name.fill('olga')
  await owner.sees(cells)
  await page.reload()
  await owner.sees(cells)
  equal(await page.getByLabel('Name at the shell').inputValue(), 'olga')
  await page.getByRole('link', { name: 'Users' }).click()
  await owner.sees(page.getByLabel('Search people'))
  await page.goBack()
  await owner.sees(cells)
  equal(new URL(page.url()).search, '?act=gift_cards_create&operator=olga')
})

test('the office shows its times in the zone that was chosen, by the clock of the server', async () => {
  const owner = await enterOffice(testApp, 'Owner')
  const { page } = owner
  await page.getByRole('link', { name: /^Times of / }).click()
  await page.getByLabel('Time zone').fill('Middle/Earth')
  await owner.button('Use this zone').click()
  await owner.sees(page.getByText('There is no such time zone'))
  await page.getByLabel('Time zone').fill('Asia/Kolkata')
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-zone')
  await page.keyboard.press('Enter')
  await owner.sees(page.getByRole('link', { name: 'Times of Asia/Kolkata' }))
  const now = new Date(testApp.clock.now().epochMilliseconds)
  const shown = new Intl.DateTimeFormat('en', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'Asia/Kolkata',
  })
    .format(now)
    .split(/:\d/)[0]!
  await owner.sees(page.getByText(shown).first())
})

test('a column is resized by pointer and by keys, and a reload has its width', async () => {
  const alex = await testApp.enter('Alex')
  await sql`
    insert into person_notes (user_id, author, text, at)
    select ${alex.user_id}, 'dana', 'Note ' || n, now() from generate_series(1, 120) n
  `.execute(testApp.db)
  const owner = await enterOffice(testApp, 'Owner')
  const { page } = owner
  await page.goto(`${testApp.origin}/office/users/${alex.user_id}/notes`)
  await owner.sees(page.getByRole('cell', { name: 'Note 120', exact: true }))
  const header = page.getByRole('columnheader', { name: 'By', exact: true })
  const widthNow = async () => Math.round((await header.boundingBox())!.width)
  const handle = page.getByRole('separator', { name: 'Width of By' })
  const [before, box] = [await widthNow(), (await handle.boundingBox())!]
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 50, y, { steps: 3 })
  await page.mouse.up()
  equal(await widthNow(), before + 50)
  await handle.press('ArrowRight')
  equal(await widthNow(), before + 66)
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-table-resized')
  await page.reload()
  await owner.sees(page.getByRole('cell', { name: 'Note 120', exact: true }))
  equal(await widthNow(), before + 66)
  // The whole list is fetched, and only what is near to the seen rows is in the page.
  const table = page.getByRole('table', { name: 'Notes' })
  for (const rows of [41, 61, 81, 101, 121]) {
    await owner.button('Show more').click()
    await owner.sees(table.and(page.locator(`[aria-rowcount="${rows}"]`)))
  }
  ok((await table.getByRole('row').count()) < 70)
  await page.keyboard.press('j')
  await owner.sees(page.getByRole('row', { name: /Note 120/ }).and(page.locator(':focus')))
  await page.setViewportSize({ width: 390, height: 844 })
  await owner.sees(page.getByRole('listitem').filter({ hasText: 'Note 120' }))
  equal((await barriers(page)).join('\n'), '')
  await shot(owner, 'office-table-phone')
  await page.reload()
  const tab = page.getByLabel('Parts of the page').getByRole('link', { name: 'Notes' })
  await owner.sees(page.getByRole('listitem').filter({ hasText: 'Note 120' }))
  const { x: start, width } = (await tab.boundingBox())!
  ok(start >= 0 && start + width <= 390, 'the open part of the page is in the strip')
})
