import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { request } from 'node:http'
import { auditedActs, codeAt, openStaff, STAFF_PASSWORD } from '@duet/testkit/test-staff.ts'
import { createPasskeyDevice } from '@duet/testkit/browser/passkey-device.ts'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { verifyPassword } from '../logins/index.ts'
import { openApi } from '@duet/protocol/reference/openapi.ts'

const EMAIL = 'dana@duet.example'

/** Lets the time pass without running the work that falls into it. */
function sleep(testApp: TestApp, time: { hours?: number; minutes?: number }) {
  testApp.clock.sleep(testApp.clock.now().add(time))
}

async function invite(testApp: TestApp, role = 'moderator', email = EMAIL) {
  const { link } = await testApp.duet<{ link: string }>('staff', 'add', email, '--role', role)
  match(link, /\/office\/setup\/#[\w-]{43}$/)
  return link.slice(link.indexOf('#') + 1)
}

/** Sets a member up by the link; returns the secret of the one-time codes. */
async function setUp(testApp: TestApp, page: TestUser, token: string): Promise<string> {
  const { totp_secret } = await page.post('v2/manager/setup/begin', { token })
  const otp = codeAt(totp_secret, testApp.clock.now())
  await page.post('v2/manager/setup/finish', { token, password: STAFF_PASSWORD, otp })
  await testApp.leap('60 s')
  return totp_secret
}

story('a member of staff signs in with both factors, for twelve hours', async ({ testApp }) => {
  const secret = await setUp(testApp, testApp.user('setup'), await invite(testApp))
  const page = testApp.user('dana')
  const signIn = (given: object) =>
    page.post('v2/manager/sign-in', { email: 'Dana@duet.example', ...given })
  await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
  await page.isRefused('wrong_login', () => signIn({ password: 'wrong-secret-1' }))
  await page.isRefused('wrong_login', () => signIn({}))
  await page.isRefused('second_factor', () => signIn({ password: STAFF_PASSWORD }))
  await page.isRefused('second_factor', () => signIn({ password: STAFF_PASSWORD, otp: '000000' }))
  equal(page.cookie, undefined)
  const otp = codeAt(secret, testApp.clock.now())
  const { staff } = await signIn({ password: STAFF_PASSWORD, otp })
  deepEqual([staff.email, staff.role], [EMAIL, 'moderator'])
  match(page.cookie!, /^__Host-duet_staff=[\w-]{43}$/)
  const { components } = openApi() as { components: { securitySchemes: Record<string, object> } }
  deepEqual(components.securitySchemes.staff, {
    type: 'apiKey',
    in: 'cookie',
    name: page.cookie!.split('=')[0],
  })
  equal((await page.get('v2/manager/me')).staff.id, staff.id)
  const second = testApp.user('a second page')
  await second.isRefused('second_factor', () =>
    second.post('v2/manager/sign-in', { email: EMAIL, password: STAFF_PASSWORD, otp }),
  )
  sleep(testApp, { hours: 12 })
  await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
})

story('the one-time link works once, and a new link ends what was before', async ({ testApp }) => {
  const token = await invite(testApp)
  const page = testApp.user('dana')
  const secret = await setUp(testApp, page, token)
  await page.isRefused('recovery_invalid', () => page.post('v2/manager/setup/begin', { token }))
  const again = (await testApp.duet<{ link: string }>('staff', 'link', EMAIL)).link.split('#')[1]!
  equal((await page.get('v2/manager/me')).staff.email, EMAIL)
  const other = testApp.user('dana on a new phone')
  await other.isRefused('password_weak', () =>
    other.post('v2/manager/setup/finish', { token: again, password: 'aaa', otp: '000000' }),
  )
  await other.isRefused('second_factor', () =>
    other.post('v2/manager/setup/finish', {
      token: again,
      password: STAFF_PASSWORD,
      otp: '000000',
    }),
  )
  const renewed = await setUp(testApp, other, again)
  await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
  await page.isRefused('second_factor', () =>
    page.post('v2/manager/sign-in', {
      email: EMAIL,
      password: STAFF_PASSWORD,
      otp: codeAt(secret, testApp.clock.now()),
    }),
  )
  ok(renewed !== secret)
  await testApp.duet('staff', 'link', EMAIL)
  sleep(testApp, { hours: 24 })
  const late = (await testApp.duet<{ link: string }>('staff', 'link', EMAIL)).link.split('#')[1]!
  sleep(testApp, { hours: 24 })
  await other.isRefused('recovery_invalid', () =>
    other.post('v2/manager/setup/begin', { token: late }),
  )
})

story('of several uses of one link at once, one succeeds', async ({ testApp }) => {
  const token = await invite(testApp)
  const page = testApp.user('dana')
  const { totp_secret } = await page.post('v2/manager/setup/begin', { token })
  const otp = codeAt(totp_secret, testApp.clock.now())
  const results = await together(4, (index) =>
    testApp
      .user(`page ${index}`)
      .post('v2/manager/setup/finish', { token, password: STAFF_PASSWORD, otp })
      .then(
        () => 'done',
        (error: { refusal: string }) => error.refusal,
      ),
  )
  deepEqual(results.toSorted(), [
    'done',
    'recovery_invalid',
    'recovery_invalid',
    'recovery_invalid',
  ])
})

story(
  'who has opened the link before does not know the secret of the codes',
  async ({ testApp }) => {
    const token = await invite(testApp)
    const begin = async (name: string) =>
      (await testApp.user(name).post('v2/manager/setup/begin', { token })).totp_secret
    const seen = await begin('a stranger')
    const own = await begin('dana')
    ok(seen !== own)
    const page = testApp.user('a page')
    const finish = (secret: string) =>
      page.post('v2/manager/setup/finish', {
        token,
        password: STAFF_PASSWORD,
        otp: codeAt(secret, testApp.clock.now()),
      })
    await page.isRefused('second_factor', () => finish(seen))
    await finish(own)
    deepEqual((await auditedActs(testApp)).slice(0, 3), [
      'staff_sign_in',
      'staff_setup',
      'staff_setup',
    ])
  },
)

story('a passkey stands for both factors', async ({ testApp }) => {
  const token = await invite(testApp)
  const page = testApp.user('dana')
  const device = createPasskeyDevice(testApp.app.config.origins[0]!)
  const question = await page.post('v2/manager/passkey/options', { token })
  const passkey = device.create(question as never)
  await page.post('v2/manager/setup/finish', { token, passkey })
  equal((await page.get('v2/manager/me')).staff.email, EMAIL)
  const asked = await page.post('v2/manager/passkey/options', {})
  const answer = device.answer(asked as never)
  const other = testApp.user('dana again')
  await other.post('v2/manager/sign-in', { passkey: answer })
  equal((await other.get('v2/manager/me')).staff.email, EMAIL)
  await other.isRefused('second_factor', () =>
    other.post('v2/manager/sign-in', { passkey: answer }),
  )
})

story('pages of another origin neither act nor sign in', async ({ testApp }) => {
  const page = await openStaff(testApp, 'owner')
  page.proxy_headers = { origin: 'https://other.example' }
  await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
  await page.isRefused('session_invalid', () => page.post('v2/manager/sign-in', { email: EMAIL }))
  page.proxy_headers = { 'sec-fetch-site': 'cross-site' }
  await page.isRefused('session_invalid', () => page.post('v2/manager/sign-out'))
  page.proxy_headers = {}
  await page.post('v2/manager/sign-out')
  await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
})

const OFFICE = 'http://127.0.0.1:4455'

/** The status of a GET of the own entry. fetch does not send a Host header of its own. */
function statusOfMe(testApp: TestApp, headers: Record<string, string>): Promise<number> {
  const url = `${testApp.origin}/api/v2/manager/me`
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'client-version': '2.0.0', ...headers } }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on('error', reject)
      .end()
  })
}

