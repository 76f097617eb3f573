import { toGender, wireRole } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { actAsPerson } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { endLogins, openLogin } from '../devices/logins-store.ts'
import { fingerprintHash } from '../../client-signals/index.ts'
import { identityProvider } from './token-viewers.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

/** Everything that a token of a login opens. */
interface Tokens {
  readonly token: string
  readonly ortc_token: string
  readonly fs_token: string
}

function getTokens({
  token,
  user,
}: {
  token?: string | undefined
  user: Record<string, unknown>
}): Tokens {
  return { token: token!, ortc_token: String(user.ortc_token), fs_token: String(user.fs_token) }
}

/** The tokens of these that still work: over HTTP, on the main socket, on `/signal`, at the storage. */
async function alive(testApp: TestApp, { token, ortc_token, fs_token }: Tokens): Promise<string[]> {
  const opens: string[] = []
  const holder = testApp.user('a holder of a token', token)
  if (await worked(holder.get('user/settings'))) opens.push('http')
  await holder.connect()
  const said = await holder.tryAct('AUTH', { token, ...page(holder) })
  if ('data' in said) opens.push('main')
  if (await identityProvider.byOrtcToken(testApp.app, ortc_token)) opens.push('signal')
  if (await identityProvider.byFsToken!(testApp.app, fs_token)) opens.push('storage')
  holder.wire!.close()
  await testApp.settle()
  return opens
}

const everything = ['http', 'main', 'signal', 'storage']

function page(user: TestUser) {
  return { device_type: 'web', version: '2.0.1', tab_id: user.tab_id }
}

function worked(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  )
}

story(
  'AUTH accepts a password or a token of a member, and nothing else',
  async ({ testApp, boris }) => {
    const borisElsewhere = testApp.user('boris elsewhere')
    const { user, token } = await borisElsewhere.auth({
      login: 'BORIS@duet.example ',
      password: 'boris-secret-1',
    })
    deepEqual([user.id, user.email, user.role], [boris.id, 'boris@duet.example', wireRole('guy')])
    notEqual(token, boris.token)
    equal((await testApp.user('boris again', token).auth()).user.id, boris.id)
    const stranger = await testApp.user('a stranger').connect()
    for (const wrong of [
      { login: 'boris@duet.example', password: 'wrong-secret-1' },
      { login: 'boris@duet.example' },
      { login: 'unknown@duet.example', password: 'boris-secret-1' },
      { login: '', password: '' },
      { login: `${'x'.repeat(9000)}@duet.example`, password: 'y'.repeat(9000) },
    ])
      await stranger.isRefused('wrong_login', () => stranger.auth(wrong))
    for (const token of ['', 'nonsense', 'g.1.9999999999.forged', `${boris.token}x`])
      await stranger.isRefused(token === '' ? 'invalid' : 'session_invalid', () =>
        stranger.auth({ token }),
      )
  },
)

story('AUTH names the wrong field, and refuses an old client', async ({ testApp }) => {
  const visitor = await testApp.user('a visitor').connect()
  const right = page(visitor)
  for (const [wrong, path] of [
    [{ ...right, tab_id: undefined }, 'tab_id'],
    [{ ...right, tab_id: 'tab' }, 'tab_id'],
    [{ ...right, device_type: 'tv' }, 'device_type'],
    [{ ...right, version: 2 }, 'version'],
    [{ ...right, token: 7 }, 'token'],
    [{ ...right, token: 'x'.repeat(513) }, 'token'],
    [{ ...right, login: 'a'.repeat(10_001) }, 'login'],
    [{ ...right, locale: 'x'.repeat(65) }, 'locale'],
  ] as const) {
    deepEqual(await refusedFields(visitor, 'AUTH', wrong), [path])
  }
  for (const version of ['1.9.9', '3.0.0', 'x'])
    equal(
      ((await visitor.tryAct('AUTH', { ...right, version })) as { error: { code: number } }).error
        .code,
      902,
    )
})

