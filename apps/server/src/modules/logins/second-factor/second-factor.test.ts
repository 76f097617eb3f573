import { auditedActs } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { createPasskeyDevice } from '@duet/testkit/browser/passkey-device.ts'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { isRefusal } from '../../../lib/refusal.ts'
import type { Member } from '../../../core/viewer.ts'
import { identityProvider } from '../auth/token-viewers.ts'
import { consumeFactorAttempt, rememberLogin } from '../credentials/login-limits.ts'
import { endLoginsAndSockets } from '../devices/end-logins.ts'
import { storePasskey } from './passkeys.ts'
import { turnTotpOn } from './totp.ts'

const BORIS = 'boris@duet.example'
const PASSWORD = 'boris-secret-1'
const current_password = PASSWORD
const credentials = { login: BORIS, password: PASSWORD }
const WRONG_CODE = 'wrong-wrong1'

function codeAt(testApp: TestApp, secret: string, steps = 0): string {
  const timestamp = testApp.clock.now().epochMilliseconds + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Turns the one-time codes on, and moves on to the next code. */
async function enrol(testApp: TestApp, user: TestUser) {
  const { secret, url } = await user.post('auth/totp/options', { current_password })
  const { spare_codes } = await user.post('auth/totp/verify', { otp: codeAt(testApp, secret) })
  await testApp.leap('60 s')
  return { secret, url, spare_codes }
}

story(
  'a one-time code is asked for after the correct password only',
  async ({ testApp, boris }) => {
    const { secret, url } = await enrol(testApp, boris)
    match(url, /^otpauth:\/\/totp\/Duet:boris%40duet\.example\?/)
    equal((await boris.get('profile')).user.second_factor, true)
    const phone = testApp.user('boris on a phone')
    await phone.isRefused('wrong_login', () =>
      phone.auth({ ...credentials, password: 'wrong-secret-1' }),
    )
    const asked = await phone.isRefused('second_factor', () => phone.auth(credentials))
    deepEqual(asked, { methods: ['otp'] })
    await phone.isRefused('second_factor', () => phone.auth({ ...credentials, otp: '000 000' }))
    await phone.isRefused('wrong_login', () =>
      phone.auth({ ...credentials, password: 'wrong-secret-1', otp: codeAt(testApp, secret) }),
    )
    const { user } = await phone.auth({ ...credentials, otp: codeAt(testApp, secret) })
    deepEqual([user.id, user.second_factor], [boris.id, true])
  },
)

story('the factor is off until its first code', async ({ testApp, boris }) => {
  await testApp.confirmEmail(boris)
  await boris.isRefused('password_required', () =>
    boris.post('auth/totp/options', { current_password: 'wrong-secret-1' }),
  )
  await boris.isRefused('second_factor', () => boris.post('auth/totp/verify', { otp: '123456' }))
  const { secret } = await boris.post('auth/totp/options', { current_password })
  deepEqual(await boris.get('auth/totp/list'), { on: false, spare_codes_left: 0 })
  const phone = testApp.user('boris on a phone')
  await phone.auth(credentials)
  // A second page that begins again makes the first secret invalid.
  const again = await phone.post('auth/totp/options', { current_password })
  await boris.isRefused('second_factor', () =>
    boris.post('auth/totp/verify', { otp: codeAt(testApp, secret) }),
  )
  await phone.post('auth/totp/verify', { otp: codeAt(testApp, again.secret) })
  deepEqual(await boris.get('auth/totp/list'), { on: true, spare_codes_left: 10 })
  ok(
    (await testApp.mails(BORIS)).some(({ text }) =>
      text.includes('A second step was added to your login'),
    ),
  )
})

story(
  'a one-time code works once, in its own half minute and the ones beside it',
  async ({ testApp, boris }) => {
    const { secret } = await enrol(testApp, boris)
    const phone = testApp.user('boris on a phone')
    const isWrong = (otp: string) =>
      phone.isRefused('second_factor', () => phone.auth({ ...credentials, otp }))
    await isWrong(codeAt(testApp, secret, -2))
    await isWrong(codeAt(testApp, secret, 2))
    const otp = codeAt(testApp, secret, 1)
    const results = await together(4, (index) =>
      testApp
        .user(`page ${index}`)
        .auth({ ...credentials, otp })
        .then(
          () => 'in',
          (error: { refusal: string }) => error.refusal,
        ),
    )
    deepEqual(results.toSorted(), ['in', ...Array<string>(3).fill('second_factor')])
    // After a later code the former one is not accepted, also within its own time.
    await isWrong(codeAt(testApp, secret))
  },
)

story(
  'a stolen token guesses the password ten times a day, then its login ends and the owner gets a mail',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const thief = testApp.user('a thief', boris.token)
    const guess = () => thief.post('auth/totp/options', { current_password: 'wrong-secret-1' })
    const own = testApp.user('boris elsewhere')
    await own.auth(credentials)
    for (let round = 0; round < 2; round += 1) {
      for (let time = 0; time < 5; time += 1) await thief.isRefused('password_required', guess)
      await thief.isRefused('too_many', guess)
      await testApp.leap('10 min')
    }
    await thief.isRefused('session_invalid', guess)
    await testApp.settle()
    await thief.isRefused('session_invalid', () => thief.get('profile'))
    // Another login of the owner stays, and correct passwords do not count.
    await testApp.leap('1 h')
    for (let time = 0; time < 7; time += 1)
      await own.post('auth/totp/options', { current_password })
    ok(
      (await testApp.mails(BORIS)).some(({ text }) =>
        text.includes('after too many wrong passwords'),
      ),
    )
  },
)

