import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { addNotice, type NewNotice } from './add-notice.ts'
import { CHANNELS, type SentNoticeKind } from './kinds.ts'
import { toSentence } from './sentence.ts'

const add = (testApp: TestApp, notice: NewNotice) =>
  testApp.app.transact((tx) => addNotice(tx, notice))
const security = (user: TestUser, key?: string): NewNotice => ({
  user_id: user.id,
  kind: 'security',
  facts: { what: 'password' },
  ...(key !== undefined && { key }),
})

story(
  'a notice is in the bell once for its key, and counted until it is read',
  async ({ testApp, boris, carl }) => {
    for (const key of ['a', 'a', 'b']) await add(testApp, security(boris, key))
    await boris.heard('notice', {}, { times: 2 })
    await carl.notHeard('notice')
    const first = await boris.get('notices', { 'per-page': 1 })
    deepEqual([first.unread, first.items.length, first.next], [2, 1, true])
    const [newest] = first.items
    deepEqual(
      [newest!.kind, newest!.read, newest!.facts],
      ['security', false, { what: 'password' }],
    )
    await carl.post('notices/read', { ids: [newest!.id] })
    await boris.post('notices/read', { ids: [] })
    equal((await boris.get('notices')).unread, 2)
    await boris.post('notices/read', { ids: [newest!.id] })
    await boris.heard('notices_read', { ids: [newest!.id] }, { times: 1 })
    const after = await boris.get('notices')
    deepEqual([after.unread, after.items.map(({ read }) => read)], [1, [true, false]])
    await boris.post('notices/read', {})
    await boris.post('notices/read', {})
    equal((await boris.get('notices')).unread, 0)
    await boris.heard('notices_read', { ids: null }, { times: 1 })
  },
)

story('notices added at once by many are written once', async ({ testApp, boris }) => {
  await together(10, () => add(testApp, security(boris, 'same')))
  equal((await boris.get('notices')).items.length, 1)
})

story('guests have no bell', async ({ testApp, gina }) => {
  await gina.isRefused('registered_only', () => gina.get('notices'))
  await gina.isRefused('registered_only', () => gina.post('notices/read', {}))
  await add(testApp, security(gina))
  equal((await testApp.app.db.selectFrom('notices').select('id').execute()).length, 0)
})

story(
  'the notice of a favourite names the owner as long as they may be seen',
  async ({ boris, anna }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    const named = async () => (await anna.get('notices')).items.map(({ user }) => user?.nick)
    deepEqual(await named(), ['Boris'])
    await boris.act('REMOVE_FAVOURITE', { user_id: anna.id })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    deepEqual(await named(), ['Boris'])
    await anna.act('BLOCK_USER', { user_id: boris.id })
    deepEqual(await named(), [undefined])
  },
)

/** The user's page is closed, and presence has noticed. */
async function leave(testApp: TestApp, user: TestUser): Promise<void> {
  user.wire!.socket.disconnect()
  await testApp.untilGone(user.id)
  await testApp.advance('6 s')
}
/** The user's page opens, and those who want to know have been notified. */
async function arrive(testApp: TestApp, user: TestUser): Promise<void> {
  await user.auth()
  await testApp.advance('2 s')
}
async function comeBack(testApp: TestApp, user: TestUser): Promise<void> {
  await leave(testApp, user)
  await testApp.leap('40 min')
  await arrive(testApp, user)
}
const fetchKinds = async (user: TestUser) =>
  (await user.get('notices')).items.map(({ kind, user }) => `${kind} ${user?.nick}`)

story(
  'a guy who wants a girl, or keeps her, hears when she comes online, at most once in six hours',
  async ({ testApp, boris, carl, david, anna }) => {
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    await carl.act('ADD_FAVOURITE', { user_id: anna.id })
    await comeBack(testApp, anna)
    for (const guy of [boris, carl]) {
      deepEqual(await fetchKinds(guy), ['wanted_girl_online Anna'])
      await guy.heard('wanted_girl_online', {}, { times: 1 })
    }
    deepEqual(await fetchKinds(david), [])
    await comeBack(testApp, anna)
    equal((await fetchKinds(boris)).length, 1)
    await testApp.leap('6 h')
    await comeBack(testApp, anna)
    equal((await fetchKinds(boris)).length, 2)
    await boris.act('WANT_GIRL', { user_id: anna.id, on: false })
    await testApp.leap('6 h')
    await comeBack(testApp, anna)
    equal((await fetchKinds(boris)).length, 2)
    equal((await fetchKinds(carl)).length, 3)
  },
)