story.with({
  env: { OFFICE_NETWORKS: '127.0.0.1,203.0.113.0/24,2001:db8:5::/48', TRUSTED_PROXIES: '1' },
})(
  'the office can be reached from its networks only, also with a session',
  async ({ testApp, boris }) => {
    const page = await openStaff(testApp, 'owner')
    const from = (address: string) => {
      page.proxy_headers = { 'x-forwarded-for': address }
    }
    for (const address of ['203.0.113.9', '2001:db8:5:1::9']) {
      from(address)
      equal((await page.get('v2/manager/me')).staff.role, 'owner')
    }
    for (const address of ['203.0.114.9', '2001:db8:6::9', '203.0.113.9, 198.51.100.9']) {
      from(address)
      await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
      await page.isRefused('session_invalid', () => page.post('v2/manager/sign-out'))
      await page.isRefused('session_invalid', () =>
        page.post('v2/manager/sign-in', { email: EMAIL, password: STAFF_PASSWORD }),
      )
    }
    boris.proxy_headers = { 'x-forwarded-for': '203.0.114.9' }
    ok(await boris.get('statements'), 'users come from everywhere')
  },
)

story('an office with an origin of its own is there alone', async ({ testApp }) => {
  const { cookie } = await openStaff(testApp, 'owner')
  const config = testApp.app.config as { office_origin?: string | undefined }
  const at = (host: string, origin?: string) =>
    statusOfMe(testApp, { cookie: cookie!, host, ...(origin !== undefined && { origin }) })
  const own = new URL(testApp.origin).host
  const office = new URL(OFFICE).host
  equal(await at(own, testApp.origin), 200)
  config.office_origin = OFFICE
  const { link } = await testApp.duet<{ link: string }>(
    'staff',
    'add',
    EMAIL,
    '--role',
    'moderator',
  )
  ok(link.startsWith(`${OFFICE}/office/setup/#`))
  deepEqual([await at(office), await at(office, OFFICE)], [200, 200])
  // A script of a user page, with the cookie.
  for (const [host, origin] of [
    [own],
    [own, testApp.origin],
    [own, OFFICE],
    [office, testApp.origin],
  ])
    equal(await at(host!, origin), 401)
  config.office_origin = undefined
})

