import { equal, ok } from 'node:assert/strict'
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import {
  actAsPerson,
  captchaPayload,
  solvedCaptcha,
} from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const LOGIN = 'stranger@duet.example'

/** Five failures from this network have spent what the account has without a captcha. */
async function spendTries(testApp: TestApp): Promise<void> {
  const guesser = await testApp.user('a guesser').connect()
  for (let time = 0; time < 5; time += 1)
    await guesser.isRefused('wrong_login', () => guess(guesser))
}

function guess(user: TestUser) {
  const page = { device_type: 'web', version: '2.0.1', tab_id: user.tab_id } as const
  return user.act('AUTH', { login: LOGIN, password: 'guess', ...page })
}

function asked(user: TestUser): Promise<Record<string, unknown>> {
  return user.isRefused('captcha_required', () => guess(user))
}

function readChallenge(additional: Record<string, unknown>): Challenge {
  return (additional.challenge as { challenge: Challenge }).challenge
}

story('a captcha lets the refused call through once', async ({ testApp }) => {
  await spendTries(testApp)
  const page = await testApp.user('a page').connect()
  const payload = await solvedCaptcha(await asked(page))
  await page.act('CAPTCHA', { payload })
  await page.heard('captcha.verify')
  await page.isRefused('wrong_login', () => guess(page))
  await asked(page)
})

story(
  'a solution is accepted once, also when it arrives many times at once',
  async ({ testApp }) => {
    await spendTries(testApp)
    const page = await testApp.user('a page').connect()
    const payload = await solvedCaptcha(await asked(page))
    const said = await together(20, () => page.tryAct('CAPTCHA', { payload }))
    equal(said.filter((answer) => 'data' in answer).length, 1)
    await page.isRefused('captcha_required', () => page.act('CAPTCHA', { payload }))
  },
)

story('a solution of another socket is refused, and is not spent by that', async ({ testApp }) => {
  await spendTries(testApp)
  const page = await testApp.user('a page').connect()
  const thief = await testApp.user('a thief').connect()
  const payload = await solvedCaptcha(await asked(page))
  await asked(thief)
  await thief.isRefused('captcha_required', () => thief.act('CAPTCHA', { payload }))
  await page.act('CAPTCHA', { payload })
})

story('an expired solution is refused', async ({ testApp }) => {
  await spendTries(testApp)
  const page = await testApp.guest()
  const payload = await solvedCaptcha(await asked(page))
  await testApp.advance('601 s')
  await page.isRefused('captcha_required', () => page.act('CAPTCHA', { payload }))
})

