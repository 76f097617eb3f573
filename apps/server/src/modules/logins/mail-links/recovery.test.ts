import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { hashToken } from '../../../lib/ids.ts'
import { userById } from '../../identity/index.ts'
import { identityProvider } from '../auth/token-viewers.ts'

const BORIS = 'boris@duet.example'
const NEW = 'a-new-secret-1'

/** The keys of the recovery mails to an address, the newest first. */
async function fetchKeys(testApp: TestApp, to = BORIS): Promise<string[]> {
  const mails = await testApp.mails(to)
  return mails.flatMap(({ text }) => /\/recovery\/([\w-]+)/.exec(text)?.[1] ?? [])
}

async function ask(testApp: TestApp, email = BORIS): Promise<void> {
  deepEqual(await testApp.user('a visitor').get('forgot_password', { email }), {})
  await testApp.settle()
  await testApp.advance('1 s')
}

function recover(testApp: TestApp, recoveryKey: string, password = NEW): Promise<unknown> {
  return testApp.user('a visitor').post('recovery_password', { recoveryKey, password })
}

story(
  'a recovery link sets a new password once and ends every login at once',
  async ({ testApp, boris, carl }) => {
    const phone = testApp.user('boris on a phone')
    await phone.auth({ login: BORIS, password: 'boris-secret-1' })
    const { ortc_token, fs_token } = phone.user as unknown as Record<string, string>
    await ask(testApp, ` ${BORIS.toUpperCase()} `)
    const [key] = await fetchKeys(testApp)
    match(key!, /^[\w-]{43}$/)
    await recover(testApp, key!)
    await testApp.settle()
    for (const user of [boris, phone]) {
      await user.isRefused('session_invalid', () => user.get('profile'))
      equal(user.wire!.socket.connected, false)
    }
    equal(await identityProvider.byOrtcToken(testApp.app, ortc_token!), undefined)
    equal(await identityProvider.byFsToken!(testApp.app, fs_token!), undefined)
    const again = testApp.user('boris again')
    await again.isRefused('wrong_login', () =>
      again.auth({ login: BORIS, password: 'boris-secret-1' }),
    )
    const { user } = await again.auth({ login: BORIS, password: NEW })
    deepEqual([user.id, user.email_confirmed], [boris.id, true])
    equal((await carl.get('profile')).user.id, carl.id)
    ok(
      (await testApp.mails(BORIS)).some(({ subject }) =>
        subject.includes('Your password was set by a link we emailed'),
      ),
    )
    await again.isRefused('recovery_invalid', () => recover(testApp, key!, 'another-secret-1'))
  },
)

story(
  'of many uses of one recovery link at once, one sets the password',
  async ({ testApp, boris }) => {
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    const results = await together(12, (index) =>
      recover(testApp, key!, `secret-of-try-${index}`).then(
        () => 'set',
        (error: { refusal: string }) => error.refusal,
      ),
    )
    deepEqual(results.toSorted(), [...Array<string>(11).fill('recovery_invalid'), 'set'])
    const again = testApp.user('boris again')
    const winner = `secret-of-try-${results.indexOf('set')}`
    equal((await again.auth({ login: BORIS, password: winner })).user.id, boris.id)
  },
)

story(
  'a newer link, ten minutes or a changed password end a recovery link',
  async ({ testApp, boris }) => {
    const visitor = testApp.user('a visitor')
    const isOver = (key: string) =>
      visitor.isRefused('recovery_invalid', () => recover(testApp, key))
    await ask(testApp)
    const [first] = await fetchKeys(testApp)
    await ask(testApp)
    const [second] = await fetchKeys(testApp)
    await isOver(first!)
    await boris.post('profile', { password: 'other-secret-1', current_password: 'boris-secret-1' })
    await isOver(second!)
    await testApp.leap('1 h')
    await ask(testApp)
    const [third] = await fetchKeys(testApp)
    await testApp.leap('10 min')
    await isOver(third!)
    const rows = await testApp.app.db.selectFrom('mailed_links').select('state').execute()
    deepEqual(rows.map(({ state }) => state).toSorted(), ['expired', 'replaced', 'replaced'])
    for (const wrong of ['x', 'A'.repeat(43), first!.toLowerCase()]) await isOver(wrong)
  },
)

