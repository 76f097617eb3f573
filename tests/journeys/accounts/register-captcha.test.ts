import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import type { Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

// The demo counts no registrations of its own machine.
before(async () => {
  testApp = await startBrowserTestApp({ network_registrations_a_day: '1' }, { DEMO: 'off' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

async function register(nick: string, screen: Screen): Promise<void> {
  const visitor = await testApp.visit('/', screen)
  await visitor.presses('Log in')
  await visitor.presses('Create an account')
  const dialog = visitor.page.getByRole('dialog', { name: 'Create your account' })
  await dialog.getByText('Man', { exact: true }).click()
  await dialog.getByLabel('Nickname', { exact: true }).fill(nick)
  const email = `${nick.toLowerCase()}@journey.example`
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill('meadow-lantern-7')
  await dialog.getByLabel('Birthday', { exact: true }).fill('1991-07-08')
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await visitor.sees(visitor.heading(`Hello, ${nick}`))
}

async function captchasPassed(): Promise<number> {
  return (await testApp.db.selectFrom('passed_captchas').select('once_key').execute()).length
}

test('a further account of a network costs a captcha, which the page solves, and the account is made', async () => {
  await register('Joris', 'desktop')
  equal(await captchasPassed(), 0)
  await register('Kasper', 'phone')
  equal(await captchasPassed(), 1)
})
