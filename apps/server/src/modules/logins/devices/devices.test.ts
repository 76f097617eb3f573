import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { story } from '@duet/testkit/test-app.ts'
import { deviceName } from './device-name.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const PIXEL =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('a device has a name that its user recognises, and an unknown one has none', () => {
  deepEqual([CHROME, IPHONE, PIXEL, FIREFOX, ''].map(deviceName), [
    'Chrome, Windows',
    'Safari, iPhone, iOS',
    'Chrome, Android',
    'Firefox, Linux',
    '',
  ])
})

test('no text of a client is part of the name of a device', () => {
  const prize = 'Your prize waits at www.evil.example/1 x'
  const link = 'https://evil.example/win 1'
  const phone = CHROME.replace('Windows NT 10.0', 'Nokia 66; www.evil.example')
  deepEqual([prize, link, phone, 'x'.repeat(400)].map(deviceName), ['', '', 'Chrome', ''])
})

const onPhone = { 'user-agent': IPHONE }

story(
  'users see the devices on which they are logged in, with the time and country of the last visit',
  async ({ testApp, boris }) => {
    const phone = testApp.user('boris on a phone')
    await testApp.advance('1 min')
    await phone.connect({ origin: testApp.origin, ...onPhone })
    await phone.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    await testApp.settle()
    const { sessions } = await phone.get('account/sessions')
    equal(sessions.length, 2)
    deepEqual(
      sessions.map(({ current, device }) => ({ current, device })),
      [
        { current: true, device: 'Safari, iPhone, iOS' },
        { current: false, device: '' },
      ],
    )
    ok(sessions[0]!.last_visit > sessions[1]!.last_visit)
    const seenByBoris = await boris.get('account/sessions')
    deepEqual(
      seenByBoris.sessions.map(({ current }) => current),
      [true, false],
    )
  },
)

story(
  'a user ends one device or all others, and no device of another user',
  async ({ testApp, boris, carl }) => {
    const by = { login: 'boris@duet.example', password: 'boris-secret-1' }
    const [phone, tablet] = [testApp.user('a phone'), testApp.user('a tablet')]
    await phone.auth(by)
    await tablet.auth(by)
    const fetchId = async (user: typeof phone) =>
      (await user.get('account/sessions')).sessions.find(({ current }) => current)!.id
    const carls = await fetchId(carl)
    await boris.isRefused('not_found', () => boris.post('account/sessions/end', { id: carls }))
    const phones = await fetchId(phone)
    await boris.post('account/sessions/end', { id: phones })
    await phone.isRefused('session_invalid', () => phone.get('profile'))
    await boris.isRefused('not_found', () => boris.post('account/sessions/end', { id: phones }))
    await boris.post('account/sessions/end', { others: true })
    await testApp.settle()
    await tablet.isRefused('session_invalid', () => tablet.get('profile'))
    equal(tablet.wire!.socket.connected, false)
    equal((await boris.get('account/sessions')).sessions.length, 1)
    equal((await carl.get('profile')).user.id, carl.id)
  },
)

story(
  'a login that ended in a commit with a lost answer closes its page within a second',
  async ({ testApp, boris }) => {
    const phone = testApp.user('a phone')
    await phone.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    loseAnswerOfCommit(testApp, /update "logins"/)
    await rejects(boris.post('account/sessions/end', { others: true }))
    await testApp.advance('1 s')
    equal(phone.wire!.socket.connected, false)
    await phone.isRefused('session_invalid', () => phone.get('profile'))
  },
)

story('a login on a device that is new is told to its owner, once', async ({ testApp, boris }) => {
  const by = { login: await testApp.confirmEmail(boris), password: 'boris-secret-1' }
  const loginOn = async (userAgent: string) => {
    const page = testApp.user('boris')
    await page.connect({ origin: testApp.origin, 'user-agent': userAgent })
    await page.auth(by)
    await testApp.settle()
    return page
  }
  await loginOn(IPHONE)
  await loginOn(IPHONE)
  await loginOn(CHROME)
  const mails = await testApp.mails(by.login)
  deepEqual(mails.map(({ subject }) => subject).toSorted(), [
    'New login: Chrome, Windows',
    'New login: Safari, iPhone, iOS',
  ])
  equal((await boris.get('notices')).items.length, 2)
})

story.with({ env: { TRUSTED_PROXIES: '1', COUNTRY_HEADER: 'CF-IPCountry' } })(
  'a login from another country is told to its owner, whatever the device is called',
  async ({ testApp, boris }) => {
    const by = { login: await testApp.confirmEmail(boris), password: 'boris-secret-1' }
    const loginIn = async (country: string) => {
      const page = testApp.user('boris')
      await page.connect({
        origin: testApp.origin,
        'user-agent': CHROME,
        'cf-ipcountry': country,
        'x-forwarded-for': '192.0.2.1',
      })
      await page.auth(by)
      await testApp.settle()
    }
    for (const country of ['DE', 'DE', 'FR', 'DE', 'FR']) await loginIn(country)
    equal((await testApp.mails(by.login)).length, 2)
  },
)
