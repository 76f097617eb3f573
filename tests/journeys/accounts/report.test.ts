import { after, afterEach, before, describe, test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { BrowserUser, Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { patternBytes } from '@duet/testkit/uploads.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The findings of axe on the page. */
async function findings(page: Page): Promise<unknown> {
  await page.evaluate(await axe)
  return page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await tool.run()
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  })
}

/** For a developer who looks at the screens: `SHOTS=folder`. */
async function look({ page, screen }: BrowserUser, name: string): Promise<void> {
  deepEqual(await findings(page), [], name)
  if (process.env.SHOTS)
    await page.screenshot({
      path: `${process.env.SHOTS}/report-${name}-${screen}.png`,
      fullPage: true,
    })
}

function mailsTo(email: string, subject: RegExp) {
  return until(`a mail to ${email}: ${subject}`, async () => {
    const mails = (await testApp.running.app.mail.kept()) ?? []
    return mails.find((mail) => mail.to === email && subject.test(mail.subject))
  })
}

async function openForm(visitor: BrowserUser, name: RegExp, title: string): Promise<void> {
  await visitor.page.goto(`${testApp.origin}/report`)
  await visitor.sees(visitor.heading('Report something'))
  await visitor.page.getByRole('link', { name }).click()
  await visitor.sees(visitor.heading(title))
}

const fill = ({ page }: BrowserUser, label: string, text: string) =>
  page.getByLabel(label, { exact: true }).fill(text)

async function choose({ page }: BrowserUser, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** Opens the report by the link of the mail, as another browser would. */
async function openMailed(visitor: BrowserUser, email: string): Promise<void> {
  const { text } = await mailsTo(email, /^We have your report/)
  const path = /\/report\/state#[\w-]{43}/.exec(text)![0]
  await visitor.page.goto('about:blank')
  await visitor.page.goto(testApp.origin + path)
  await visitor.sees(visitor.heading('Your report'))
}

async function decide(receipt: string, decision: string, answer: string): Promise<void> {
  const open = (await testApp.duet('report', 'list')) as { id: number; receipt: string }[]
  const { id } = open.find((report) => report.receipt === receipt)!
  const line = ['--decision', decision, '--answer', answer, '--as', 'olga']
  await testApp.duet('report', 'decide', String(id), ...line)
}

async function readReceipt({ page }: BrowserUser): Promise<string> {
  const number = page.getByText(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/)
  await number.waitFor()
  return number.innerText()
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`public forms on a ${screen}`, () => {
    test('content is reported from the landing page, and the answer of staff is read by the link of the mail', async () => {
      const email = `content-${screen}@journey.example`
      const visitor = await testApp.visit('/', screen)
      const { page } = visitor
      await page.getByRole('contentinfo').getByRole('link', { name: 'Report' }).click()
      await visitor.sees(visitor.heading('Report something'))
      await look(visitor, 'hub')
      await page.getByRole('link', { name: /against the law/ }).click()
      await visitor.sees(visitor.heading('Report content'))
      await visitor.presses('Send report')
      await visitor.sees(page.getByText('Please choose one.'))
      await look(visitor, 'content-wrong')
      await fill(visitor, 'Where is it?', 'The profile of Mara')
      await choose(visitor, 'What is it about?', 'Somebody pretends')
      await fill(visitor, 'What happened?', 'She uses my photos.')
      await fill(visitor, 'Your email', email)
      await look(visitor, 'content')
      await visitor.presses('Send report')
      await visitor.sees(visitor.heading('Thank you. We have your report'))
      const receipt = await readReceipt(visitor)
      await look(visitor, 'receipt')
      await page.getByRole('link', { name: 'See my report' }).click()
      await visitor.sees(page.getByText('A person looks at it'))
      await look(visitor, 'state-waiting')
      await decide(receipt, 'upheld', 'The account is closed.')
      await mailsTo(email, /^We answered your report/)
      await openMailed(visitor, email)
      await visitor.sees(page.getByText('The account is closed.'))
      await look(visitor, 'state-decided')
      await page.goto(`${testApp.origin}/report/state#${'x'.repeat(43)}`)
      await visitor.sees(page.getByText(/There is no report for this link/))
    })

    test('an intimate picture is hidden with the report, which the page sends with a captcha, and removed', async () => {
      const email = `picture-${screen}@journey.example`
      const bytes = await patternBytes(screen === 'phone' ? 51 : 52)
      // His picture is removed, and the statement about it would lie before his next page.
      const owner = await testApp.enter(screen === 'phone' ? 'Omar' : 'Alex', screen)
      const media_id = await addPhoto(owner, bytes)
      const visitor = await testApp.visit('/report', screen)
      await openForm(visitor, /intimate picture/, 'An intimate picture of you')
      const { page } = visitor
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: bytes })
      await visitor.sees(visitor.button('Choose another'))
      await fill(visitor, 'Where is it?', 'In a profile, I do not know whose')
      await fill(visitor, 'Your email', email)
      await fill(visitor, 'Your name, as a signature', 'Vera Novak')
      await page.getByRole('checkbox').check()
      await look(visitor, 'picture')
      await visitor.presses('Send report')
      await visitor.sees(visitor.heading('Thank you. We have your report'))
      const receipt = await readReceipt(visitor)
      equal(await findStatus(media_id), 'pending')
      await page.getByRole('link', { name: 'See my report' }).click()
      await visitor.sees(page.getByText('1 copy is out of view'))
      await decide(receipt, 'upheld', 'We removed it.')
      equal(await findStatus(media_id), 'removed')
      await openMailed(visitor, email)
      await visitor.sees(page.getByText('1 copy was removed'))
      await look(visitor, 'state-picture')
    })

    test('an authority writes a letter, and reads the answer', async () => {
      const email = `court-${screen}@journey.example`
      const visitor = await testApp.visit('/report', screen)
      await openForm(visitor, /for an authority/, 'Contact for authorities')
      await fill(visitor, 'Authority', 'District court of Riga')
      await fill(visitor, 'Your name and office', 'A. Berzins, judge')
      await choose(visitor, 'What do you ask for?', 'Information about a user')
      await fill(visitor, 'Your letter', 'We ask for the data of the account of Mara.')
      await fill(visitor, 'Your email', email)
      await look(visitor, 'authority')
      await visitor.presses('Send report')
      await visitor.sees(visitor.heading('Thank you. We have your report'))
      await decide(await readReceipt(visitor), 'upheld', 'We wrote to your official address.')
      await openMailed(visitor, email)
      await visitor.sees(visitor.page.getByText('We wrote to your official address.'))
    })
  })
}

/** Uploads as the page of this user does. */
async function addPhoto(user: BrowserUser, bytes: Buffer): Promise<string> {
  const { id } = await user.page.evaluate(async (text) => {
    const form = new FormData()
    const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    form.set('media', new Blob([content], { type: 'image/jpeg' }), 'photo.jpg')
    const token = JSON.parse(localStorage.getItem('duet.token')!) as string
    const headers = { 'chat-token': token, 'client-version': '2.0.0' }
    const answer = await fetch('/api/gallery/media', { method: 'POST', headers, body: form })
    return ((await answer.json()) as { data: { media: { id: string } } }).data.media
  }, bytes.toString('base64'))
  return id
}

async function findStatus(media_id: string): Promise<string | undefined> {
  const row = await testApp.db
    .selectFrom('media')
    .select('status')
    .where('id', '=', media_id)
    .executeTakeFirst()
  return row?.status
}
