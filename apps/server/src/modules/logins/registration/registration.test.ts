import { toGender } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { actAsPerson } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { fingerprintHash } from '../../client-signals/index.ts'
import { userById } from '../../identity/index.ts'

const wish = {
  nick: 'Maria',
  email: 'maria@duet.example',
  password: 'maria-secret-1',
  birthday: '1998-02-03',
  gender: toGender('girl'),
} as const
/** Normalising sorts combining marks: many of them in a row take quadratic time. */
const MARKS = '\u0315\u0300'
const confirmed = { confirmed: true, terms: true }

/** A visitor who confirmed their age. */
async function visitor(
  testApp: TestApp,
  by: { ref_code?: string; signature?: string } = {},
): Promise<TestUser> {
  const guest = testApp.user('a visitor')
  await guest.auth(by as object)
  await guest.post('age/confirm', confirmed)
  return guest
}

story(
  'a guest becomes a member on the open socket, with a new token and a fixed role',
  async ({ testApp }) => {
    const guest = await visitor(testApp)
    const former = guest.token!
    const { user, token } = await guest.act('UPDATE_PROFILE', { ...wish, nick: '  Maria   Luz ' })
    deepEqual(
      [
        user.id,
        user.nick,
        user.role,
        user.gender,
        user.birthday,
        user.email,
        user.email_confirmed,
        user.age_confirmed,
      ],
      [
        guest.id,
        'Maria Luz',
        'girl',
        toGender('girl'),
        '1998-02-03',
        'maria@duet.example',
        false,
        true,
      ],
    )
    match(user.ref_code!, /^[A-HJ-KM-NP-Z2-9]{10}$/)
    deepEqual((await guest.heard('update_profile_success', { register: true })).user.id, user.id)
    ok(token && token !== former)
    await guest.isRefused('session_invalid', () => guest.get('profile'))
    await guest.isRefused('session_invalid', () => testApp.user('a thief', former).auth())
    // The socket is a member's from here on.
    deepEqual(await guest.act('GET_CHANGES', { since: 0 }), {
      changes: [],
      next: false,
      reset: false,
    })
    guest.token = token
    equal((await guest.get('profile')).user.nick, 'Maria Luz')
    equal(
      (await userById(testApp.app.db, user.id))!.password_hash!.startsWith('argon2id$19456$2$'),
      true,
    )
    await guest.isRefused('role_forbidden', () =>
      guest.act('UPDATE_PROFILE', { gender: toGender('guy') }),
    )
    equal(
      (await guest.act('UPDATE_PROFILE', { gender: toGender('girl'), about: 'Hello' })).user.role,
      'girl',
    )
  },
)

story(
  'only the gender of a guest is stored, and a registration names the missing fields',
  async ({ testApp, gina }) => {
    equal(
      (await gina.act('UPDATE_PROFILE', { gender: toGender('girl') })).user.gender,
      toGender('girl'),
    )
    await gina.heard('update_profile_success', { register: false })
    deepEqual(await refusedFields(gina, 'UPDATE_PROFILE', {}), ['nick', 'email', 'password'])
    deepEqual(await refusedFields(gina, 'UPDATE_PROFILE', { about: 'Hi', nick: 'Gina' }), [
      'email',
      'password',
    ])
    for (const [wrong, path] of [
      [{ gender: 'X' }, 'gender'],
      [{ gender: null }, 'gender'],
      [{ nick: 5 }, 'nick'],
      [{ ...wish, email: ['a@b.cc'] }, 'email'],
      [{ ...wish, password: 'x'.repeat(10_001) }, 'password'],
      [{ ...wish, quiet_hours: { from: '25:00', to: '07:00', zone: 'UTC' } }, 'quiet_hours.from'],
      [{ ...wish, hide_countries: ['germany'] }, 'hide_countries.0'],
    ] as const)
      deepEqual(await refusedFields(gina, 'UPDATE_PROFILE', wrong), [path])
    const row = await userById(testApp.app.db, gina.id)
    deepEqual([row!.nick, row!.role, row!.about], [null, null, ''])
  },
)

