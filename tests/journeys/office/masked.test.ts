import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { meet } from '@duet/testkit/browser/browser-user.ts'
import {
  type LibreTranslateStandIn,
  startLibreTranslate,
} from '@duet/testkit/stand-ins/libre-translate.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { barriers, enterOffice, shot } from './in-office.ts'

let testApp: BrowserTestApp
let translator: LibreTranslateStandIn

before(async () => {
  translator = await startLibreTranslate()
  testApp = await startBrowserTestApp(
    { search_grace: '0', rematch_minutes: '0' },
    { TRANSLATE_URL: translator.url },
  )
})
afterEach(() => testApp.empty())
after(async () => {
  await testApp.close()
  await translator[Symbol.asyncDispose]()
})

test('a moderator sees that a woman and a man use one device, and finds no violation', async () => {
  const alex = await testApp.enter('Alex')
  const sofia = await testApp.enter('Sofia')
  await meet(alex, sofia)
  // A page sends the fingerprint of its device when it has nothing else to do.
  await until('both devices are known', async () => {
    const { rows } = await sql`
      select user_id from client_signals where signal = 'fingerprint'`.execute(testApp.db)
    return rows.length === 2
  })
  await testApp.running.app.jobs.run('findings evasions')
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.page.getByRole('link', { name: 'Automatic checks' }).click()
  await dana.page.getByRole('button', { name: /Sofia/ }).click()
  await dana.sees(dana.page.getByRole('link', { name: 'Alex' }))
  await dana.sees(dana.page.getByText(/^In common: /))
  equal((await barriers(dana.page)).join('\n'), '')
  await dana.page.keyboard.press('1')
  await shot(dana, 'office-findings')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText('Nothing waits'))
})

test('a moderator reads a masked text of a call and warns by the keyboard', async () => {
  const alex = await testApp.enter('Alex')
  const sofia = await testApp.enter('Sofia')
  await meet(alex, sofia)
  await sofia.page.getByPlaceholder(/Alex/).fill('write me at sofia@example.com')
  await sofia.page.keyboard.press('Enter')
  await alex.sees(alex.page.getByText('write me at ***'))
  testApp.clock.leap({ seconds: 90 })
  await sql`update users set locale = 'ar' where id = ${sofia.user_id}`.execute(testApp.db)
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.page.getByRole('link', { name: 'Masked contacts' }).click()
  await dana.sees(dana.page.getByText('1 waiting'))
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByText('write me at sofia@example.com').first())
  await dana.page.keyboard.press('t')
  await dana.sees(dana.page.getByText('[en] write me at sofia@example.com').first())
  await dana.page.keyboard.press('2')
  // She reads Arabic: the proposed text is put into it, and read back.
  const reply = dana.page.getByLabel('Sofia will read')
  await until('the text is Arabic', async () =>
    (await reply.inputValue()).startsWith('[ar] Please'),
  )
  await dana.sees(dana.page.getByText(/^Read back in English: \[en\] \[ar\] Please/))
  equal((await barriers(dana.page)).join('\n'), '')
  await shot(dana, 'office-masked')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText('Nothing waits'))
  await dana.page.getByRole('link', { name: 'Complaints' }).click()
  await sofia.sees(sofia.page.getByText(/\[ar\] Please/))
})
