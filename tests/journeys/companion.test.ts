import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { COMPANION_LINES, DEMO_LINE } from '@duet/server/modules/demo/companion/lines.ts'
import { DEMO_USERS } from '@duet/server/modules/demo/demo-users.ts'
import { closedCall, latestCall } from './money/ledger.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ paid_after: '4' }, { DEMO_COMPANIONS: 'on' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

/** Presses Start alone, and says hello to the demo user who comes. Returns that demo user. */
async function meetsCompanion(person: BrowserUser) {
  await person.starts()
  await person.sees(person.page.getByText('Demo: played by the server'))
  const [nick] = (await person.page.getByRole('heading', { level: 1 }).innerText()).split(',')
  await person.button(/^Say hello/).click()
  await person.isInCallWith(nick!)
  return DEMO_USERS.find((user) => user.nick === nick)!
}

test('a guy who is alone presses Start and sees the whole product: a moving picture, the meter, answers, going private, the receipt', async () => {
  const alex = await testApp.enter('Alex')
  const { name, nick } = await meetsCompanion(alex)
  const { hello, questions, private: isPrivate } = COMPANION_LINES[name]!
  await alex.meterIs('free')
  await alex.reads(DEMO_LINE)
  await alex.reads(hello)
  await alex.meterIs('quota')
  await alex.says('Where are you?')
  await alex.reads(questions[0]!)
  await alex.seesMovingPicture()
  await alex.presses('Ask to go private')
  await alex.reads(isPrivate)
  await alex.meterIs('paid')
  await alex.presses('End the call')
  await alex.sees(alex.heading(`You talked with ${nick}`))
  equal((await closedCall(testApp, alex)).reason, 'left')
  ok((await latestCall(testApp, alex)).paid_seconds > 0)
})

test('a woman who is alone meets a demo user, too, on a phone', async () => {
  const lena = await testApp.enter('Lena', 'phone')
  const { role, nick } = await meetsCompanion(lena)
  equal(role, 'guy')
  await lena.presses('End the call')
  await lena.sees(lena.heading(`You talked with ${nick}`))
})

test('two windows of one tester meet, although a companion has come first', async () => {
  const [tom, sofia] = await Promise.all([testApp.enter('Tom'), testApp.enter('Sofia')])
  await tom.starts()
  await tom.sees(tom.page.getByText('Demo: played by the server'))
  await sofia.starts()
  await Promise.all([tom.saysHelloTo('Sofia'), sofia.saysHelloTo('Tom')])
  await tom.sees(tom.page.getByRole('main', { name: 'Video chat with Sofia' }))
})