story(
  'a registration requires the confirmation of age and terms, which is recorded once',
  async ({ testApp }) => {
    const guest = await testApp.guest()
    await guest.isRefused('age_unconfirmed', () => guest.act('UPDATE_PROFILE', wish))
    for (const wrong of [
      {},
      { confirmed: true },
      { confirmed: false, terms: true },
      { confirmed: 'true', terms: true },
    ])
      await guest.isRefused('invalid', () => guest.post('age/confirm', wrong))
    await testApp
      .user('visitor')
      .isRefused('session_invalid', () => testApp.user('visitor').post('age/confirm', confirmed))
    equal(await userById(testApp.app.db, guest.id), undefined)
    await guest.post('age/confirm', confirmed)
    equal((await guest.heard('user_info')).user.age_confirmed, true)
    const first = (await userById(testApp.app.db, guest.id))!
    await testApp.advance('1 min')
    await guest.post('age/confirm', confirmed)
    const again = (await userById(testApp.app.db, guest.id))!
    deepEqual([again.age_confirmed_at, again.terms_version], [first.age_confirmed_at, '2026-11'])
    equal((await testApp.guest('anybody')).user.age_confirmed, false)
  },
)

story(
  'every rule of the registration has its own refusal, and a refused one stores nothing',
  async ({ testApp }) => {
    const guest = await visitor(testApp)
    for (const [refusal, wrong] of [
      ['name_short', { nick: 'Al' }],
      ['name_short', { nick: '  A\u200b\u200b\u200d  ' }],
      ['name_short', { nick: '\u3164\u3164\u3164\u3164' }],
      ['name_long', { nick: 'x'.repeat(41) }],
      ['name_long', { nick: `a${MARKS.repeat(10)}` }],
      ['name_long', { nick: MARKS.repeat(5000) }],
      ['password_weak', { password: `a${MARKS.repeat(100)}` }],
      ['password_weak', { password: MARKS.repeat(5000) }],
      ['email_invalid', { email: 'maria@' }],
      ['email_invalid', { email: 'maria@duet' }],
      ['email_invalid', { email: 'ma ria@duet.example' }],
      ['email_invalid', { email: `${'m'.repeat(330)}@duet.example` }],
      ['passwords_differ', { repeat_password: 'maria-secret-2' }],
      ['password_weak', { password: 'short-1' }],
      ['password_weak', { password: 'Password1' }],
      ['password_weak', { password: 'Liverpool' }],
      ['password_weak', { password: 'aaaaaaaaaaaa' }],
      ['password_weak', { password: 'long'.repeat(65) }],
      ['birthday_invalid', { birthday: undefined }],
      ['birthday_invalid', { birthday: '2012-03-05' }],
      ['birthday_invalid', { birthday: '1998-02-30' }],
      ['birthday_invalid', { birthday: '3.2.1998' }],
      ['birthday_invalid', { birthday: '1890-01-01' }],
      ['invalid', { nick: 'call 4917 6123 4567' }],
      ['invalid', { nick: 'maria.com' }],
      ['invalid', { nick: 'Ma\0ria' }],
    ] as const)
      await guest.isRefused(refusal, () => guest.act('UPDATE_PROFILE', { ...wish, ...wrong }))
    equal((await userById(testApp.app.db, guest.id))!.role, null)
    // 40 characters as people count them, 80 as they were typed.
    equal(
      (await guest.act('UPDATE_PROFILE', { ...wish, nick: 'e\u0301'.repeat(40) })).user.nick,
      'é'.repeat(40),
    )
  },
)

story(
  'the age of eighteen is reached on the birthday in the product’s time zone',
  async ({ testApp }) => {
    // It is noon of 4 March 2030 in GMT+3.
    const young = await visitor(testApp)
    await young.isRefused('birthday_invalid', () =>
      young.act('UPDATE_PROFILE', { ...wish, birthday: '2012-03-05' }),
    )
    equal(
      (await young.act('UPDATE_PROFILE', { ...wish, birthday: '2012-03-04' })).user.role,
      'girl',
    )
  },
)

story('a competitor word with a blank masks, and breaks no registration', async ({ testApp }) => {
  await testApp.setting('competitor_words', "chat roulette,ome-tv,a+b'c")
  const guest = await visitor(testApp)
  await guest.isRefused('invalid', () =>
    guest.act('UPDATE_PROFILE', { ...wish, nick: 'Chat Roulette' }),
  )
  const { token } = await guest.act('UPDATE_PROFILE', wish)
  guest.token = token
  const { user } = await guest.act('UPDATE_PROFILE', { about: 'Better than chat-roulette.' })
  equal(user.about, 'Better than ***.')
})

