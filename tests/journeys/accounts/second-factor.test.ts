import { after, afterEach, before, describe, test } from 'node:test'
import { equal, match } from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { BrowserUser, Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const PASSWORD = 'correct-horse'

/** The code that an app shows `steps` half minutes after now: each code works once. */
function getCode(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + steps * 30_000 })
}

/** A phone or computer with a finger reader that always recognises its owner. */
async function addFingerReader({ page }: BrowserUser): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function logIn(visitor: BrowserUser, email: string): Promise<void> {
  const dialog = visitor.page.getByRole('dialog')
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`a second factor on a ${screen}`, () => {
    test('is set up with an app, and asked for at the next login', async () => {
      const nick = `Kai ${screen}`
      const kai = await testApp.enterNew(nick, 'guy', screen)
      const { page } = kai
      await page.goto(`${testApp.origin}/profile/#second_factor`)
      await kai.presses('Set up an app')
      await page.getByLabel('Current password', { exact: true }).last().fill(PASSWORD)
      await kai.presses('Set up an app')
      const picture = page.getByRole('img', { name: 'Picture of the key for your app' })
      await kai.sees(picture)
      // Cameras need a light ground in every theme.
      equal(await picture.locator('rect').getAttribute('fill'), 'white')
      const shown = await page.locator('code').first().textContent()
      const secret = shown!.replaceAll(' ', '')
      await page.getByLabel('Code', { exact: true }).fill('000000')
      await kai.presses('Turn on')
      await kai.sees(page.getByText('That code is wrong'))
      await page.getByLabel('Code', { exact: true }).fill(getCode(secret, -1))
      await kai.presses('Turn on')
      await kai.sees(page.getByText('Your second step is on.'))
      equal(await page.locator('li code').count(), 10)
      match((await page.locator('li code').first().textContent())!, /^\w{5}-\w{5}$/)
      await kai.presses('I kept them')
      await kai.sees(page.getByText('10 spare codes are left'))

      const again = await testApp.visit('/', screen)
      await again.presses('Log in')
      await logIn(again, `kai.${screen}@journey.example`)
      await again.sees(again.heading('One more step'))
      await again.page.getByLabel('Code', { exact: true }).fill('000000')
      await again.presses('Continue')
      await again.sees(again.page.getByText('That code is wrong'))
      await again.page.getByLabel('Code', { exact: true }).fill(getCode(secret))
      await again.presses('Continue')
      await again.isIdle()
    })

    test('is a passkey that logs in without a password', async () => {
      await testApp.enterNew(`Lou ${screen}`, 'guy', screen)
      // A passkey belongs to a name, so an IP address has no passkeys.
      const origin = testApp.origin.replace('127.0.0.1', 'localhost')
      const lou = await testApp.visit('/', screen)
      const { page } = lou
      await addFingerReader(lou)
      await page.goto(origin)
      await lou.presses('Log in')
      await logIn(lou, `lou.${screen}@journey.example`)
      await lou.isIdle()
      await page.goto(`${origin}/profile/#second_factor`)
      await lou.presses('Add a passkey')
      await page.getByLabel('Name of the passkey').fill('My laptop')
      await page.getByLabel('Current password', { exact: true }).last().fill(PASSWORD)
      await lou.presses('Add a passkey')
      await lou.sees(page.getByText('My laptop'))
      await lou.sees(page.getByText('Not used yet'))
      await page.evaluate(() => localStorage.clear())
      await page.goto(origin)
      await lou.presses('Log in')
      await lou.presses('Use a passkey instead')
      await lou.isIdle()
    })
  })
}
