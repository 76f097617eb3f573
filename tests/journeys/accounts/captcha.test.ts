import { after, afterEach, before, describe, test } from 'node:test'
import { equal } from 'node:assert/strict'
import type { BrowserUser, Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

async function typeLogin(visitor: BrowserUser, email: string, password: string): Promise<void> {
  const dialog = visitor.page.getByRole('dialog').first()
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function captchasPassed(): Promise<number> {
  return (await testApp.db.selectFrom('passed_captchas').select('once_key').execute()).length
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`a captcha on a ${screen}`, () => {
    test('after failed logins is solved by the page itself, and the owner is in', async () => {
      const before = await captchasPassed()
      await testApp.enterNew(`Max ${screen}`, 'guy', screen)
      const email = `max.${screen}@journey.example`
      const visitor = await testApp.visit('/', screen)
      await visitor.presses('Log in')
      const wrong = visitor.page.getByRole('alert').filter({ hasText: 'match' })
      for (let time = 0; time < 5; time += 1) {
        await typeLogin(visitor, email, `guess-${time}`)
        await visitor.sees(wrong)
      }
      equal(await captchasPassed(), before)
      await typeLogin(visitor, email, 'correct-horse')
      await visitor.isIdle()
      equal(await captchasPassed(), before + 1)
    })

    test('in search is solved in the empty petal, and the search goes on', async () => {
      const before = await captchasPassed()
      await testApp.set({ searches_an_hour: '1' })
      const kim = await testApp.enter(screen === 'phone' ? 'Tom' : 'Alex', screen)
      await kim.starts()
      await kim.presses('Stop looking')
      await kim.isIdle()
      await kim.starts()
      await kim.sees(kim.heading('Looking for someone to say hello to'))
      equal(await captchasPassed(), before + 1)
      await testApp.set({ searches_an_hour: '120' })
    })
  })
}