story('of many concurrent registrations with one e-mail one succeeds', async ({ testApp }) => {
  const guests = await together(4, () => visitor(testApp))
  const said = await Promise.all(
    guests.map((guest, index) =>
      guest.tryAct('UPDATE_PROFILE', {
        ...wish,
        email: index % 2 ? wish.email : 'MARIA@duet.example',
      }),
    ),
  )
  deepEqual(
    said.map((answer) => ('error' in answer ? answer.error.code : 0)).toSorted((a, b) => a - b),
    [0, 103, 103, 103],
  )
})

story('the same registration sent many times at once creates one member', async ({ testApp }) => {
  const guest = await visitor(testApp)
  const said = await together(5, () => guest.tryAct('UPDATE_PROFILE', wish))
  equal(said.filter((answer) => 'data' in answer).length, 1)
  equal((await testApp.app.db.selectFrom('logins').select('id').execute()).length, 1)
  equal(
    (await testApp.app.db.selectFrom('users').select('id').where('role', 'is not', null).execute())
      .length,
    1,
  )
})

story(
  'after five tries of an e-mail a device is asked for a captcha, for used and free addresses alike',
  async ({ testApp, boris, anna }) => {
    const guest = await visitor(testApp)
    const taken = { ...wish, email: 'Boris@duet.example ' }
    for (let i = 0; i < 5; i += 1)
      await guest.isRefused('email_used', () => guest.act('UPDATE_PROFILE', taken))
    await guest.isRefused('captcha_required', () => guest.act('UPDATE_PROFILE', taken))
    await guest.isRefused('captcha_required', () => guest.act('UPDATE_PROFILE', wish))
    const another = await visitor(testApp)
    await another.isRefused('captcha_required', () => another.act('UPDATE_PROFILE', wish))
    await anna.isRefused('captcha_required', () =>
      anna.act('UPDATE_PROFILE', {
        email: 'boris@duet.example',
        current_password: 'anna-secret-1',
      }),
    )
    const tries = () =>
      testApp.app.db.selectFrom('client_budgets').select(['kind', 'client', 'used']).execute()
    deepEqual(
      (await tries()).map(({ kind, used: count }) => [kind, count]),
      [
        ['email_try', 5],
        ['email_try', 5],
      ],
    )
    equal(
      (await boris.act('UPDATE_PROFILE', { email: 'boris@duet.example' })).user.email,
      'boris@duet.example',
    )
    await testApp.leap('24 h')
    await guest.close()
    const later = await visitor(testApp)
    ok((await later.act('UPDATE_PROFILE', wish)).token)
    await testApp.app.jobs.run('retention')
    deepEqual(
      (await tries()).map(({ kind, used: count }) => [kind, count]).toSorted(),
      [
        ['email_try', 0],
        ['email_try', 0],
        ['registration', 1],
        ['registration', 1],
      ],
      'a try that registers is counted as a registration',
    )
  },
)

story(
  'five tries of one device leave the others behind its address free, up to fifty in all',
  async ({ testApp, boris }) => {
    const email = String(boris.user.email)
    const tryTaken = async (fingerprint: string) => {
      const guest = await visitor(testApp)
      await guest.act('D_INFO', { fingerprint })
      const said = await guest.tryAct('UPDATE_PROFILE', { ...wish, email })
      guest.wire!.close()
      return 'error' in said ? said.error.name : 'registered'
    }
    for (let time = 0; time < 5; time += 1) equal(await tryTaken('device-1'), 'email_used')
    equal(await tryTaken('device-1'), 'captcha_required')
    for (let device = 2; device <= 10; device += 1)
      for (let time = 0; time < 5; time += 1)
        equal(await tryTaken(`device-${device}`), 'email_used')
    equal(await tryTaken('device-11'), 'captcha_required', 'whatever the device claims to be')
  },
)