story(
  'a girl is announced to no one who blocked her or is blocked, or is in a country that she hides from',
  async ({ testApp, boris, carl, david, anna }) => {
    for (const guy of [boris, carl, david])
      await guy.act('WANT_GIRL', { user_id: anna.id, on: true })
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await carl.act('BLOCK_USER', { user_id: anna.id })
    // Hidden from any country, she is hidden from him whose country is unknown.
    await anna.act('UPDATE_PROFILE', { hide_countries: ['FR'] })
    await comeBack(testApp, anna)
    for (const guy of [boris, carl, david]) deepEqual(await fetchKinds(guy), [])
    await boris.isRefused('blocked', () => boris.act('WANT_GIRL', { user_id: anna.id, on: true }))
    await david.isRefused('not_found', () => david.act('WANT_GIRL', { user_id: anna.id, on: true }))
    // A wish may end although she hides.
    await david.act('WANT_GIRL', { user_id: anna.id, on: false })
  },
)

story(
  'a switch that is off, and a girl who is not verified, make no notice',
  async ({ testApp, boris, carl, anna, nina }) => {
    await boris.act('UPDATE_PROFILE', { noty_wanted_girl: false })
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    await carl.act('WANT_GIRL', { user_id: nina.id, on: true })
    await comeBack(testApp, anna)
    await comeBack(testApp, nina)
    deepEqual(await fetchKinds(boris), [])
    deepEqual(await fetchKinds(carl), [])
  },
)

story(
  'the favourites of a premium guy hear of him, and of no other guy',
  async ({ testApp, boris, anna, vera, clara }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await boris.act('ADD_FAVOURITE', { user_id: vera.id })
    await vera.act('UPDATE_PROFILE', { noty_premium_guest: false })
    await comeBack(testApp, boris)
    equal((await fetchKinds(anna)).includes('premium_guest_online Boris'), false)
    await testApp.duet('premium', boris.id, '--days', 30)
    await comeBack(testApp, boris)
    ok((await fetchKinds(anna)).includes('premium_guest_online Boris'))
    await anna.heard('premium_guest_online', {}, { times: 1 })
    for (const girl of [vera, clara])
      ok(!(await fetchKinds(girl)).includes('premium_guest_online Boris'))
  },
)

story('only a guy asks for a girl, and only for a girl', async ({ boris, carl, anna, gina }) => {
  const want = (user: TestUser, user_id: number) => () =>
    user.act('WANT_GIRL', { user_id, on: true })
  await boris.isRefused('not_found', want(boris, carl.id))
  await boris.isRefused('not_found', want(boris, boris.id))
  await boris.isRefused('not_found', want(boris, 2_000_000_000))
  await anna.isRefused('role_forbidden', want(anna, boris.id))
  await gina.isRefused('registered_only', want(gina, anna.id))
})

story(
  'a girl wanted by many is announced to all of them in bounded steps, also when the server dies on the way',
  async ({ testApp, anna }) => {
    const many = 1000
    await leave(testApp, anna)
    await testApp.leap('40 min')
    await testApp.app.db
      .insertInto('users')
      .values(
        Array.from({ length: many }, (_, index) => ({
          id: 1_000_000 + index,
          role: 'guy',
          nick: `Guy ${index}`,
          email: `guy${index}@people.example`,
          password_hash: 'x',
          birthday: Temporal.PlainDate.from('1990-01-01'),
          ref_code: `GUY${index}`,
          created_at: testApp.clock.now(),
          registered_at: testApp.clock.now(),
          last_visit: testApp.clock.now(),
        })),
      )
      .execute()
    await testApp.app.db
      .insertInto('wanted_girls')
      .values(
        Array.from({ length: many }, (_, index) => ({
          guy_id: 1_000_000 + index,
          girl_id: anna.id,
          at: testApp.clock.now(),
        })),
      )
      .execute()
    // The process died after the second of five steps.
    await testApp.app.db
      .insertInto('arrivals')
      .values({
        user_id: anna.id,
        arrived_at: testApp.clock.now(),
        above: 1_000_399,
        turn_at: testApp.clock.now(),
      })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ above: 1_000_399, arrived_at: testApp.clock.now() }),
      )
      .execute()
    await anna.auth()
    await testApp.advance('2 s')
    const told = await testApp.app.db
      .selectFrom('notices')
      .select(['user_id'])
      .where('about_id', '=', anna.id)
      .orderBy('user_id')
      .execute()
    deepEqual(
      told.map(({ user_id }) => user_id),
      Array.from({ length: 600 }, (_, index) => 1_000_400 + index),
    )
    await testApp.leap('7 h')
    await comeBack(testApp, anna)
    const { length } = await testApp.app.db.selectFrom('notices').select('id').execute()
    equal(length, 600 + many)
  },
)

