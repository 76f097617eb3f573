import { deepEqual, equal, ok } from 'node:assert/strict'
import type { App } from '../../../core/app.ts'
import { isRefusal } from '../../../lib/refusal.ts'
import { actAsPerson } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import {
  consumeLoginAttempt,
  consumeNewGuest,
  isKnownNetwork,
  rememberLogin,
} from './login-limits.ts'
import { verifyPassword } from './passwords.ts'

const AT_HOME = '198.51.100.4'
const VISITOR = { kind: 'none' } as const

/** `permitted`, or the refusal. */
async function attempt(app: App, { login, address }: { login: string; address: string }) {
  const context = { request_id: '1', address, country: null, region: null, user_agent: '' }
  return fetchAnswer(() => consumeLoginAttempt(app, login, { viewer: VISITOR, context }))
}

async function fetchAnswer(call: () => Promise<unknown>): Promise<string> {
  try {
    await call()
    return 'permitted'
  } catch (error) {
    if (isRefusal(error)) return error.refusal
    throw error
  }
}

story(
  'no text that is typed as a login spends the limit of an account that it does not name',
  async ({ testApp, boris }) => {
    const { app } = testApp
    for (const login of [
      String(boris.id),
      `${boris.id} from 127.0.0.1`,
      `id:${boris.id}`,
      'login account boris@duet.example',
    ])
      // From many networks, so that only the limit of the account matters.
      for (let time = 0; time < 25; time += 1)
        await attempt(app, { login, address: `203.0.113.${time}` })
    const elsewhere = testApp.user('boris elsewhere')
    equal(
      (await elsewhere.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })).user.id,
      boris.id,
    )
  },
)

story(
  'after five failures from anywhere an account asks for a captcha, the same whether it exists',
  async ({ testApp, boris }) => {
    const { app } = testApp
    const answers = async (login: string) => {
      const answered: string[] = []
      for (let time = 0; time < 7; time += 1)
        answered.push(await attempt(app, { login, address: `203.0.113.${time}` }))
      return answered
    }
    const known = await answers(String(boris.user.email))
    deepEqual(known, [
      ...Array<string>(5).fill('permitted'),
      'captcha_required',
      'captcha_required',
    ])
    deepEqual(known, await answers('stranger@duet.example'))
    await testApp.advance('12 min')
    equal(
      await attempt(app, { login: 'stranger@duet.example', address: AT_HOME }),
      'permitted',
      'one comes back in twelve minutes',
    )
  },
)

story('a correct password counts as no failure', async ({ testApp, boris }) => {
  for (let time = 0; time < 12; time += 1) {
    const page = testApp.user(`page ${time}`)
    await page.auth({ login: String(boris.user.email), password: 'boris-secret-1' })
    page.wire!.close()
  }
})

story(
  'guesses of many accounts from one network are asked for a captcha after thirty',
  async ({ testApp }) => {
    const { app } = testApp
    const guess = (number: number, address: string) =>
      attempt(app, { login: `user-${number}@duet.example`, address })
    for (let number = 0; number < 30; number += 1) equal(await guess(number, AT_HOME), 'permitted')
    equal(await guess(30, AT_HOME), 'captcha_required')
    equal(await guess(31, '198.51.100.5'), 'permitted')
  },
)

story(
  'a guesser who solves captchas is limited per account and network, and the owner elsewhere is not',
  async ({ testApp, boris }) => {
    const login = String(boris.user.email)
    const guesser = await testApp.user('a guesser').connect()
    const page = { device_type: 'web', version: '2.0.1', tab_id: guesser.tab_id } as const
    const guess = () => actAsPerson(guesser, 'AUTH', { login, password: 'guess', ...page })
    for (let time = 0; time < 25; time += 1) {
      await guesser.isRefused('wrong_login', guess)
      // Below the rate of a socket; no whole attempt comes back in these two seconds.
      if (time % 10 === 9) await testApp.advance('1 s')
    }
    await guesser.isRefused('too_many', guess)
    equal(await attempt(testApp.app, { login, address: AT_HOME }), 'captcha_required')
    equal(guesser.all('captcha.verify').length, 21)
  },
)

story(
  'a customer with many IPv6 networks has ten times the attempts of one',
  async ({ testApp }) => {
    const { app } = testApp
    const counts = new Map<string, number>()
    for (let time = 0; time < 700; time += 1) {
      const address = `2001:db8:7:${time.toString(16)}::1`
      const answer = await attempt(app, { login: `user-${time}@duet.example`, address })
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
    }
    equal(counts.get('permitted'), 600)
    equal(counts.get('too_many'), 100)
    const other = { login: 'anna@duet.example', address: '2001:db8:8::1' }
    equal(await attempt(app, other), 'permitted')
  },
)

story('a user with many networks does not displace those of others', async ({ testApp }) => {
  const { app } = testApp
  rememberLogin(app, 16, AT_HOME)
  for (let network = 0; network < 60_000; network += 1)
    rememberLogin(app, 17, `2001:db8:0:${network.toString(16)}::1`)
  equal(isKnownNetwork(app, 16, AT_HOME), true)
  equal(isKnownNetwork(app, 17, '2001:db8:0:1::1'), false, 'only the latest networks are known')
  equal(isKnownNetwork(app, 17, '2001:db8:0:ea5f::1'), true)
})

story('a flood of new guests does not make the server forget attempts', async ({ testApp }) => {
  const { app } = testApp
  const guess = { login: 'owner@duet.example' }
  for (let time = 0; time < 5; time += 1)
    await attempt(app, { ...guess, address: `203.0.113.${time}` })
  const context = { request_id: '1', country: null, region: null, user_agent: '' }
  for (let network = 0; network < 100_001; network += 1) {
    // Each network lies in a site of its own: the limit of a site would end the flood.
    const address = `2001:${(network >> 16).toString(16)}:${(network & 0xffff).toString(16)}::1`
    await consumeNewGuest(app, { viewer: VISITOR, context: { ...context, address } })
  }
  equal(await attempt(app, { ...guess, address: AT_HOME }), 'captcha_required')
})

story('a network that makes guests without end is asked for a captcha', async ({ testApp }) => {
  const context = { request_id: '1', address: AT_HOME, country: null, region: null, user_agent: '' }
  const newGuest = () => consumeNewGuest(testApp.app, { viewer: VISITOR, context })
  for (let time = 0; time < 600; time += 1) await newGuest()
  equal(await fetchAnswer(newGuest), 'captcha_required')
})

story('guesses that fill the queue of hashes leave the one of known networks free', async () => {
  const guesses = together(53, () =>
    verifyPassword('guess', undefined, 'public').catch(() => 'full'),
  )
  ok(
    (await Promise.race([
      guesses.then(() => 'guesses'),
      verifyPassword('right', undefined, 'known'),
    ])) === false,
  )
  equal((await guesses).filter((answer) => answer === 'full').length, 1)
})