story(
  'a log-out beside the registration does not show whether an e-mail is used',
  async ({ testApp, boris }) => {
    const answerTo = async (email: string) => {
      const guest = await visitor(testApp)
      const [answer] = await Promise.all([
        guest.tryAct('UPDATE_PROFILE', { ...wish, email }),
        guest.tryAct('LOGOUT', {}),
      ])
      guest.wire!.close()
      return 'error' in answer ? answer.error.name : 'registered'
    }
    const answers: string[] = []
    for (let time = 0; time < 14; time += 1)
      answers.push(
        await answerTo(time % 2 ? `stranger-${time}@duet.example` : String(boris.user.email)),
      )
    // The server may handle the log-out before it reads the address: then the answer does not depend on the address.
    const aboutEmail = answers.filter(
      (name) => !['captcha_required', 'age_unconfirmed', 'registered'].includes(name),
    )
    ok(aboutEmail.length <= 5, String(aboutEmail))
    const tries = await testApp.app.db
      .selectFrom('client_budgets')
      .select('used')
      .where('kind', '=', 'email_try')
      .executeTakeFirst()
    equal(tries?.used, aboutEmail.length, 'a registration that fails keeps its try')
  },
)

story('a device registers three times a day, a network thirty times', async ({ testApp }) => {
  const register = async (number: number, fingerprint: string) => {
    const guest = await visitor(testApp)
    await guest.act('D_INFO', { fingerprint })
    const email = `maria-${number}@duet.example`
    const answer = await guest.tryAct('UPDATE_PROFILE', { ...wish, email })
    guest.wire!.close()
    return 'error' in answer ? answer.error.name : 'registered'
  }
  for (let number = 0; number < 3; number += 1) equal(await register(number, 'one'), 'registered')
  equal(await register(3, 'one'), 'captcha_required')
  equal(await register(3, 'two'), 'registered')
  await testApp.setting('network_registrations_a_day', '5')
  equal(await register(4, 'three'), 'registered')
  equal(await register(5, 'four'), 'captcha_required', 'whatever the device claims to be')
  await testApp.leap('24 h')
  equal(await register(5, 'one'), 'registered')
})

story(
  'each try of an e-mail beyond the budget costs a captcha, and ten times the budget is the end',
  async ({ testApp, boris }) => {
    await testApp.setting('email_tries_a_day', '1')
    const guest = await visitor(testApp)
    const taken = { ...wish, email: String(boris.user.email) }
    const tryTaken = () => actAsPerson(guest, 'UPDATE_PROFILE', taken)
    for (let time = 0; time < 10; time += 1) await guest.isRefused('email_used', tryTaken)
    equal(guest.all('error_600').length, 9, 'a captcha is good for one try')
    const { retry_after } = await guest.isRefused('too_many', tryTaken)
    // It is noon: the day of the product ends in twelve hours.
    equal(retry_after, 12 * 3600)
  },
)

story(
  'a flood of registrations goes on at the price of a captcha each, for the flood and for others of its network',
  async ({ testApp }) => {
    await testApp.setting('network_registrations_a_day', '2')
    const register = async (number: number, by: 'act' | 'actAsPerson') => {
      const guest = await visitor(testApp)
      await guest.act('D_INFO', { fingerprint: `device-${number}` })
      const email = `maria-${number}@duet.example`
      const sent = { ...wish, email }
      const call =
        by === 'act'
          ? guest.act('UPDATE_PROFILE', sent)
          : actAsPerson(guest, 'UPDATE_PROFILE', sent)
      const answer = await call.then(
        () => 'registered',
        (error: { refusal: string }) => error.refusal,
      )
      guest.wire!.close()
      return answer
    }
    equal(await register(1, 'act'), 'registered')
    equal(await register(2, 'act'), 'registered')
    for (let number = 3; number < 9; number += 1)
      equal(await register(number, 'act'), 'captcha_required')
    equal(await register(9, 'actAsPerson'), 'registered', 'a person of the same network')
  },
)

story('of many concurrent registrations a device gets three', async ({ testApp }) => {
  const guests = await together(5, () => visitor(testApp))
  const said = await Promise.all(
    guests.map((guest, index) =>
      guest.tryAct('UPDATE_PROFILE', { ...wish, email: `maria-${index}@duet.example` }),
    ),
  )
  const names = said.map((answer) => ('error' in answer ? answer.error.name : 'registered'))
  deepEqual(names.toSorted(), [
    ...['captcha_required', 'captcha_required'],
    ...['registered', 'registered', 'registered'],
  ])
})