story.with({ env: { TRUSTED_PROXIES: '1' } })(
  'guesses at passwords of users delay neither an open session nor a known network',
  async ({ testApp }) => {
    const at = (name: string) => {
      const page = testApp.user(name)
      page.proxy_headers = { 'x-forwarded-for': '84.1.2.3' }
      return page
    }
    const page = at('dana')
    const secret = await setUp(testApp, page, await invite(testApp))
    const given = () => ({
      password: STAFF_PASSWORD,
      otp: codeAt(secret, testApp.clock.now()),
    })
    const fill = () =>
      together(52, () => verifyPassword('guess', undefined, 'public').catch(() => 'full'))
    let guesses = fill()
    await page.post('v2/manager/prove', given())
    await guesses
    await testApp.leap('60 s')
    guesses = fill()
    await at('dana again').post('v2/manager/sign-in', { email: EMAIL, ...given() })
    await guesses
  },
)

story(
  'wrong passwords from elsewhere ask for a captcha, and lock no member out',
  async ({ testApp }) => {
    const secret = await setUp(testApp, testApp.user('setup'), await invite(testApp))
    const stranger = testApp.user('a stranger')
    const guess = () =>
      stranger.post('v2/manager/sign-in', { email: EMAIL, password: 'wrong-secret-1' })
    for (let index = 0; index < 5; index += 1) await stranger.isRefused('wrong_login', guess)
    await stranger.isRefused('captcha_required', guess)
    const page = testApp.user('dana')
    const given = {
      email: EMAIL,
      password: STAFF_PASSWORD,
      otp: codeAt(secret, testApp.clock.now()),
    }
    const asked = await page.isRefused('captcha_required', () =>
      page.post('v2/manager/sign-in', given),
    )
    const headers = { captcha: await solvedCaptcha(asked) }
    equal((await page.post('v2/manager/sign-in', given, headers)).staff.email, EMAIL)
  },
)

story.with({ env: { TRUSTED_PROXIES: '1' } })(
  'wrong codes of a thief of the password lock out neither a known network nor an open session',
  async ({ testApp }) => {
    const at = (name: string, address: string) => {
      const page = testApp.user(name)
      page.proxy_headers = { 'x-forwarded-for': address }
      return page
    }
    const page = at('dana', '84.1.2.3')
    const secret = await setUp(testApp, page, await invite(testApp))
    const thief = at('a thief', '91.5.6.7')
    const given = (otp: string) => ({ password: STAFF_PASSWORD, otp })
    const signIn = (from: TestUser, otp: string) =>
      from.post('v2/manager/sign-in', { email: EMAIL, ...given(otp) })
    for (let time = 0; time < 10; time += 1)
      await thief.isRefused('second_factor', () => signIn(thief, '000000'))
    for (let time = 0; time < 2; time += 1)
      await thief.isRefused('too_many', () => signIn(thief, '000000'))
    await testApp.settle()
    const subjects = (await testApp.mails(EMAIL)).map(({ subject }) => subject)
    deepEqual(subjects, ['Another person knows your password of the back office'])
    await page.post('v2/manager/prove', given(codeAt(secret, testApp.clock.now())))
    await testApp.leap('60 s')
    await signIn(at('dana again', '84.1.2.3'), codeAt(secret, testApp.clock.now()))
    for (let time = 0; time < 9; time += 1)
      await page.isRefused('second_factor', () => page.post('v2/manager/prove', given('000000')))
    await page.isRefused('too_many', () => page.post('v2/manager/prove', given('000000')))
  },
)

