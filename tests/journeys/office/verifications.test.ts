import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { redAndBlue } from '@duet/testkit/uploads.ts'
import { codeAt } from '@duet/testkit/test-staff.ts'
import { barriers, setUpMember, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const picture = async (name: string) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await redAndBlue(),
})

/** She chooses a passport and a selfie from files and sends them. */
async function submitDocuments(girl: BrowserUser): Promise<void> {
  const { page } = girl
  const choose = async (name: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles(await picture(name))
  await page.getByRole('radio', { name: 'Passport' }).click()
  await page.getByRole('combobox', { name: 'Country that issued it' }).click()
  await page.getByRole('option', { name: 'Germany', exact: true }).click()
  await choose('front')
  await girl.button('Next').click()
  await girl.button('Choose a file').click()
  await choose('selfie')
  await girl.button('Next').click()
  await page.getByRole('checkbox').click()
  await girl.button('Send for checking').click()
  await girl.sees(page.getByText("We're checking your documents"))
}

test('a manager asks for better documents in words, verifies the next ones, approves her photo, and she goes online', async () => {
  const mira = await testApp.enterNew('Mira', 'girl')
  await mira.page.getByRole('main').getByRole('link', { name: 'Verify to start' }).click()
  await submitDocuments(mira)
  const { member: emil, secret, password } = await setUpMember(testApp, 'manager')
  const { page } = emil
  // The proof of the sign-in is no longer fresh.
  testApp.clock.leap({ minutes: 30 })
  await page.getByRole('link', { name: 'Identity checks' }).click()
  await page.getByRole('button', { name: /^Mira/ }).click()
  await emil.sees(emil.heading('Prove that it is you'))
  equal(await page.getByRole('img', { name: 'Selfie' }).count(), 0)
  equal((await barriers(page)).join('\n'), '')
  await shot(emil, 'office-prove')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('One-time code').fill(codeAt(secret, testApp.clock.now()))
  await emil.button('Continue').click()
  await emil.sees(page.getByRole('img', { name: 'Front' }))
  await emil.sees(page.getByRole('img', { name: 'Selfie' }))
  equal((await barriers(page)).join('\n'), '')
  await shot(emil, 'office-check')
  await emil.sees(page.getByText(/^\d fingers? of the (left|right) hand next to the /))
  await page.keyboard.press('2')
  await emil.sees(page.getByRole('checkbox', { name: /^Ask for better documents/, checked: true }))
  equal((await barriers(page)).join('\n'), '')
  await page.getByLabel('Mira will read').pressSequentially('Take it in daylight, by a window.')
  await shot(emil, 'office-check-ask')
  await page.keyboard.press('Control+Enter')
  await emil.sees(page.getByText(/^Ask again: not readable: sent in/))
  // Leaving the page sends what waits.
  await page.getByRole('link', { name: 'Your devices' }).click()
  await emil.sees(emil.heading('Your devices'))
  await mira.sees(mira.page.getByText('We need something better'))
  await mira.sees(mira.page.getByText(/The pictures can't be read/))
  await mira.sees(mira.page.getByText('Take it in daylight, by a window.'))
  await shot(mira, 'check-declined')

  await submitDocuments(mira)
  await page.getByRole('link', { name: 'Identity checks' }).click()
  await page.getByRole('button', { name: /^Mira/ }).click()
  await emil.sees(page.getByRole('img', { name: 'Selfie' }))
  await page.keyboard.press('1')
  await page.getByLabel('Last day of the document').fill('2040-12-31')
  equal(await emil.button(/^Verify/).isDisabled(), true)
  for (const point of await page.getByRole('checkbox').all()) await point.click()
  equal((await barriers(page)).join('\n'), '')
  await shot(emil, 'office-check-approve')
  await page.keyboard.press('Control+Enter')
  await emil.sees(page.getByText('Nothing waits'))
  await page.getByRole('link', { name: 'Photos' }).click()
  await mira.sees(mira.page.getByText('Your identity is verified').first())
  await shot(mira, 'check-verified')

  await mira.page.goto(`${testApp.origin}/profile`)
  await mira.button('Add a photo').click()
  const dialog = mira.page.getByRole('dialog', { name: 'Your profile photo' })
  await dialog.locator('input[type=file]').setInputFiles(await picture('portrait'))
  await dialog.getByRole('button', { name: 'Use this photo' }).click()
  await mira.sees(mira.page.getByText('Waits for review').first())
  const tile = page.getByRole('img', { name: 'The picture that waits' })
  await emil.sees(page.getByText('1 waiting'))
  await page.keyboard.press('j')
  await until('the picture has come', () =>
    tile.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0).catch(() => false),
  )
  await shot(emil, 'office-photo-grid')
  await page.keyboard.press('a')
  await emil.sees(page.getByText(/^Approve: sent in/))
  await page.close()
  await mira.seesNo(mira.page.getByText('Waits for review'))
  await mira.page.goto(`${testApp.origin}/`)
  await mira.start_button.click()
  await mira.sees(mira.page.getByText(/Looking for|Waiting|Searching/i).first())
})