story('a device gets one free quota, however many accounts it makes', async ({ testApp }) => {
  const quotas: number[] = []
  for (const [number, fingerprint] of ['one', 'one', 'two', undefined, undefined].entries()) {
    const guest = await visitor(testApp)
    if (fingerprint) await guest.act('D_INFO', { fingerprint })
    await guest.act('UPDATE_PROFILE', {
      ...wish,
      gender: toGender('guy'),
      email: `max-${number}@duet.example`,
    })
    quotas.push((await guest.heard('free_quota')).seconds)
    guest.wire!.close()
  }
  deepEqual(quotas, [60, 0, 60, 60, 0])
})

story(
  'the referrer is stored at the registration and never later',
  async ({ testApp, anna, boris }) => {
    const code = (of: TestUser) => String(of.user.ref_code)
    const guest = await visitor(testApp, { ref_code: code(anna), signature: 'campaign-7' })
    await guest.act('UPDATE_PROFILE', wish)
    const row = (await userById(testApp.app.db, guest.id))!
    deepEqual([row.referred_by, row.signature], [anna.id, 'campaign-7'])
    await boris.auth({ ref_code: code(anna) } as object)
    await boris.act('UPDATE_PROFILE', {
      about: 'Hi',
      ref_code: code(anna),
      referred_by: anna.id,
      ref_by: anna.id,
    } as object)
    equal((await userById(testApp.app.db, boris.id))!.referred_by, null)
    const lost = await visitor(testApp, { ref_code: 'NOBODYS23' })
    await lost.act('UPDATE_PROFILE', { ...wish, email: 'lost@duet.example' })
    equal((await userById(testApp.app.db, lost.id))!.referred_by, null)
  },
)

story('a fingerprint sent before the first row is stored with it', async ({ testApp }) => {
  const guest = await testApp.guest()
  await guest.act('D_INFO', { fingerprint: 'device-1', components: { screen: [1, 2] } })
  await guest.act('UPDATE_PROFILE', { gender: toGender('girl') })
  const computeHash = (sent: string) => fingerprintHash(testApp.app, 'fingerprint', sent)
  equal((await userById(testApp.app.db, guest.id))!.fingerprint, computeHash('device-1'))
  await guest.act('D_INFO', { fingerprint: 'device-2' })
  equal((await userById(testApp.app.db, guest.id))!.fingerprint, computeHash('device-2'))
  for (const wrong of [
    {},
    { fingerprint: '' },
    { fingerprint: 5 },
    { fingerprint: 'x'.repeat(513) },
  ])
    deepEqual(await refusedFields(guest, 'D_INFO', wrong), ['fingerprint'])
})

story(
  'every profile field of a member is checked by its own rule, and shown as it is stored',
  async ({ boris }) => {
    for (const [refusal, wrong] of [
      ['nick_short', { nick: 'Bo' }],
      ['name_long', { nick: 'b'.repeat(41) }],
      ['invalid', { nick: 'boris@mail.com' }],
      ['about_long', { about: 'x'.repeat(2001) }],
      ['birthday_invalid', { birthday: '2029-01-01' }],
      ['email_invalid', { email: 'boris', current_password: 'boris-secret-1' }],
      ['password_required', { email: 'new@duet.example' }],
      ['password_required', { email: 'new@duet.example', current_password: 'wrong' }],
      ['password_weak', { password: '12345678', current_password: 'boris-secret-1' }],
      [
        'passwords_differ',
        { password: 'a-new-secret', repeat_password: 'b', current_password: 'boris-secret-1' },
      ],
      ['role_forbidden', { gender: toGender('girl') }],
      ['invalid', { usdt_wallet: 'T' }],
      ['invalid', { quiet_hours: { from: '22:00', to: '07:00', zone: 'Mars/Base' } }],
      ['invalid', { theme: 'pink' }],
      ['invalid', { auto_accept: 'yes' }],
      ['invalid', { phone: '1'.repeat(33) }],
      ['invalid', { phone: 'call me' }],
    ] as const) {
      await boris.isRefused(refusal, () => boris.act('UPDATE_PROFILE', wrong as object))
      await boris.isRefused(refusal, () => boris.post('profile', wrong))
    }
    const quiet_hours = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
    const { user } = await boris.post('profile', {
      nick: 'Bóris',
      about: 'Write me: boris@mail.com',
      phone: '+49 30 1111',
      hide_countries: ['DE'],
      quiet_hours,
      theme: 'dark',
      auto_accept: true,
    })
    deepEqual(
      [
        user.nick,
        user.about,
        user.phone,
        user.hide_countries,
        user.quiet_hours,
        user.theme,
        user.auto_accept,
      ],
      ['Bóris', 'Write me: ***', '+49 30 1111', ['DE'], quiet_hours, 'dark', true],
    )
    const settings = await boris.get('user/settings')
    deepEqual(
      [settings.theme, settings.auto_accept, settings.quiet_hours, 'email' in settings],
      ['dark', true, quiet_hours, false],
    )
    equal((await boris.post('profile', { quiet_hours: null, phone: null })).user.quiet_hours, null)
  },
)