story(
  'an entry link and a language that are not valid are ignored, and never refuse AUTH',
  async ({ testApp, boris }) => {
    for (const ref_code of ['A'.repeat(40), 'a\0b', '\0', '', 'x'.repeat(9000), 7, null, ['A']])
      for (const signature of ['a\0b', 'x'.repeat(513)]) {
        const visitor = testApp.user('a visitor of a bad link')
        ok((await visitor.auth({ ref_code, signature } as object)).token)
        visitor.wire!.close()
      }
    ok((await boris.auth({ ref_code: 'A'.repeat(40) } as object)).token, 'also with a login')
    for (const [requested, stored] of [
      ['de-AT', 'de'],
      ['PT_br', 'pt'],
      ['klingon', 'en'],
      ['uk', 'en'],
    ] as const) {
      const visitor = testApp.user('a visitor with another browser')
      equal((await visitor.auth({ locale: requested })).user.locale, stored)
      deepEqual(await visitor.act('CHANGE_LOCALE', { locale: requested }), {})
      ok((await visitor.get('getSettings', { locale: requested })).prices)
    }
    await boris.auth({ locale: 'de' })
    equal((await boris.auth({ locale: 'klingon' })).user.locale, 'de', 'an unknown one is no wish')
  },
)

story(
  'AUTH on an open socket logs in, switches the user or ends the login; a refused AUTH changes nothing',
  async ({ testApp, boris, anna }) => {
    const guest = await testApp.guest()
    const visitorId = guest.id
    const visitor = getTokens(guest)
    await guest.isRefused('wrong_login', () =>
      guest.auth({ login: 'boris@duet.example', password: 'no' }),
    )
    equal((await guest.get('user/settings')).age_confirmed, false)
    deepEqual(await guest.act('CHANGE_LOCALE', { locale: 'de' }), {})
    await boris.close()
    await guest.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    equal(guest.id, boris.id)
    deepEqual(
      await alive(testApp, visitor),
      [],
      'a token planted before the login is dead after it',
    )
    const first = getTokens(guest)
    await anna.close()
    await guest.auth({ token: anna.token! })
    equal(guest.id, anna.id)
    deepEqual(await alive(testApp, first), [], 'the login that was left is logged out')
    await guest.act('LOGOUT', {})
    await guest.isRefused('session_invalid', () => guest.act('GET_CHANGES', { since: 0 }))
    deepEqual(await alive(testApp, getTokens({ token: anna.token, user: guest.user })), [])
    guest.token = undefined
    const next = await guest.auth()
    equal(next.user.role, null)
    ok(
      ![visitorId, boris.id, anna.id].includes(next.user.id),
      'AUTH without a token gives a new guest',
    )
  },
)

story('logging in twice on one socket leaves one login', async ({ testApp, boris }) => {
  const first = getTokens(boris)
  await boris.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
  deepEqual(await alive(testApp, first), [])
})

story(
  'LOGOUT invalidates all tokens of one login, or of all logins with everywhere',
  async ({ testApp, boris }) => {
    const phone = testApp.user('boris on a phone')
    await phone.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    const tablet = testApp.user('boris on a tablet')
    await tablet.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    await tablet.openSignal()
    await tablet.act('LOGOUT', {})
    equal(await tablet.signaling!.closed, 'transport close')
    ok(tablet.wire!.socket.connected)
    deepEqual(await alive(testApp, getTokens(tablet)), [])
    deepEqual(await alive(testApp, getTokens(phone)), everything)
    await phone.auth()
    for (const wrong of [{ everywhere: 'yes' }, { everywhere: 1 }])
      deepEqual(await refusedFields(phone, 'LOGOUT', wrong), ['everywhere'])
    deepEqual(await alive(testApp, getTokens(boris)), everything, 'a refused LOGOUT ends nothing')
    await phone.auth()
    await phone.act('LOGOUT', { everywhere: true })
    for (const device of [phone, boris]) deepEqual(await alive(testApp, getTokens(device)), [])
  },
)