story(
  'arrivals are announced only after the messages that wait',
  async ({ testApp, boris, anna }) => {
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    const { db } = testApp.app
    const waiting = Array.from({ length: 1000 }, () => ({
      kind: 'push',
      payload: sql<string>`'{"notice_id":0,"subscription_id":0}'::jsonb`,
      due_at: testApp.clock.now().add({ hours: 1 }),
    }))
    await db.insertInto('outbox').values(waiting).execute()
    await comeBack(testApp, anna)
    await testApp.advance('20 s')
    deepEqual(await fetchKinds(boris), [])
    await db.updateTable('outbox').set({ done_at: testApp.clock.now() }).execute()
    await testApp.advance('20 s')
    deepEqual(await fetchKinds(boris), ['wanted_girl_online Anna'])
  },
)

story('while mails wait, arrivals are announced without one', async ({ testApp, boris, anna }) => {
  const address = await testApp.confirmEmail(boris)
  await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
  const { db } = testApp.app
  const waiting = Array.from({ length: 1000 }, () => ({
    kind: 'notice_mail',
    payload: sql<string>`'{"sealed":""}'::jsonb`,
    due_at: testApp.clock.now().add({ hours: 9 }),
  }))
  await db.insertInto('outbox').values(waiting).execute()
  await leave(testApp, boris)
  await comeBack(testApp, anna)
  await boris.comeBack()
  deepEqual(await fetchKinds(boris), ['wanted_girl_online Anna'])
  deepEqual(await testApp.mails(address), [])
  await db.updateTable('outbox').set({ done_at: testApp.clock.now() }).execute()
  await leave(testApp, boris)
  await testApp.leap('7 h')
  await comeBack(testApp, anna)
  equal((await testApp.mails(address)).length, 1)
})

story(
  'messages that failed and wait to be tried again hold no arrival back',
  async ({ testApp, boris, anna }) => {
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    const { db } = testApp.app
    const failed = ['push', 'notice_mail'].flatMap((kind) =>
      Array.from({ length: 1000 }, () => ({
        kind,
        payload: sql<string>`'{"notice_id":0,"subscription_id":0}'::jsonb`,
        attempts: 9,
        last_error: 'Error: getaddrinfo ENOTFOUND',
        due_at: testApp.clock.now().add({ hours: 1 }),
      })),
    )
    await db.insertInto('outbox').values(failed).execute()
    await comeBack(testApp, anna)
    await testApp.advance('20 s')
    deepEqual(await fetchKinds(boris), ['wanted_girl_online Anna'])
  },
)

story(
  'a user who left before anyone was notified is announced at the next arrival',
  async ({ testApp, boris, anna }) => {
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    const { db } = testApp.app
    const waiting = Array.from({ length: 1000 }, () => ({
      kind: 'push',
      payload: sql<string>`'{"notice_id":0,"subscription_id":0}'::jsonb`,
      due_at: testApp.clock.now().add({ hours: 1 }),
    }))
    await db.insertInto('outbox').values(waiting).execute()
    await comeBack(testApp, anna)
    await leave(testApp, anna)
    await db.updateTable('outbox').set({ done_at: testApp.clock.now() }).execute()
    await testApp.advance('20 s')
    deepEqual(await fetchKinds(boris), [])
    await arrive(testApp, anna)
    deepEqual(await fetchKinds(boris), ['wanted_girl_online Anna'])
  },
)