story(
  'a profile update cannot change the balance, verification, premium, role or another user',
  async ({ testApp, boris, gina }) => {
    const greed = {
      id: 1,
      role: 'girl',
      balance: '1000',
      balance_units: '1',
      balance_messages: 9,
      is_premium: true,
      premium_until: '2099-01-01T00:00:00Z',
      is_verify: true,
      verified_at: '2026-01-01T00:00:00Z',
      info: { is_verify: true },
      verify_state: 'verified',
      ref_by: 1,
      referred_by: 1,
      ref_code: 'AAAAAAAAAA',
      email_confirmed: true,
      email_confirmed_at: 'now',
      age_confirmed: true,
      age_confirmed_at: 'now',
      banned: false,
      avatar: '/x',
      avatar_id: 'x',
      avatar_status: 'ready',
      country: 'US',
      camscore: 'excellent',
      top_until: '2099-01-01T00:00:00Z',
      password_hash: 'x',
      erased_at: 'now',
      favourites_count: 9,
      locale: 'de',
      __proto__: { role: 'girl' },
    }
    const kept = async (who: TestUser) => {
      const row = await userById(testApp.app.db, who.id)
      return row && JSON.stringify({ ...row, last_visit: null, theme: null })
    }
    const before = await kept(boris)
    await boris.act('UPDATE_PROFILE', { ...greed, theme: 'dark' } as object)
    await boris.post('profile', { ...greed, theme: 'light' })
    await boris.act('D_INFO', { ...greed, fingerprint: 'a' } as never)
    const row = (await userById(testApp.app.db, boris.id))!
    equal(JSON.stringify({ ...row, last_visit: null, theme: null, fingerprint: null }), before)
    for (const action of [
      'LOGOUT',
      'SUBSCRIBE',
      'ADD_FAVOURITE',
      'BLOCK_USER',
      'GET_CHANGES',
      'SUBSCRIBTION_ROOM',
      'CHANGE_LOCALE',
    ])
      await gina.tryAct(action, greed)
    const guest = await testApp.guest()
    await guest.post('age/confirm', { ...greed, ...confirmed })
    await guest.act('UPDATE_PROFILE', { ...greed, gender: toGender('guy') } as object)
    const {
      nick,
      role,
      email_confirmed_at,
      premium_until,
      verified_at,
      referred_by,
      country,
      ref_code,
    } = (await userById(testApp.app.db, guest.id))!
    deepEqual(
      [nick, role, email_confirmed_at, premium_until, verified_at, referred_by, country, ref_code],
      Array.from({ length: 8 }, () => null),
    )
    const member = await visitor(testApp)
    const { user } = await member.act('UPDATE_PROFILE', { ...greed, ...wish } as object)
    deepEqual(
      [
        user.role,
        user.balance,
        user.is_premium,
        user.info.is_verify,
        user.email_confirmed,
        user.avatar,
        user.country,
        user.locale,
      ],
      ['girl', '0', false, false, false, null, null, 'en'],
    )
    notEqual(user.ref_code, 'AAAAAAAAAA')
  },
)

story('the language of a member is the same on every device', async ({ testApp, boris }) => {
  await boris.act('CHANGE_LOCALE', { locale: 'de' })
  equal((await boris.get('user/settings')).locale, 'de')
  for (const wrong of [{}, { locale: 'x'.repeat(65) }, { locale: 5 }])
    deepEqual(await refusedFields(boris, 'CHANGE_LOCALE', wrong), ['locale'])
  const guest = testApp.user('a visitor')
  equal((await guest.auth({ locale: 'fr' })).user.locale, 'fr')
})
