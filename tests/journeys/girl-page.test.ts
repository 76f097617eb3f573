import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { pictureBytes } from '@duet/testkit/uploads.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a visitor opens the page of a girl by her link, registers, is bound to her code, keeps her and likes a photo', async () => {
  const mira = await testApp.enter('Mira')
  const { ref_code, id } = await testApp.db
    .selectFrom('users')
    .select(['id', 'ref_code'])
    .where('nick', '=', 'Mira')
    .executeTakeFirstOrThrow()
  await mira.page.goto(`${testApp.origin}/profile`)
  await mira.page
    .locator('input[type=file][accept*=webp]')
    .setInputFiles([{ name: 'lake.png', mimeType: 'image/png', buffer: await pictureBytes() }])
  await mira.sees(mira.page.getByRole('button', { name: 'View Item 1' }))
  await mira.page.goto(`${testApp.origin}/girl/${ref_code}`)
  await mira.sees(mira.page.getByRole('link', { name: 'Edit your profile' }))
  await shot(mira.page, 'girl-own')

  const guest = await testApp.visit(`/girl/${ref_code}`)
  const { page } = guest
  await guest.sees(guest.heading(/^Mira/))
  await guest.sees(page.getByText('Online', { exact: true }))
  await shot(page, 'girl-visitor')
  await guest.button('Add to favourites').click()
  await guest.button('Create an account').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Man', { exact: true }).click()
  await dialog.getByLabel('Nickname').fill('Felix')
  await dialog.getByLabel('Email').fill('felix@journey.example')
  await dialog.getByLabel('Password', { exact: true }).fill('a long walk home')
  await dialog.getByLabel('Birthday').fill('1990-04-02')
  for (const box of await dialog.getByRole('checkbox').all()) await box.click()
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('dialog', { name: /Felix/ }).getByRole('button').first().click()

  await guest.sees(guest.button('Remove from favourites'))
  await guest.button('Like, 0 likes').click()
  await guest.sees(guest.button('Like, 1 like'))
  await shot(page, 'girl-member')
  const felix = await testApp.db
    .selectFrom('users')
    .select(['id', 'referred_by'])
    .where('nick', '=', 'Felix')
    .executeTakeFirstOrThrow()
  equal(felix.referred_by, id)

  await mira.button(/^Notices/).click()
  await mira.sees(mira.page.getByText('Felix added you to favourites').first())

  await page.goto(`${testApp.origin}/favorites/`)
  await guest.sees(page.getByRole('link', { name: /^Mira/ }))
  await shot(page, 'favourites')
  await page.getByRole('link', { name: /^Mira/ }).hover()
  await guest.button('Remove Mira from favourites').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await guest.sees(page.getByText('Nobody here yet'))
  await shot(page, 'favourites-empty')
})

test('on a phone the actions stay at the bottom, and a blocked girl is found no more', async () => {
  const omar = await testApp.enter('Omar', 'phone')
  const { page } = omar
  const { ref_code } = await testApp.db
    .selectFrom('users')
    .select('ref_code')
    .where('nick', '=', 'Sofia')
    .executeTakeFirstOrThrow()
  await page.goto(`${testApp.origin}/girl/${ref_code}`)
  await omar.sees(omar.button("Tell me when she's online"))
  await omar.sees(page.getByRole('navigation', { name: 'Main' }))
  for (const name of ["Tell me when she's online", /^Write/, 'Add to favourites']) {
    const { x, width } = (await omar.button(name).boundingBox())!
    ok(x >= 0 && x + width <= 390, `${name} is on the screen: ${x} to ${x + width}`)
  }
  await shot(page, 'girl-phone')
  await omar.button("Tell me when she's online").click()
  await omar.sees(omar.button("We'll tell you when she's online"))
  await omar.button('More').click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Block/ })
    .click()
  await omar.isIdle()
  await page.goto(`${testApp.origin}/girl/${ref_code}`)
  await omar.sees(omar.heading("We can't find this person"))
  await shot(page, 'girl-unknown-phone')
})

/** For a developer who looks at the screens: `SHOTS=folder`. */
async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