story('a spare code works once, in any writing', async ({ testApp, boris }) => {
  const { spare_codes } = await enrol(testApp, boris)
  equal(new Set(spare_codes).size, 10)
  const phone = testApp.user('boris on a phone')
  await phone.auth({ ...credentials, otp: ` ${spare_codes[0]!.toLowerCase().replace('-', ' ')}` })
  await phone.isRefused('second_factor', () => phone.auth({ ...credentials, otp: spare_codes[0]! }))
  equal((await boris.get('auth/totp/list')).spare_codes_left, 9)
})

story(
  'neither a secret nor a spare code stands readable in the database',
  async ({ testApp, boris }) => {
    const { secret, spare_codes } = await enrol(testApp, boris)
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes)
    for (const table of ['totp_factors', 'spare_codes', 'outbox', 'notices'] as const) {
      const rows = await testApp.app.db.selectFrom(table).selectAll().execute()
      const text = JSON.stringify(rows, (_key, value: unknown) =>
        Buffer.isBuffer(value) ? value.toString('hex') : value,
      )
      for (const plain of [secret, bytes.toString('hex'), ...spare_codes])
        ok(!text.includes(plain), table)
    }
  },
)

async function recover(testApp: TestApp, password: string): Promise<void> {
  const visitor = testApp.user('a visitor')
  await visitor.get('forgot_password', { email: BORIS })
  await testApp.settle()
  await testApp.advance('1 s')
  const keys = (await testApp.mails(BORIS)).flatMap(
    ({ text }) => /\/recovery\/([\w-]+)/.exec(text)?.[1] ?? [],
  )
  await visitor.post('recovery_password', { recoveryKey: keys[0], password })
}

async function addPasskey(testApp: TestApp, user: TestUser) {
  const device = createPasskeyDevice(testApp.origin)
  const question = await user.post('auth/passkey/options', { purpose: 'add', current_password })
  await user.post('auth/passkey/verify', { name: 'x', answer: device.create(question) })
  return async (visitor: TestUser) =>
    visitor.auth({
      passkey: device.answer(await visitor.post('auth/passkey/options', { purpose: 'login' })),
    })
}

story(
  'a recovery by a former address removes the passkey of the thief, who does not come back',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const thief = testApp.user('a thief')
    await thief.auth(credentials)
    const logIn = await addPasskey(testApp, thief)
    await testApp.leap('100 h')
    await testApp.app.db
      .updateTable('users')
      .set({ email: 'thief@elsewhere.example', email_confirmed_at: null })
      .set({ email_trusted_from: testApp.clock.now().add({ hours: 168 }) })
      .where('id', '=', boris.id)
      .execute()
    const until = testApp.clock.now().add({ hours: 168 })
    const values = { user_id: boris.id, email: BORIS, until }
    await testApp.app.db.insertInto('former_emails').values(values).execute()
    await testApp.leap('100 h')
    await recover(testApp, 'other-secret-1')
    const late = testApp.user('the thief')
    await late.isRefused('wrong_login', () => logIn(late))
    const { user } = await testApp
      .user('boris again')
      .auth({ login: BORIS, password: 'other-secret-1' })
    deepEqual([user.email, user.second_factor], [BORIS, false])
  },
)