story('the database holds only the hash of a recovery key', async ({ testApp, boris }) => {
  await ask(testApp)
  const [key] = await fetchKeys(testApp)
  const tables = ['mailed_links', 'outbox', 'users', 'logins'] as const
  for (const table of tables) {
    const rows = await testApp.app.db.selectFrom(table).selectAll().execute()
    ok(!JSON.stringify(rows).includes(key!), table)
  }
  const [row] = await testApp.app.db.selectFrom('mailed_links').selectAll().execute()
  deepEqual([row!.key_hash, row!.user_id], [hashToken(key!), boris.id])
})

story(
  'an account gets at most three recovery mails an hour, the third for a network of its owner only',
  async ({ testApp, boris }) => {
    await testApp.setting('login_tries_an_hour', '100')
    await together(20, () => testApp.user('a visitor').get('forgot_password', { email: BORIS }))
    await testApp.settle()
    equal((await fetchKeys(testApp)).length, 2)
    await boris.auth({ login: BORIS, password: 'boris-secret-1' })
    await testApp.advance('1 s')
    await ask(testApp)
    await ask(testApp)
    const keys = await fetchKeys(testApp)
    equal(keys.length, 3)
    await recover(testApp, keys[0]!)
    await testApp.leap('1 h')
    await ask(testApp)
    equal((await fetchKeys(testApp)).length, 4)
  },
)

story(
  'after five requests for an address a captcha is asked for, the same whether a member has it',
  async ({ testApp }) => {
    const visitor = testApp.user('a visitor')
    const UNKNOWN = 'borin@duet.example'
    for (const email of [BORIS, UNKNOWN]) {
      for (let times = 0; times < 5; times += 1) await ask(testApp, email)
      const refused = () => visitor.get('forgot_password', { email })
      const additional = await visitor.isRefused('captcha_required', refused)
      const captcha = await solvedCaptcha(additional)
      const again = () =>
        fetch(`${testApp.origin}/api/forgot_password?email=${encodeURIComponent(email)}`, {
          headers: { captcha },
        })
      deepEqual([(await again()).status, (await again()).status], [200, 429], email)
    }
    await visitor.get('forgot_password', { email: 'carl@duet.example' })
    await testApp.leap('1 h')
    await visitor.get('forgot_password', { email: BORIS })
  },
)