story(
  'a changed password rotates this login and ends all others before the answer',
  async ({ testApp, boris }) => {
    const phone = testApp.user('boris on a phone')
    await phone.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    const other = getTokens(boris)
    const before = getTokens(phone)
    const wish = { password: 'a-better-secret', repeat_password: 'a-better-secret' }
    await phone.isRefused('password_required', () => phone.act('UPDATE_PROFILE', wish))
    await phone.isRefused('password_required', () =>
      phone.act('UPDATE_PROFILE', { ...wish, current_password: 'wrong' }),
    )
    const answer = await phone.act('UPDATE_PROFILE', {
      ...wish,
      current_password: 'boris-secret-1',
    })
    ok(answer.token)
    const received = await phone.heard('update_profile_success', { register: false })
    deepEqual(
      [received.user.ortc_token, received.user.fs_token],
      [answer.user.ortc_token, answer.user.fs_token],
    )
    deepEqual(await identityProvider.byOrtcToken(testApp.app, before.ortc_token), undefined)
    deepEqual(await identityProvider.byFsToken!(testApp.app, before.fs_token), undefined)
    await phone.isRefused('session_invalid', () => phone.get('user/settings'))
    ok(phone.wire!.socket.connected, 'rotation keeps this login’s socket')
    const { changes } = await phone.act('GET_CHANGES', { since: 0 })
    deepEqual(
      changes.map(({ event }) => event),
      ['notice'],
    )
    for (const dead of [other, before]) deepEqual(await alive(testApp, dead), [])
    deepEqual(
      await alive(testApp, getTokens({ token: answer.token, user: answer.user })),
      everything,
    )
    await boris.isRefused('wrong_login', () =>
      boris
        .comeBack()
        .catch(() => boris.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })),
    )
  },
)

story(
  'a changed e-mail rotates the login, also over HTTP, and its page receives the new tokens',
  async ({ testApp, boris }) => {
    const before = getTokens(boris)
    const answer = await boris.post('profile', {
      email: 'boris@new.example',
      current_password: 'boris-secret-1',
    })
    deepEqual([answer.user.email, answer.user.email_confirmed], ['boris@new.example', false])
    const received = await boris.heard('update_profile_success')
    equal(received.user.ortc_token, answer.user.ortc_token)
    deepEqual(await alive(testApp, before), [])
    const again = testApp.user('boris again')
    equal(
      (await again.auth({ login: 'boris@new.example', password: 'boris-secret-1' })).user.id,
      boris.id,
    )
  },
)

story(
  'the page of another login receives a profile change with its own tokens',
  async ({ testApp, boris }) => {
    const phone = testApp.user('boris on a phone')
    await phone.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    const { user } = await boris.post('profile', { about: 'From the computer.' })
    const received = await phone.heard('update_profile_success')
    deepEqual(
      [received.user.about, received.user.ortc_token],
      ['From the computer.', phone.user.ortc_token],
    )
    notEqual(user.ortc_token, phone.user.ortc_token)
  },
)

story(
  'password guessing costs a captcha after five failures, and the owner enters by one',
  async ({ testApp, boris }) => {
    const guesser = await testApp.user('a guesser').connect()
    const said = await together(30, () =>
      guesser.tryAct('AUTH', { login: 'boris@duet.example', password: 'guess', ...page(guesser) }),
    )
    const names = said.map((answer) => ('error' in answer ? answer.error.name : 'in'))
    deepEqual(
      [
        names.filter((name) => name === 'wrong_login').length,
        names.filter((name) => name === 'captcha_required').length,
      ],
      [5, 25],
    )
    const owner = await testApp.user('the owner').connect()
    const right = {
      login: 'boris@duet.example',
      password: 'boris-secret-1',
      device_type: 'web',
      version: '2.0.1',
      tab_id: owner.tab_id,
    } as const
    await owner.isRefused('captcha_required', () => owner.act('AUTH', right))
    equal((await actAsPerson(owner, 'AUTH', right)).user.id, boris.id)
  },
)