story('no payload that the server did not sign is accepted', async ({ testApp }) => {
  await spendTries(testApp)
  const page = await testApp.user('a page').connect()
  const challenge = readChallenge(await asked(page))
  const solution = (await solveChallenge({ challenge, deriveKey }))!
  const { parameters, signature } = challenge
  const changed = (fields: object) => ({ signature, parameters: { ...parameters, ...fields } })
  const payloads = [
    // ALTCHA's widget sends this in its test mode.
    captchaPayload({ challenge: null, solution: null, test: true }),
    captchaPayload({ challenge, solution: null }),
    captchaPayload({ challenge: { parameters }, solution }),
    captchaPayload({ challenge: changed({ cost: 2 }), solution }),
    captchaPayload({ challenge: changed({ keyPrefix: '' }), solution }),
    captchaPayload({
      challenge: changed({ data: { ...parameters.data, purpose: 'search' } }),
      solution,
    }),
    captchaPayload({
      challenge: changed({ data: { ...parameters.data, expires_s: 9_999_999_999 } }),
      solution,
    }),
    captchaPayload({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
    captchaPayload({ challenge, solution: { counter: 0, derivedKey: '00'.repeat(32) } }),
    captchaPayload('x'),
    'not base64 {',
    'unreachable',
  ]
  for (const payload of payloads)
    await page.isRefused('captcha_required', () => page.act('CAPTCHA', { payload }))
  await page.act('CAPTCHA', { payload: captchaPayload({ challenge, solution }) })
})

story('a captcha that was passed for one purpose is good for no other', async ({ testApp }) => {
  await testApp.setting('searches_an_hour', '1')
  const page = await testApp.guest()
  await page.post('age/confirm', { confirmed: true, terms: true })
  const search = () => page.act('MATCH_AWAIT', {})
  await search()
  await page.act('OUT_FROM_SEARCH', {})
  const payload = await solvedCaptcha(await page.isRefused('captcha_required', search))
  await page.act('CAPTCHA', { payload })
  await spendTries(testApp)
  await asked(page)
  await search()
})

story(
  'over HTTP a captcha is good for the one call of the user who was asked',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('email_tries_a_day', '0')
    const change = (user: TestUser, password: string, captcha?: string) =>
      user.post(
        'profile',
        { email: `${user.name}-new@duet.example`, current_password: password },
        captcha === undefined ? {} : { captcha },
      )
    const additional = await boris.isRefused('captcha_required', () =>
      change(boris, 'boris-secret-1'),
    )
    const payload = await solvedCaptcha(additional)
    await anna.isRefused('captcha_required', () => change(anna, 'anna-secret-1', payload))
    await boris.isRefused('captcha_required', () => boris.act('CAPTCHA', { payload }))
    // The setting lets no user try: a captcha opens ten times nothing.
    await boris.isRefused('too_many', () => change(boris, 'boris-secret-1', payload))
    await boris.isRefused('captcha_required', () => change(boris, 'boris-secret-1', payload))
  },
)

story(
  'after a restart a solution over HTTP that was used is refused, and one that was not is good once',
  async ({ testApp, boris }) => {
    await testApp.setting('email_tries_a_day', '1')
    const change = (email: string, captcha?: string) =>
      boris.post(
        'profile',
        { email, current_password: 'boris-secret-1' },
        captcha === undefined ? {} : { captcha },
      )
    await boris.act('UPDATE_PROFILE', {
      email: 'one@duet.example',
      current_password: 'boris-secret-1',
    })
    const { token } = await boris.auth({ login: 'one@duet.example', password: 'boris-secret-1' })
    ok(token)
    const ask = async () =>
      solvedCaptcha(await boris.isRefused('captcha_required', () => change('two@duet.example')))
    const [used, unused] = [await ask(), await ask()]
    const first = await change('two@duet.example', used)
    boris.token = String(first.token)
    await testApp.crash()
    await boris.isRefused('captcha_required', () => change('three@duet.example', used))
    await change('three@duet.example', unused)
  },
)

story(
  'guests of a crowded network go on after a captcha, which holds for the socket and for HTTP',
  async ({ testApp }) => {
    const crowd = await together(11, () => testApp.guest())
    const person = await testApp.guest('a person')
    const locale = { locale: 'en' } as const
    for (const guest of crowd)
      for (let time = 0; time < 30; time += 1) await guest.tryAct('CHANGE_LOCALE', locale)
    await person.isRefused('captcha_required', () => person.act('CHANGE_LOCALE', locale))
    for (let time = 0; time < 5; time += 1) await actAsPerson(person, 'CHANGE_LOCALE', locale)
    equal(person.all('captcha.verify').length, 1)
  },
)

story(
  'a guest of a crowded network who passed a captcha over HTTP is asked for no other in the next ten minutes',
  async ({ testApp }) => {
    const confirm = (user: TestUser, captcha?: string) =>
      user.isRefused('recovery_invalid', () =>
        user.post(
          'auth/email/confirm',
          { key: 'k'.repeat(43) },
          captcha === undefined ? {} : { captcha },
        ),
      )
    const crowd = await together(10, () => testApp.guest())
    const person = await testApp.guest('a person')
    for (const guest of crowd) for (let time = 0; time < 20; time += 1) await confirm(guest)
    const additional = await person.isRefused('captcha_required', () =>
      person.post('auth/email/confirm', { key: 'k'.repeat(43) }),
    )
    await confirm(person, await solvedCaptcha(additional))
    for (let time = 0; time < 3; time += 1) await confirm(person)
    equal(person.all('captcha.verify').length, 1)
  },
)

story('solved captchas are forgotten when they have expired', async ({ testApp }) => {
  await spendTries(testApp)
  const page = await testApp.user('a page').connect()
  await page.act('CAPTCHA', { payload: await solvedCaptcha(await asked(page)) })
  const stored = async () =>
    (await testApp.app.db.selectFrom('passed_captchas').selectAll().execute()).length
  equal(await stored(), 1)
  await testApp.leap('1 h')
  await testApp.app.jobs.run('retention')
  equal(await stored(), 0)
})

story('asking for challenges stores nothing', async ({ testApp }) => {
  await spendTries(testApp)
  const page = await testApp.user('a page').connect()
  for (let time = 0; time < 30; time += 1) await asked(page)
  equal((await testApp.app.db.selectFrom('passed_captchas').selectAll().execute()).length, 0)
})