story('requests of a network for many addresses are asked for a captcha', async ({ testApp }) => {
  await testApp.setting('network_login_tries_an_hour', '10')
  const visitor = testApp.user('a visitor')
  for (let number = 0; number < 10; number += 1)
    await visitor.get('forgot_password', { email: `user${number}@duet.example` })
  await visitor.isRefused('captcha_required', () =>
    visitor.get('forgot_password', { email: BORIS }),
  )
  // A request that another site causes is not counted, and no mail follows.
  const page = await fetch(`${testApp.origin}/api/forgot_password?email=${BORIS}`, {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  equal(page.status, 200)
})

story(
  'the third recovery mail waits for a network of the owner also after a restart',
  async ({ testApp, boris }) => {
    await boris.auth({ login: BORIS, password: 'boris-secret-1' })
    await testApp.crash()
    for (let times = 0; times < 4; times += 1) await ask(testApp)
    equal((await fetchKeys(testApp)).length, 3)
  },
)

story(
  'no address that is unknown, erased or a guest’s leads to a mail or a row',
  async ({ testApp, gina }) => {
    for (const email of ['unknown@duet.example', '', 'x', `${gina.id}`, '%', BORIS])
      await ask(testApp, email)
    deepEqual(await testApp.mails(), [])
    deepEqual(await testApp.app.db.selectFrom('mailed_links').selectAll().execute(), [])
  },
)

story('a request that another site caused mails nothing', async ({ testApp, boris }) => {
  const at = `${testApp.origin}/api/forgot_password?email=${encodeURIComponent(BORIS)}`
  const response = await fetch(at, { headers: { 'sec-fetch-site': 'cross-site' } })
  deepEqual(await response.json(), { data: {} })
  deepEqual(await testApp.mails(), [])
  await fetch(at, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
  const [mail] = await testApp.mails(BORIS)
  ok(mail!.text.includes(`${testApp.origin}/recovery/`))
  ok(!mail!.text.includes('evil') && !mail!.html.includes('evil'))
  equal((await userById(testApp.app.db, boris.id))!.email, BORIS)
})

story('a recovery link survives a restart of the server', async ({ testApp, boris }) => {
  await ask(testApp)
  const [key] = await fetchKeys(testApp)
  await testApp.crash()
  await recover(testApp, key!)
  const again = testApp.user('boris again')
  equal((await again.auth({ login: BORIS, password: NEW })).user.id, boris.id)
})

story(
  'a recovery refuses a weak password without using the link up',
  async ({ testApp, boris }) => {
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    const visitor = testApp.user('a visitor')
    for (const weak of ['short-1', 'Password1', 'aaaaaaaaaaaa'])
      await visitor.isRefused('password_weak', () => recover(testApp, key!, weak))
    await recover(testApp, key!)
    equal((await visitor.auth({ login: BORIS, password: NEW })).user.id, boris.id)
  },
)

story(
  'who changed the address of an account loses it to the confirmed former address for seven days',
  async ({ testApp, boris, carl }) => {
    await testApp.confirmEmail(boris)
    const thief = testApp.user('a thief')
    await thief.auth({ login: BORIS, password: 'boris-secret-1' })
    const changed = await thief.post('profile', {
      email: 'thief@elsewhere.example',
      current_password: 'boris-secret-1',
    })
    thief.token = changed.token
    await testApp.confirmEmail(thief)
    await carl.isRefused('email_used', () =>
      carl.post('profile', { email: BORIS, current_password: 'carl-secret-1' }),
    )
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    await recover(testApp, key!)
    await thief.isRefused('session_invalid', () => thief.get('profile'))
    const again = testApp.user('boris again')
    equal((await again.auth({ login: BORIS, password: NEW })).user.email, BORIS)
    await ask(testApp, 'thief@elsewhere.example')
    deepEqual(await fetchKeys(testApp, 'thief@elsewhere.example'), [])
  },
)

story(
  'an address with a typing error gets no recovery, and the former one does',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    await boris.post('profile', {
      email: 'bors@duet.example',
      current_password: 'boris-secret-1',
    })
    await ask(testApp, 'bors@duet.example')
    deepEqual(await fetchKeys(testApp, 'bors@duet.example'), [])
    await ask(testApp)
    equal((await fetchKeys(testApp)).length, 1)
    await testApp.leap('169 h')
    await ask(testApp)
    equal((await fetchKeys(testApp)).length, 1)
    await ask(testApp, 'bors@duet.example')
    equal((await fetchKeys(testApp, 'bors@duet.example')).length, 1)
  },
)

const THIEF = 'thief@elsewhere.example'

/** A thief who knows the password changes the address of boris and confirms the new address. */
async function fetchThief(testApp: TestApp): Promise<TestUser> {
  const thief = testApp.user('a thief')
  await thief.auth({ login: BORIS, password: 'boris-secret-1' })
  await changeTo(thief, THIEF)
  await testApp.confirmEmail(thief)
  return thief
}

async function changeTo(user: TestUser, email: string): Promise<void> {
  const { token } = await user.post('profile', { email, current_password: 'boris-secret-1' })
  user.token = token
}

async function formerEmails({ app }: TestApp): Promise<string[]> {
  const rows = await app.db.selectFrom('former_emails').select('email').execute()
  return rows.map(({ email }) => email)
}

story(
  'an address that the account had for a moment never takes it back',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const thief = await fetchThief(testApp)
    await changeTo(thief, 'second@elsewhere.example')
    await testApp.confirmEmail(thief)
    deepEqual(await formerEmails(testApp), [BORIS])
    // The way back of the owner is not made longer or shorter by what follows.
    await changeTo(thief, BORIS)
    equal((await thief.get('profile')).user.email_confirmed, true)
    deepEqual(await formerEmails(testApp), [])
    for (const email of [THIEF, 'second@elsewhere.example']) {
      await ask(testApp, email)
      deepEqual(await fetchKeys(testApp, email), [])
    }
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    await recover(testApp, key!)
    await ask(testApp, THIEF)
    deepEqual(await fetchKeys(testApp, THIEF), [])
  },
)

story(
  'an owner whose address was there and back has the way back again after the next change',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const thief = await fetchThief(testApp)
    await changeTo(thief, BORIS)
    await changeTo(thief, THIEF)
    await testApp.confirmEmail(thief)
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    await recover(testApp, key!)
    const again = testApp.user('boris again')
    equal((await again.auth({ login: BORIS, password: NEW })).user.email, BORIS)
  },
)