story('an owner changes roles and ends members, never the own entry', async ({ testApp }) => {
  const owner = await openStaff(testApp, 'owner')
  const dana = await openStaff(testApp, 'moderator', EMAIL)
  const change = (given: object) => owner.post('v2/manager/staff', { reason: 'a test', ...given })
  await dana.isRefused('role_forbidden', () => dana.get('v2/manager/staff'))
  const { link } = await change({ email: 'finn@duet.example', role: 'finance' })
  match(link!, /#/)
  await owner.isRefused('role_forbidden', () =>
    change({ email: 'owner@duet.example', role: 'finance' }),
  )
  await owner.isRefused('email_invalid', () => change({ email: 'finn', role: 'finance' }))
  await owner.isRefused('not_found', () => change({ email: 'x@duet.example', role: null }))
  await change({ email: EMAIL, role: 'owner' })
  equal((await dana.get('v2/manager/staff')).staff.length, 3)
  await change({ email: EMAIL, role: null })
  await dana.isRefused('session_invalid', () => dana.get('v2/manager/me'))
  sleep(testApp, { minutes: 10 })
  await owner.isRefused('second_factor', () => change({ email: EMAIL, role: 'owner' }))
})

story('the own sessions are listed and ended', async ({ testApp }) => {
  const page = await openStaff(testApp, 'moderator')
  const { sessions } = await page.get('v2/manager/sessions')
  deepEqual(
    sessions.map(({ current }) => current),
    [true],
  )
  await page.isRefused('not_found', () => page.post('v2/manager/sessions/end', { id: 999 }))
  await page.post('v2/manager/sessions/end', { id: sessions[0]!.id })
  equal((await auditedActs(testApp))[0], 'session_end')
  await page.isRefused('session_invalid', () => page.get('v2/manager/me'))
})

story(
  'an unconfirmed account with the address of a member shields neither itself nor its device',
  async ({ testApp, boris, carl }) => {
    const { db } = testApp.app
    await db
      .updateTable('users')
      .set({ email: EMAIL, email_confirmed_at: null })
      .where('id', '=', carl.id)
      .execute()
    for (const one of [boris, carl])
      await one.act('D_INFO', { fingerprint: 'chosen by the client' })
    const dana = await openStaff(testApp, 'moderator', EMAIL)
    const act = (user_id: number) =>
      dana.post(
        'v2/manager/warning/impose',
        { user_id, reason: 'other', comment: 'Please be kind.' },
        { 'idempotency-key': crypto.randomUUID() },
      )
    await act(boris.id)
    await act(carl.id)
    await db
      .updateTable('users')
      .set({ email_confirmed_at: testApp.clock.now() })
      .where('id', '=', carl.id)
      .execute()
    await dana.isRefused('role_forbidden', () => act(carl.id))
    await act(boris.id)
    equal((await auditedActs(testApp)).includes('shared_device'), true)
  },
)

story('no user takes the address of a member of staff', async ({ testApp, boris }) => {
  await invite(testApp)
  const address = { email: 'Dana@duet.example ', current_password: 'boris-secret-1' }
  await boris.isRefused('email_used', () => boris.act('UPDATE_PROFILE', address))
  const guest = testApp.user('a guest')
  await guest.auth()
  await guest.post('age/confirm', { confirmed: true, terms: true })
  const wish = { nick: 'Shield', email: EMAIL, password: 'shield-secret-1', gender: 'M' as const }
  await guest.isRefused('email_used', () =>
    guest.act('UPDATE_PROFILE', { ...wish, birthday: '1998-02-03' }),
  )
})

story('staff are no users', async ({ testApp, boris }) => {
  const page = await openStaff(testApp, 'owner')
  await page.isRefused('session_invalid', () => page.get('profile'))
  await boris.isRefused('session_invalid', () => boris.get('v2/manager/me'))
  await page.isRefused('not_found', () =>
    page.post('v2/manager/demo-sign-in', { staff_role: 'owner' }),
  )
})

story('the end of a session and a switch of alarms stand in the audit log', async ({ testApp }) => {
  const page = await openStaff(testApp, 'manager', EMAIL)
  const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' } }
  await page.post('v2/manager/push', { subscription, on: false })
  await page.isRefused('not_found', () => page.post('v2/manager/sessions/end', { id: 999 }))
  await page.post('v2/manager/sign-out')
  const acts = await auditedActs(testApp)
  deepEqual(acts.slice(0, 3), ['staff_sign_out', 'push_change', 'staff_sign_in'])
})

story('a member is set up without a browser by the secret of the shell', async ({ testApp }) => {
  const line = ['staff', 'add', 'dana@duet.example', '--role', 'moderator', '--totp'] as const
  const { link, totp_secret } = await testApp.duet<{ link: string; totp_secret: string }>(...line)
  const page = testApp.user('dana@duet.example')
  await page.post('v2/manager/setup/finish', {
    token: link.slice(link.indexOf('#') + 1),
    password: STAFF_PASSWORD,
    otp: codeAt(totp_secret, testApp.clock.now()),
  })
  equal((await page.get('v2/manager/me')).staff.role, 'moderator')
})