story(
  'a recovery of an account with an unconfirmed address removes every factor',
  async ({ testApp, boris }) => {
    await testApp.app.db
      .updateTable('users')
      .set({ email_confirmed_at: null })
      .where('id', '=', boris.id)
      .execute()
    const logIn = await addPasskey(testApp, boris)
    await testApp.leap('1000 h')
    await recover(testApp, 'other-secret-1')
    const squatter = testApp.user('who registered the account')
    await squatter.isRefused('wrong_login', () => logIn(squatter))
    await testApp.user('boris').auth({ login: BORIS, password: 'other-secret-1' })
  },
)

story(
  'a factor that is stored after a recovery ended the login is refused, also if its request began before',
  async ({ testApp, boris }) => {
    const { app } = testApp
    const viewer = (await identityProvider.byToken(app, boris.token!)) as Member
    const { secret } = await boris.post('auth/totp/options', { current_password })
    const device = createPasskeyDevice(testApp.origin)
    const question = await boris.post('auth/passkey/options', { purpose: 'add', current_password })
    const answer = device.create(question)
    await testApp.app.transact((tx) => endLoginsAndSockets(tx, boris.id, 'all'))
    const isOver = (error: unknown) => isRefusal(error) && error.refusal === 'session_invalid'
    await rejects(turnTotpOn(app, viewer, { otp: codeAt(testApp, secret) }), isOver)
    await rejects(storePasskey(app, viewer, { name: 'thief', answer }), isOver)
  },
)

story(
  'a recovery by a young address removes no factor of the account',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const trusted = testApp.clock.now().add({ hours: 168 })
    await testApp.app.db
      .updateTable('users')
      .set({ email_trusted_from: trusted })
      .where('id', '=', boris.id)
      .execute()
    const logIn = await addPasskey(testApp, boris)
    await recover(testApp, 'other-secret-1')
    equal((await logIn(testApp.user('boris'))).user.second_factor, true)
  },
)

story(
  'with a second factor nothing of the account changes without it, and recovery does not remove a factor of long standing',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const { secret } = await enrol(testApp, boris)
    await testApp.leap('169 h')
    const isAsked = (call: () => Promise<unknown>) => boris.isRefused('second_factor', call)
    await isAsked(() => boris.post('profile', { password: 'other-secret-1', current_password }))
    await isAsked(() => boris.post('profile', { email: 'new@duet.example', current_password }))
    await isAsked(() => boris.post('delete_account', { password: PASSWORD, confirm: true }))
    await isAsked(() => boris.post('auth/totp/options', { current_password }))
    await isAsked(() => boris.post('auth/totp/delete', { current_password, otp: WRONG_CODE }))
    await isAsked(() => boris.post('auth/passkey/options', { purpose: 'add', current_password }))
    await recover(testApp, 'other-secret-1')
    const phone = testApp.user('boris on a phone')
    const renewed = { login: BORIS, password: 'other-secret-1' }
    await phone.isRefused('second_factor', () => phone.auth(renewed))
    await phone.auth({ ...renewed, otp: codeAt(testApp, secret) })
    await testApp.leap('60 s')
    const proof = { current_password: 'other-secret-1', otp: codeAt(testApp, secret) }
    await phone.post('auth/totp/delete', proof)
    await testApp.user('boris again').auth(renewed)
  },
)

story(
  'wrong codes from elsewhere end, and do not keep the owner out of a known network',
  async ({ testApp, boris }) => {
    await enrol(testApp, boris)
    const { app } = testApp
    rememberLogin(app, boris.id, '198.51.100.4')
    for (let time = 0; time < 10; time += 1)
      await consumeFactorAttempt(app, boris.id, `203.0.113.${time}`)
    await rejects(consumeFactorAttempt(app, boris.id, '203.0.113.99'), (error) =>
      isRefusal(error, 'too_many'),
    )
    await consumeFactorAttempt(app, boris.id, '198.51.100.4')
  },
)