story(
  'the end of Premium is in the bell of a user who was away, once, and a later end again',
  async ({ testApp, boris, carl }) => {
    for (const guy of [boris, carl]) await testApp.duet('premium', guy.id, '--days', 1)
    await leave(testApp, boris)
    await testApp.leap('25 h')
    const ends = async (guy: TestUser) =>
      (await fetchKinds(guy)).filter((kind) => kind.startsWith('premium_ended')).length
    equal(await ends(carl), 1, 'he is connected')
    for (let time = 0; time < 2; time += 1) await testApp.app.jobs.run('premium ends')
    await boris.comeBack()
    deepEqual([await ends(boris), await ends(carl)], [1, 1])
    await testApp.duet('premium', boris.id, '--days', 1)
    await testApp.app.jobs.run('premium ends')
    equal(await ends(boris), 1)
    await leave(testApp, boris)
    await testApp.leap('25 h')
    await testApp.app.jobs.run('premium ends')
    await boris.comeBack()
    equal(await ends(boris), 2)
  },
)

story(
  'an arrival that fails does not keep the others back',
  async ({ testApp, boris, anna, vera }) => {
    for (const girl of [anna, vera]) await boris.act('WANT_GIRL', { user_id: girl.id, on: true })
    const { hooks } = testApp.app
    const { interestedIn } = hooks
    Object.assign(hooks, {
      interestedIn: (...[tx, user, page]: Parameters<typeof interestedIn>) =>
        user.id === anna.id ? Promise.reject(new Error('no')) : interestedIn(tx, user, page),
    })
    await comeBack(testApp, anna)
    await comeBack(testApp, vera)
    deepEqual(await fetchKinds(boris), ['wanted_girl_online Vera'])
    Object.assign(hooks, { interestedIn })
    await testApp.advance('20 s')
    deepEqual(await fetchKinds(boris), ['wanted_girl_online Anna', 'wanted_girl_online Vera'])
  },
)