story(
  'of two changes at once neither loses the address of the owner',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const thief = await fetchThief(testApp)
    const { token } = thief
    await together(2, (index) => {
      const page = testApp.user(`page ${index}`, token)
      return changeTo(page, index === 0 ? BORIS : 'second@elsewhere.example').catch(() => {})
    })
    const present = (await userById(testApp.app.db, boris.id))!.email!
    ok([present, ...(await formerEmails(testApp))].includes(BORIS))
  },
)

story(
  'no password that a thief sets, and no recovery by his address, takes the way back from the owner',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const thief = await fetchThief(testApp)
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    const current_password = 'boris-secret-1'
    await thief.post('profile', { password: 'thief-secret-1', current_password })
    await ask(testApp, THIEF)
    const [thiefs] = await fetchKeys(testApp, THIEF)
    await recover(testApp, thiefs!, 'thief-secret-2')
    deepEqual(await formerEmails(testApp), [BORIS])
    await recover(testApp, key!)
    const again = testApp.user('boris again')
    equal((await again.auth({ login: BORIS, password: NEW })).user.email, BORIS)
    deepEqual(await formerEmails(testApp), [])
  },
)

story(
  'the operator who sets a password forgets the former addresses',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    await fetchThief(testApp)
    await testApp.duet('user', 'password', String(boris.id), '--password', 'set-by-operator-1')
    deepEqual(await formerEmails(testApp), [])
    await ask(testApp)
    deepEqual(await fetchKeys(testApp), [])
  },
)

story(
  'a new password at an address of long standing forgets the former addresses',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    const until = testApp.clock.now().add({ hours: 24 })
    const values = { user_id: boris.id, email: THIEF, until }
    await testApp.app.db.insertInto('former_emails').values(values).execute()
    await boris.post('profile', { password: NEW, current_password: 'boris-secret-1' })
    deepEqual(await formerEmails(testApp), [])
  },
)

story(
  'an address that is confirmed for seven days can take the account back in its turn',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    await changeTo(boris, 'luz@duet.example')
    const [mail] = await testApp.mails('luz@duet.example')
    await boris.post('auth/email/confirm', { key: /\/confirm\/([\w-]+)/.exec(mail!.text)![1]! })
    await testApp.leap('169 h')
    await changeTo(boris, 'again@duet.example')
    deepEqual((await formerEmails(testApp)).toSorted(), ['luz@duet.example'])
  },
)

story(
  'requests of a thief neither silence the recovery of the owner nor end its link',
  async ({ testApp, boris }) => {
    await testApp.confirmEmail(boris)
    await fetchThief(testApp)
    for (let times = 0; times < 4; times += 1) await ask(testApp, THIEF)
    equal((await fetchKeys(testApp, THIEF)).length, 3)
    await ask(testApp)
    const [key] = await fetchKeys(testApp)
    ok(key !== undefined)
    await testApp.leap('1 h')
    await ask(testApp)
    const [newest] = await fetchKeys(testApp)
    await ask(testApp, THIEF)
    await recover(testApp, newest!)
    const again = testApp.user('boris again')
    equal((await again.auth({ login: BORIS, password: NEW })).user.email, BORIS)
  },
)