story(
  'a passkey logs in without a password, once for each question',
  async ({ testApp, boris }) => {
    const device = createPasskeyDevice(testApp.origin)
    const question = await boris.post('auth/passkey/options', { purpose: 'add', current_password })
    const made = await boris.post('auth/passkey/verify', {
      name: 'My phone',
      answer: device.create(question),
    })
    deepEqual([made.name, made.last_used], ['My phone', null])
    const visitor = testApp.user('boris on a phone')
    const asked = await visitor.post('auth/passkey/options', { purpose: 'login', login: BORIS })
    equal('allowCredentials' in asked && asked.allowCredentials !== undefined, false)
    const passkey = device.answer(asked)
    equal((await visitor.auth({ passkey })).user.id, boris.id)
    const other = testApp.user('a thief')
    await other.isRefused('wrong_login', () => other.auth({ passkey }))
    deepEqual(await other.isRefused('second_factor', () => other.auth(credentials)), {
      methods: ['passkey'],
    })
    const proof = device.answer(await other.post('auth/passkey/options', { purpose: 'login' }))
    equal((await other.auth({ ...credentials, passkey: proof })).user.id, boris.id)
    notEqual((await boris.get('auth/passkey/list')).passkeys[0]!.last_used, null)
  },
)

story(
  'an answer of another origin, domain, purpose, device or time is refused',
  async ({ testApp, boris, carl }) => {
    const device = createPasskeyDevice(testApp.origin)
    const add = () => boris.post('auth/passkey/options', { purpose: 'add', current_password })
    const store = (answer: unknown) => boris.post('auth/passkey/verify', { name: 'x', answer })
    const isWrong = (answer: unknown) => boris.isRefused('second_factor', () => store(answer))
    await isWrong(createPasskeyDevice('https://evil.example').create(await add()))
    await isWrong(device.create(await add(), { domain: 'evil.example' }))
    await isWrong(device.create(await boris.post('auth/passkey/options', { purpose: 'login' })))
    await isWrong(device.create(await add(), { is_verified: false }))
    const ofCarl = await carl.post('auth/passkey/options', {
      purpose: 'add',
      current_password: 'carl-secret-1',
    })
    await isWrong(device.create(ofCarl))
    const late = device.create(await add())
    await testApp.leap('5 min')
    await isWrong(late)
    await isWrong({ id: 'x', type: 'public-key', response: { clientDataJSON: '%%' } })
    const good = device.create(await add())
    await store(good)
    await isWrong(good)
    const visitor = testApp.user('a visitor')
    const refused = async (make: (question: Record<string, unknown>) => unknown) => {
      const question = await visitor.post('auth/passkey/options', { purpose: 'login' })
      await visitor.isRefused('wrong_login', () =>
        visitor.auth({ passkey: make(question) as never }),
      )
    }
    await refused((question) => device.answer(question, { is_verified: false }))
    await refused((question) => device.answer(question, { domain: 'evil.example' }))
    await refused((question) => device.answer({ ...question, challenge: 'A'.repeat(51) }))
    await refused((question) => createPasskeyDevice(testApp.origin).answer(question))
  },
)

story(
  'a passkey is forgotten with a proof, and by the operator without',
  async ({ testApp, boris }) => {
    const device = createPasskeyDevice(testApp.origin)
    const question = await boris.post('auth/passkey/options', { purpose: 'add', current_password })
    const { id } = await boris.post('auth/passkey/verify', {
      name: 'x',
      answer: device.create(question),
    })
    await boris.isRefused('second_factor', () =>
      boris.post('auth/passkey/delete', { id, current_password }),
    )
    const proof = async () =>
      device.answer(await boris.post('auth/passkey/options', { purpose: 'login' }))
    await boris.isRefused('not_found', async () =>
      boris.post('auth/passkey/delete', { id: 'other', current_password, passkey: await proof() }),
    )
    await boris.post('auth/passkey/delete', { id, current_password, passkey: await proof() })
    equal((await boris.get('profile')).user.second_factor, false)
    await enrol(testApp, boris)
    deepEqual(await testApp.duet('factors', 'remove', BORIS, '--reason', 'lost'), {
      id: boris.id,
      removed: true,
    })
    equal((await auditedActs(testApp))[0], 'factors_remove')
    await testApp.user('boris again').auth(credentials)
  },
)

story(
  'a change of address asks for its captcha before it uses the code of a factor up',
  async ({ testApp, boris }) => {
    const { secret } = await enrol(testApp, boris)
    await testApp.setting('email_tries_a_day', '1')
    const change = (email: string, captcha?: string) =>
      boris.post(
        'profile',
        { email, current_password, otp: codeAt(testApp, secret) },
        captcha === undefined ? {} : { captcha },
      )
    boris.token = (await change('first@duet.example')).token
    await testApp.leap('60 s')
    const asked = await boris.isRefused('captcha_required', () => change('second@duet.example'))
    const { user } = await change('second@duet.example', await solvedCaptcha(asked))
    equal(user.email, 'second@duet.example')
  },
)