story('a guest has no row, and an id for a day that AUTH renews', async ({ testApp }) => {
  const guest = await testApp.guest()
  const rows = () =>
    testApp.app.db.selectFrom('users').select(['id', 'declared_role', 'erased_at']).execute()
  await guest.get('user/settings')
  await guest.act('D_INFO', { fingerprint: 'device-1' })
  await guest.act('CHANGE_LOCALE', { locale: 'fr' })
  deepEqual(await rows(), [])
  await testApp.leap('23 h')
  const first = getTokens(guest)
  const renewed = await guest.comeBack()
  equal(renewed.user.id, guest.id)
  await testApp.leap('2 h')
  await guest.isRefused('session_invalid', () => testApp.user('late', first.token).auth())
  deepEqual(
    [
      await identityProvider.byOrtcToken(testApp.app, first.ortc_token),
      await identityProvider.byFsToken!(testApp.app, first.fs_token),
    ],
    [undefined, undefined],
  )
  deepEqual(await alive(testApp, getTokens(guest)), everything)
})

story(
  'the own record of a guest is the same before and after the first row',
  async ({ testApp }) => {
    const guest = await testApp.guest()
    const before = { ...guest.user }
    await guest.act('UPDATE_PROFILE', { gender: toGender('girl') })
    const { user } = await guest.act('UPDATE_PROFILE', { gender: toGender('guy') })
    const { ortc_token, fs_token, last_visit, ...rest } = user
    deepEqual(
      { ...before, gender: toGender('guy'), ortc_token, fs_token, last_visit },
      { ...rest, ortc_token, fs_token, last_visit },
    )
  },
)

story(
  'the language of a visitor stays the same from the age confirmation through the registration to the next AUTH',
  async ({ testApp }) => {
    const visitor = testApp.user('a German visitor')
    await visitor.auth({ locale: 'de' })
    await visitor.act('D_INFO', { fingerprint: 'device-1' })
    await visitor.post('age/confirm', { confirmed: true, terms: true })
    equal((await visitor.get('user/settings')).locale, 'de')
    const { user, token } = await visitor.act('UPDATE_PROFILE', {
      nick: 'Moritz',
      email: 'moritz@duet.example',
      password: 'moritz-secret-1',
      birthday: '1990-02-03',
      gender: toGender('guy'),
    })
    equal(user.locale, 'de')
    visitor.token = token
    equal((await visitor.comeBack()).user.locale, 'de')
    const row = () =>
      testApp.app.db
        .selectFrom('users')
        .select(['locale', 'fingerprint'])
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow()
    const fingerprint = fingerprintHash(testApp.app, 'fingerprint', 'device-1')
    deepEqual(await row(), { locale: 'de', fingerprint })
    equal((await visitor.auth({ locale: 'fr' })).user.locale, 'fr', 'AUTH brings a new language')
    deepEqual(await row(), { locale: 'fr', fingerprint })
    equal((await visitor.comeBack()).user.locale, 'fr', 'AUTH without a language keeps it')
  },
)

story('a language that a visitor chose is stored with the first row', async ({ testApp }) => {
  const visitor = testApp.user('a visitor')
  await visitor.auth({ locale: 'de' })
  await visitor.act('CHANGE_LOCALE', { locale: 'it' })
  await visitor.post('age/confirm', { confirmed: true, terms: true })
  equal((await visitor.get('user/settings')).locale, 'it')
})

story('a visitor may confirm the age ten times a minute', async ({ testApp }) => {
  const visitor = await testApp.guest()
  const confirm = () => visitor.post('age/confirm', { confirmed: true, terms: true })
  for (let time = 0; time < 10; time += 1) await confirm()
  await visitor.isRefused('too_many', confirm)
})

