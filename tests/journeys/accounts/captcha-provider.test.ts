import type { Locator } from 'playwright-core'
import { after, afterEach, before, describe, test } from 'node:test'
import type { BrowserUser, Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { CaptchaProviderStandIn } from '@duet/testkit/stand-ins/captcha-provider.ts'

let provider: CaptchaProviderStandIn
let testApp: BrowserTestApp

async function typeLogin(visitor: BrowserUser, email: string, password: string): Promise<void> {
  const dialog = visitor.page.getByRole('dialog').first()
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** A new member with five wrong passwords, who now types the right password. */
async function ownerBeforeCaptcha(nick: string, screen: Screen): Promise<BrowserUser> {
  await testApp.enterNew(nick, 'guy', screen)
  const email = `${nick.toLowerCase()}@journey.example`
  const visitor = await testApp.visit('/', screen)
  await provider.serve(visitor.page.context())
  await visitor.presses('Log in')
  const wrong = visitor.page.getByRole('alert').filter({ hasText: 'match' })
  for (let time = 0; time < 5; time += 1) {
    await typeLogin(visitor, email, `guess-${time}`)
    await visitor.sees(wrong)
  }
  await typeLogin(visitor, email, 'correct-horse')
  return visitor
}

/**
 * Whether the pointer reaches the frame of another origin. Until the first picture of a new frame is
 * painted, the browser gives a press to the page around it, and the frame misses the press.
 */
function isReached(button: Locator): Promise<true> {
  return until('the pointer in the frame of the provider', async () => {
    await button.hover()
    // The pointer has to move for the browser to tell the frame.
    await button.hover({ position: { x: 4, y: 4 } })
    return (await button.evaluate((node) => node.matches(':hover'))) || undefined
  })
}

function startWith(kind: 'turnstile' | 'hcaptcha') {
  return async () => {
    provider = await CaptchaProviderStandIn.start()
    testApp = await startBrowserTestApp(
      {},
      {
        CAPTCHA: kind,
        CAPTCHA_SITE_KEY: 'k',
        CAPTCHA_SECRET: 'secret-secret',
        CAPTCHA_URL: provider.origin,
      },
    )
  }
}

afterEach(() => testApp.empty())

describe('Turnstile on a desktop', () => {
  before(startWith('turnstile'))
  after(() => Promise.all([testApp.close(), provider.close()]))

  test('is asked for after failed logins, can fail and be tried again, and lets the owner in', async () => {
    const owner = await ownerBeforeCaptcha('Teo', 'desktop')
    const check = owner.page.frameLocator('iframe[title*="Cloudflare"]')
    const fail = check.getByRole('button', { name: 'Fail' })
    await isReached(fail)
    await fail.click()
    await owner.presses('Try again')
    const verify = check.getByRole('button', { name: 'Verify you are human' })
    await isReached(verify)
    await verify.click()
    await owner.isIdle()
  })

  test('that a content blocker stops gives way to the check of the page itself', async () => {
    const owner = await ownerBeforeCaptcha('Uwe', 'desktop')
    await owner.presses('Cancel')
    await CaptchaProviderStandIn.block(owner.page.context())
    await owner.page.reload()
    await owner.presses('Log in')
    await typeLogin(owner, 'uwe@journey.example', 'correct-horse')
    await owner.isIdle()
  })
})

describe('hCaptcha on a phone', () => {
  before(startWith('hcaptcha'))
  after(() => Promise.all([testApp.close(), provider.close()]))

  test('asks its question over the dialogs of the page, and lets the owner in', async () => {
    const owner = await ownerBeforeCaptcha('Vito', 'phone')
    const frame = (title: string) => owner.page.frameLocator(`iframe[title*="${title}"]`)
    const box = frame('checkbox').getByRole('button', { name: 'I am human' })
    const submit = frame('Main content').getByRole('button', { name: 'Submit' })
    // A press beside the question closes the question, and nothing of the page.
    await isReached(box)
    await box.click()
    await isReached(submit)
    await owner.page.mouse.click(380, 10)
    await isReached(box)
    await box.click()
    await isReached(submit)
    await submit.click()
    await owner.isIdle()
  })
})