story(
  'news are mailed to a confirmed address of a user who is away and has them on',
  async ({ testApp, boris, carl, david, anna }) => {
    const away = await testApp.confirmEmail(boris)
    // He is here: the bell is enough.
    await testApp.confirmEmail(carl)
    for (const guy of [boris, carl, david])
      await guy.act('WANT_GIRL', { user_id: anna.id, on: true })
    await leave(testApp, boris)
    // He has not confirmed his address: it may be another person's.
    await leave(testApp, david)
    await comeBack(testApp, anna)
    deepEqual(
      (await testApp.mails()).map(({ to }) => to),
      [away],
    )
    const [mail] = await testApp.mails(away)
    equal(mail!.subject, 'Anna is online now')
    match(mail!.text, /\/girl\//)
    const path = new URL(mail!.unsubscribe_url!).pathname
    equal((await fetch(testApp.origin + path, { method: 'POST' })).status, 200)
    await testApp.leap('6 h')
    await comeBack(testApp, anna)
    equal((await testApp.mails(away)).length, 1)
  },
)

story(
  'security is mailed at once, whatever is switched off, without a link that ends it',
  async ({ testApp, boris, carl }) => {
    await testApp.confirmEmail(boris)
    await boris.act('UPDATE_PROFILE', { noty_email: false, noty_push: false })
    await add(testApp, security(boris))
    // An unconfirmed address may be a stranger's.
    await testApp.app.db
      .updateTable('users')
      .set({ email_confirmed_at: null })
      .where('id', '=', carl.id)
      .execute()
    await add(testApp, security(carl))
    const [mail, ...others] = await testApp.mails()
    deepEqual(others, [])
    equal(mail!.subject, 'Your password was changed')
    equal(mail!.unsubscribe_url, undefined)
  },
)

story(
  'what the operator added is in the bell with its amount, and in a receipt that nothing switches off',
  async ({ testApp, boris, anna }) => {
    const address = await testApp.confirmEmail(boris)
    await boris.act('UPDATE_PROFILE', { noty_email: false })
    await testApp.duet('grant', boris.id, '2.5', 'diamond', '--reason', 'for staff only')
    await testApp.duet('grant', boris.id, 1, 'message', '--reason', 'for staff only')
    await testApp.duet('grant', anna.id, 3, 'coin', '--reason', 'for staff only')
    await boris.heard('notice', {}, { times: 2 })
    const { items } = await boris.get('notices')
    deepEqual(
      items.map(({ kind, facts }) => [kind, facts]),
      [
        ['operator', { reason: 'grant', asset: 'message', amount: '1' }],
        ['operator', { reason: 'grant', asset: 'diamond', amount: '2.5' }],
      ],
    )
    equal((await anna.get('notices')).items[0]!.facts['amount'], '3')
    const mails = await testApp.mails(address)
    deepEqual(mails.map(({ subject }) => subject).toSorted(), [
      'You were given 1 message',
      'You were given 2.5 diamonds',
    ])
    for (const { text, unsubscribe_url } of mails) {
      match(text, /, on \d{4}-\d\d-\d\d\. It's in your balance now/)
      ok(!text.includes('for staff only'))
      equal(unsubscribe_url, undefined)
    }
  },
)

story.with({ env: { DEMO: 'on' } })(
  'minutes that a user takes are no news in the bell',
  async ({ boris }) => {
    await boris.post('demo/minutes')
    deepEqual((await boris.get('notices')).items, [])
  },
)

story(
  'a decision against the user is mailed at once whatever is switched off, one for them is not',
  async ({ testApp, boris }) => {
    const address = await testApp.confirmEmail(boris)
    await boris.act('UPDATE_PROFILE', { noty_email: false, noty_push: false })
    await add(testApp, { user_id: boris.id, kind: 'photo', facts: { verdict: 'ready' } })
    await add(testApp, { user_id: boris.id, kind: 'verification', facts: { state: 'verified' } })
    deepEqual(await testApp.mails(address), [])
    await add(testApp, { user_id: boris.id, kind: 'photo', facts: { verdict: 'nudity' } })
    await add(testApp, { user_id: boris.id, kind: 'verification', facts: { state: 'declined' } })
    const mails = await testApp.mails(address)
    deepEqual(mails.map(({ subject }) => subject).toSorted(), [
      'Your photo was removed: it shows nudity',
      'Your verification was declined: see why',
    ])
    for (const { text, unsubscribe_url } of mails) {
      ok(!text.includes('..'), text)
      equal(unsubscribe_url, undefined)
    }
  },
)

story(
  'what a user who is away has not read is mailed once a day, with what may be shown',
  async ({ testApp, boris, anna, vera, carl }) => {
    const address = await testApp.confirmEmail(anna)
    await testApp.confirmEmail(vera)
    for (const girl of [anna, vera]) {
      await boris.act('ADD_FAVOURITE', { user_id: girl.id })
      await carl.act('ADD_FAVOURITE', { user_id: girl.id })
    }
    await anna.act('BLOCK_USER', { user_id: carl.id })
    await leave(testApp, anna)
    const digest = () => testApp.app.jobs.run('notices digest')
    await digest()
    deepEqual(await testApp.mails(), [])
    await testApp.leap('3 h')
    await digest()
    await digest()
    const mails = await testApp.mails()
    // Vera is here, and sees the bell.
    deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [[address, '2 things you missed on Duet']],
    )
    ok(mails[0]!.text.includes('Boris added you to favourites'))
    ok(!mails[0]!.text.includes('Carl'))
    ok(mails[0]!.unsubscribe_url)
  },
)

const FACTS: Record<SentNoticeKind, Record<string, string>> = {
  wanted_girl_online: {},
  premium_guest_online: {},
  liked: {},
  missed_call: {},
  kept: {},
  premium_ended: {},
  payment: { pack: 'minutes', count: '45', price: '39.99 USD', order: '7' },
  referral: { reason: 'referral', asset: 'coin', amount: '28.5' },
  operator: { reason: 'grant', asset: 'diamond', amount: '15' },
  photo: { verdict: 'ready' },
  date: { what: 'soon', minutes: '15', date_id: '1' },
  complaint: { what: 'received', complaint_id: '1' },
  statement: { what: 'ban' },
  verification: { state: 'verified' },
  security: { what: 'login', device: 'Firefox on Linux' },
  appeal: { what: 'upheld', statement_id: '7' },
  penalty: { statement_id: '7' },
  penalty_refund: { statement_id: '7' },
}

test('every kind of notice that is sent has its sentence, and there is no other sentence', () => {
  for (const [kind, facts] of Object.entries(FACTS)) {
    const sentence = toSentence('en', kind as SentNoticeKind, facts, 'Anna')
    ok(!/[{}]|undefined/.test(sentence), sentence)
  }
  const file = join(import.meta.dirname, '../../../../../packages/locales/en/notices.json')
  const ids = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)
  deepEqual(
    ids.filter((id) => id.startsWith('bell.')).toSorted(),
    Object.keys(CHANNELS)
      .map((kind) => `bell.${kind}`)
      .toSorted(),
  )
  deepEqual(Object.keys(FACTS).toSorted(), Object.keys(CHANNELS).toSorted())
})