story('a guest who registers while guests are erased keeps the uploads', async ({ testApp }) => {
  const guest = await testApp.guest()
  await guest.act('UPDATE_PROFILE', { gender: toGender('guy') })
  await guest.close()
  await testApp.leap('25 h')
  const { db } = testApp.app
  await db
    .insertInto('media')
    .values({
      id: '00000000-0000-4000-8000-000000000001',
      owner_id: guest.id,
      product: 'support',
      kind: 'photo',
      width: 1,
      height: 1,
      bytes: 1,
      status: 'ready',
      audience: 'owner',
      created_at: testApp.app.clock.now(),
    })
    .execute()
  // Between the page of guests and its transaction.
  Object.assign(testApp.app.realtime, {
    isConnected: async () => {
      const member = {
        role: 'guy',
        nick: 'Moritz',
        email: 'moritz@duet.example',
        password_hash: 'x',
        birthday: Temporal.PlainDate.from('1990-02-03'),
        ref_code: 'moritz',
        registered_at: testApp.app.clock.now(),
      }
      await db.updateTable('users').set(member).where('id', '=', guest.id).execute()
      return false
    },
  })
  await testApp.app.jobs.run('guests clean')
  equal((await db.selectFrom('media').select('id').execute()).length, 1)
})

story('a guest whose erasure fails does not keep the others', async ({ testApp }) => {
  const ids: number[] = []
  for (const name of ['first', 'second', 'third']) {
    const guest = await testApp.guest(name)
    await guest.act('UPDATE_PROFILE', { gender: toGender('guy') })
    ids.push(guest.id)
    await guest.close()
  }
  await testApp.leap('25 h')
  const { app } = testApp
  await runAsOwner(
    testApp.database,
    `create function refuse_second() returns trigger language plpgsql as $$ begin
      if old.id = ${ids[1]} then raise 'no'; end if; return new; end $$`,
    'create trigger refuse_second before update on users for each row execute function refuse_second()',
  )
  await rejects(app.jobs.run('guests clean'))
  const left = await app.db
    .selectFrom('users')
    .select('id')
    .where('erased_at', 'is', null)
    .execute()
  deepEqual(
    left.map(({ id }) => id),
    [ids[1]],
  )
})

story(
  'guests who were away for a day are erased, and their ids are never used again',
  async ({ testApp }) => {
    const away = await testApp.guest('a guest who leaves')
    await away.act('UPDATE_PROFILE', { gender: toGender('girl') })
    const here = await testApp.guest('a guest who stays')
    await here.act('UPDATE_PROFILE', { gender: toGender('guy') })
    const later = await testApp.guest('a guest who comes back')
    await later.act('UPDATE_PROFILE', { gender: toGender('guy') })
    await away.close()
    await testApp.leap('20 h')
    await later.comeBack()
    await later.close()
    await testApp.leap('5 h')
    await testApp.app.jobs.run('guests clean')
    const rows = await testApp.app.db
      .selectFrom('users')
      .select(['id', 'declared_role', 'fingerprint', 'erased_at'])
      .orderBy('id')
      .execute()
    deepEqual(
      rows.map((row) => [row.id, row.declared_role, row.erased_at !== null]),
      [
        [away.id, null, true],
        [here.id, 'guy', false],
        [later.id, 'guy', false],
      ].toSorted(([one], [other]) => Number(one) - Number(other)),
    )
    deepEqual(await here.act('CHANGE_LOCALE', { locale: 'de' }), {})
    deepEqual(await alive(testApp, getTokens(away)), [])
    await testApp.leap('60 h')
    await testApp.app.jobs.run('guests clean')
    await testApp.app.jobs.run('retention')
    equal(
      (await testApp.app.db.selectFrom('users').select('id').where('id', '=', away.id).execute())
        .length,
      1,
    )
  },
)

story('LOGOUT ends a guest at once', async ({ testApp }) => {
  const guest = await testApp.guest()
  await guest.act('LOGOUT', {})
  deepEqual(await alive(testApp, getTokens(guest)), [])
})

story('a guest who ended stays ended after a restart', async ({ testApp, boris }) => {
  const leaving = await testApp.guest('a guest who logs out')
  const joining = await testApp.guest('a guest who logs in')
  const former = [getTokens(leaving), getTokens(joining)]
  await leaving.act('LOGOUT', {})
  await joining.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
  await testApp.crash()
  for (const tokens of former) deepEqual(await alive(testApp, tokens), [])
  const tombstones = () =>
    testApp.app.db.selectFrom('users').select('id').where('id', '<>', boris.id).execute()
  equal((await tombstones()).length, 2)
  await testApp.leap('60 h')
  await testApp.app.jobs.run('retention')
  deepEqual(await tombstones(), [], 'no token of theirs can be valid any more')
})

story('guests who end cannot fill the table of users', async ({ testApp }) => {
  const guests = await Promise.all(Array.from({ length: 70 }, () => testApp.guest()))
  for (const guest of guests) await guest.act('LOGOUT', {})
  const rows = await testApp.app.db.selectFrom('users').select('id').execute()
  equal(rows.length, 60)
  for (const guest of guests) deepEqual(await alive(testApp, getTokens(guest)), [])
})

story('a guest with a row who logs out leaves a tombstone', async ({ testApp }) => {
  const guest = await testApp.guest()
  await guest.act('UPDATE_PROFILE', { gender: toGender('guy') })
  await guest.act('LOGOUT', {})
  deepEqual(await alive(testApp, getTokens(guest)), [])
  const rows = await testApp.app.db.selectFrom('users').select(['id', 'erased_at']).execute()
  deepEqual(
    rows.map((row) => [row.id, row.erased_at !== null]),
    [[guest.id, true]],
  )
})

story(
  'of two pages of one login the later one is the active connection',
  async ({ testApp, boris }) => {
    const tab = await boris.inAnotherTab()
    equal(await boris.wire!.closed, 'io server disconnect')
    const device = testApp.user('boris on a phone')
    await device.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    equal(await tab.wire!.closed, 'io server disconnect')
    await boris.connect()
    await boris.auth()
    equal(await device.wire!.closed, 'io server disconnect')
    await device.wire!.closed
    deepEqual(
      await alive(testApp, { ...getTokens(device), ortc_token: boris.user.ortc_token }),
      everything,
    )
  },
)

story(
  'the sockets of a login that another process ended close within a second',
  async ({ testApp, boris, anna }) => {
    await boris.openSignal()
    // Another process ended the login, or our commit ended it and its answer was lost: no effect runs in this process.
    await testApp.app.db
      .updateTable('logins')
      .set({ ended_at: testApp.clock.now() })
      .where('user_id', '=', boris.id)
      .execute()
    await testApp.advance('1 s')
    equal(await boris.wire!.closed, 'transport close')
    equal(await boris.signaling!.closed, 'transport close')
    await boris.isRefused('session_invalid', () => boris.comeBack())
    ok(anna.wire!.socket.connected)
    deepEqual(await anna.act('SUBSCRIBE', { user_ids: [] }), { statuses: [] })
  },
)

story('a login that was not used for ninety days ends', async ({ testApp, boris }) => {
  const phone = testApp.user('boris on a phone')
  await phone.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
  const used = getTokens(phone)
  const left = getTokens(boris)
  await testApp.leap('1500 h')
  await phone.comeBack()
  await testApp.settle()
  await testApp.app.jobs.run('retention')
  deepEqual(await alive(testApp, left), everything, 'sixty-two days are not enough')
  await testApp.app.db
    .updateTable('logins')
    .set({ used_at: testApp.clock.now().subtract({ hours: 1500 }) })
    .where('id', '=', Number(left.ortc_token.split('.')[2]))
    .execute()
  await testApp.leap('700 h')
  await testApp.app.jobs.run('retention')
  deepEqual(await alive(testApp, left), [])
  deepEqual(await alive(testApp, used), everything)
})

story(
  'a user has at most twenty logins: the one used longest ago ends, never one with an open socket',
  async ({ testApp, boris }) => {
    await testApp.setting('logins_max', '3')
    const { app } = testApp
    const tokens: string[] = []
    for (let number = 0; number < 4; number += 1) {
      await testApp.advance('1 s')
      tokens.push((await app.transact((tx) => openLogin(tx, boris.id))).token)
    }
    await testApp.settle()
    // AUTH of this page is the oldest of all, but its socket is open.
    ok(boris.wire!.socket.connected)
    await boris.get('profile')
    const opens = await Promise.all(
      tokens.map((token) => worked(testApp.user('a page', token).get('profile'))),
    )
    deepEqual(opens, [false, false, true, true])
  },
)

story('a login whose socket is open is not idle', async ({ testApp, boris }) => {
  const loginId = Number(getTokens(boris).ortc_token.split('.')[2])
  const before = testApp.clock.now().subtract({ hours: 3000 })
  await testApp.app.db
    .updateTable('logins')
    .set({ created_at: before, used_at: before })
    .where('id', '=', loginId)
    .execute()
  await testApp.app.jobs.run('retention')
  await testApp.settle()
  ok(boris.wire!.socket.connected)
  await boris.get('profile')
  const { used_at } = await testApp.app.db
    .selectFrom('logins')
    .select('used_at')
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  ok(Temporal.Instant.compare(used_at, before) > 0, 'it counts as used now')
})

/** Far enough that the ending falls before, between and after everything that AUTH reads. */
const TURNS_MAX = 24

story(
  'a login that ends while its page reconnects leaves no active connection',
  async ({ testApp, boris }) => {
    const { app } = testApp
    for (let turns = 0; turns < TURNS_MAX; turns += 1) {
      const { token } = await app.transact((tx) => openLogin(tx, boris.id))
      const page = await testApp.user(`the page of turn ${turns}`, token).connect()
      const coming = page.auth().catch(() => undefined)
      for (let turn = 0; turn < turns; turn += 1)
        await new Promise((resolve) => setImmediate(resolve))
      await app.transact(async (tx) => {
        await endLogins(tx, boris.id, 'all')
        tx.afterCommit(() => app.realtime.endLogin({ user_id: boris.id }))
      })
      await coming
      await testApp.settle()
      equal(
        app.realtime.local.activeConnection(boris.id),
        undefined,
        `ended ${turns} turns after it was sent`,
      )
      page.wire!.close()
    }
  },
)

story('a log-in with the old password never outlives its change', async ({ testApp, boris }) => {
  await testApp.setting('login_tries_an_hour', '100')
  await testApp.setting('network_login_tries_an_hour', '100')
  let current_password = 'boris-secret-1'
  for (let change = 0; change < 4; change += 1) {
    const password = `boris-secret-${change + 2}`
    const old = current_password
    const tries = Array.from({ length: 6 }, async (_, index) => {
      const page = await testApp.user(`page ${index}`).connect()
      await new Promise((resolve) => setTimeout(resolve, index * 15))
      return page.auth({ login: 'boris@duet.example', password: old }).then(
        ({ token }) => token,
        () => undefined,
      )
    })
    const changed = boris.post('profile', { password, current_password: old })
    const tokens = await Promise.all(tries)
    boris.token = (await changed).token
    await testApp.settle()
    for (const token of tokens)
      if (token) equal(await worked(testApp.user('holder', token).get('user/settings')), false)
    equal(await worked(boris.get('user/settings')), true)
    current_password = password
  }
})

story(
  'a log-in whose password changed between its check and its commit is refused',
  async ({ testApp, boris }) => {
    const { app } = testApp
    const page = await testApp.user('a thief').connect()
    let answered: Promise<unknown> | undefined
    await app.transact(async (tx) => {
      await tx
        .updateTable('users')
        .set({ password_hash: 'changed' })
        .where('id', '=', boris.id)
        .execute()
      await endLogins(tx, boris.id, 'all')
      answered = page.isRefused('wrong_login', () =>
        page.auth({ login: 'boris@duet.example', password: 'boris-secret-1' }),
      )
      await new Promise((resolve) => setTimeout(resolve, 1500))
    })
    await answered
  },
)
