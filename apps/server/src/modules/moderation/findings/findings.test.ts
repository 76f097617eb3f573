import { deepEqual, equal } from 'node:assert/strict'
import type { FindingsCase } from '@duet/protocol'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { lastAudited, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { addFindings } from './finding-store.ts'
import { ACCOUNTS_OF_PICTURE_MAX } from './picture-evasions.ts'
import { addHash } from '../../media/checks/store.ts'
import { mirrorHash } from '../../media/checks/rules.ts'
import { createPasskeyDevice } from '@duet/testkit/browser/passkey-device.ts'
import { sql } from 'kysely'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

const FINE = { decision: 'no_violation', comment: 'a family' } as const
const BAN = { decision: 'ban', reason: 'multiple_accounts', comment: 'You came back.' } as const

const find = (testApp: TestApp) => testApp.app.jobs.run('findings evasions')
const ban = (testApp: TestApp, { id }: TestUser) =>
  testApp.duet('ban', id, '--reason', 'other', '--comment', 'a test')

async function queue(staff: TestUser) {
  const { items } = await staff.get('v2/manager/findings')
  return items.map(({ user, kinds }) => [user.id, kinds])
}

const look = (staff: TestUser, { id }: TestUser) =>
  staff.get(`v2/manager/findings/${id}`) as Promise<FindingsCase>
const decide = (staff: TestUser, { id }: TestUser, given: object) =>
  staff.post(`v2/manager/findings/${id}/decide`, given)

const signals = (findings: FindingsCase['findings']) =>
  findings.map(({ shared }) => shared.map(({ signal }) => signal))

async function shareDevice(testApp: TestApp, ...users: readonly TestUser[]) {
  for (const user of users) await user.act('D_INFO', { fingerprint: 'one-browser' })
  await testApp.advance('1 s')
}

const insertOrder = (testApp: TestApp, { id }: TestUser, instrument: string) =>
  runAsOwner(
    testApp.database,
    `insert into orders (reference, user_id, place, method, pack, value, bonus, price, currency, price_usd, state,
       instrument, created_at, expires_at, paid_at, changed_at)
     values ('reference-${id}', ${id}, 'shop', 'card', 'minutes', 10, 0, 500, 'usd', 500, 'paid',
       '${instrument}', now(), now(), now(), now())`,
  )

async function payWith(testApp: TestApp, { id }: TestUser, instrument: string) {
  await testApp.app.transact((tx) =>
    tx.publish('purchase_paid', {
      order_id: 1,
      user_id: id,
      pack: 'minutes',
      value: 10,
      price_usd: 500n,
      method: 'card',
      instrument,
    }),
  )
}

story(
  'a banned user who comes back on the same device stands first, and a member of staff decides once',
  async ({ testApp, boris, carl, anna }) => {
    await shareDevice(testApp, boris, carl)
    await find(testApp)
    const dana = await openStaff(testApp, 'manager', 'dana@duet.example')
    deepEqual(await queue(dana), [])
    await ban(testApp, boris)
    await find(testApp)
    await find(testApp)
    await shareDevice(testApp, anna)
    await find(testApp)
    deepEqual(await queue(dana), [
      [carl.id, ['banned_device']],
      [anna.id, ['banned_device', 'linked']],
    ])
    const { findings, earlier } = await look(dana, carl)
    deepEqual(
      findings.map(({ kind, other, session_id }) => [kind, other?.id, session_id]),
      [['banned_device', boris.id, null]],
    )
    equal(earlier, 0)
    deepEqual(signals(findings), [['device', 'fingerprint', 'network']])
    const until_finding = findings[0]!.id
    await dana.isRefused('invalid', () =>
      decide(dana, carl, { ...BAN, until_finding, comment: '' }),
    )
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    await emil.isRefused('role_forbidden', () =>
      decide(emil, carl, { ...BAN, until: null, until_finding }),
    )
    await emil.post('v2/manager/claim', { queue: 'findings', id: String(carl.id) })
    await dana.isRefused('claimed', () => decide(dana, carl, { ...BAN, until_finding }))
    await emil.post('v2/manager/release', { queue: 'findings', id: String(carl.id) })
    const { statement_id } = await decide(dana, carl, { ...BAN, until: null, until_finding })
    await carl.heard('banned')
    await dana.isRefused('decided', () =>
      decide(dana, carl, { ...BAN, until: null, until_finding }),
    )
    const rows = await testApp.app.db
      .selectFrom('findings')
      .select(['decision', 'decided_by', 'statement_id'])
      .where('user_id', '=', carl.id)
      .execute()
    deepEqual(rows, [{ decision: 'ban', decided_by: 'dana@duet.example', statement_id }])
    await find(testApp)
    equal((await queue(dana)).length, 1)
    // A finding that came after the look still waits.
    const [first] = (await look(dana, anna)).findings.toReversed()
    await decide(dana, anna, { ...FINE, until_finding: first!.id })
    deepEqual(
      (await look(dana, anna)).findings.map(({ kind, other }) => [kind, other?.id]),
      [
        ['banned_device', carl.id],
        ['linked', carl.id],
      ],
    )
  },
)

story(
  'a decision about nudity counts as a severe case, and its note is kept',
  async ({ testApp, anna }) => {
    const dana = await openStaff(testApp, 'moderator')
    for (const kind of ['nudity', 'linked'] as const) {
      const finding = { user_id: anna.id, kind, session_id: 5, key: `${kind}:5` }
      await testApp.app.transact((tx) => addFindings(tx, [finding]))
      const { findings } = await look(dana, anna)
      await decide(dana, anna, { ...FINE, until_finding: findings[0]!.id })
      deepEqual(await lastAudited(testApp), { act: 'findings_decide', reason: FINE.comment })
    }
    const { load } = await dana.get('v2/manager/queues')
    equal(load.severe_hour, 1)
  },
)

story(
  'a purchase with the card of a banned user is found, and a chargeback once',
  async ({ testApp, boris, carl }) => {
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    for (const guy of [boris, carl]) await insertOrder(testApp, guy, 'card-1')
    await ban(testApp, boris)
    await payWith(testApp, carl, 'card-2')
    const dana = await openStaff(testApp, 'manager')
    deepEqual(await queue(dana), [])
    await payWith(testApp, carl, 'card-1')
    deepEqual(await queue(dana), [[carl.id, ['banned_instrument']]])
    const back = { order_id: 1, user_id: carl.id, price_usd: 500n, returned_usd: 500n }
    for (const kind of ['charged_back', 'charged_back', 'refunded'] as const)
      await testApp.app.transact((tx) => tx.publish('purchase_returned', { ...back, kind }))
    deepEqual(await queue(dana), [[carl.id, ['banned_instrument', 'chargeback']]])
    const { findings } = await look(dana, carl)
    deepEqual(
      findings.map(({ kind, order_id }) => [kind, order_id]),
      [
        ['chargeback', 1],
        ['banned_instrument', null],
      ],
    )
    deepEqual(signals(findings), [[], ['instrument']])
  },
)

story('a card of many accounts connects none of them', async ({ testApp, boris, carl }) => {
  const { guys } = await enterCrowd(testApp, { guys: 4, girls: 0, minutes: 0 })
  for (const guy of [boris, ...guys]) await insertOrder(testApp, guy, 'card-1')
  await ban(testApp, boris)
  await payWith(testApp, carl, 'card-1')
  await insertOrder(testApp, carl, 'card-1')
  await find(testApp)
  const dana = await openStaff(testApp, 'manager')
  deepEqual(await queue(dana), [])
})

const PICTURE = 'a5'.repeat(32)
const hexHash = (bits: bigint) => bits.toString(16).padStart(64, '0')

/** A stored picture with this hash; `checked`: it was uploaded now, otherwise long ago. */
async function addPicture(
  testApp: TestApp,
  { id: owner }: { readonly id: number },
  { id = crypto.randomUUID() as string, hash = PICTURE, checked = false, status = 'ready' },
): Promise<void> {
  await testApp.app.transact(async (tx) => {
    await sql`
      insert into media (id, owner_id, product, kind, width, height, status, created_at)
      values (${id}, ${owner}, 'avatar', 'photo', 10, 10, ${status}, ${tx.now})`.execute(tx)
    await addHash(tx, id, hash)
    if (checked)
      await sql`
        insert into image_checks (media_id, owner_id, product, verdict, hash, checked_at)
        values (${id}, ${owner}, 'avatar', 'ready', ${hash}, ${tx.now})`.execute(tx)
  })
}

story(
  'a picture that a banned user has is found when another user uploads it, also mirrored',
  async ({ testApp, boris, anna, clara }) => {
    await addPicture(testApp, boris, { status: 'removed' })
    await ban(testApp, boris)
    await testApp.leap('3 h')
    await find(testApp)
    const near = hexHash(BigInt(`0x${PICTURE}`) ^ 0b1011n)
    await addPicture(testApp, anna, { hash: near, checked: true })
    await addPicture(testApp, clara, { hash: mirrorHash(near), checked: true })
    await find(testApp)
    const dana = await openStaff(testApp, 'manager')
    deepEqual(
      (await queue(dana)).toSorted(),
      [anna, clara].map(({ id }) => [id, ['banned_picture']]),
    )
  },
)

story(
  'accounts that had a picture long before its owner was banned are found with the ban',
  async ({ testApp, boris, anna, clara }) => {
    await addPicture(testApp, boris, {})
    await addPicture(testApp, anna, { hash: mirrorHash(PICTURE) })
    await addPicture(testApp, clara, { hash: hexHash(~BigInt(`0x${PICTURE}`) & (2n ** 256n - 1n)) })
    await testApp.leap('100 h')
    await find(testApp)
    const dana = await openStaff(testApp, 'manager')
    deepEqual(await queue(dana), [])
    await ban(testApp, boris)
    await find(testApp)
    await find(testApp)
    deepEqual(await queue(dana), [[anna.id, ['banned_picture']]])
    const { findings } = await look(dana, anna)
    deepEqual(
      findings.map(({ other }) => other?.id),
      [boris.id],
    )
  },
)

story(
  'every upload of the last hour is compared, also behind hundreds of others',
  async ({ testApp, boris, anna, clara }) => {
    await addPicture(testApp, boris, {})
    await ban(testApp, boris)
    // The uploads are read in the order of their ids.
    await addPicture(testApp, anna, {
      id: 'f'.repeat(8) + crypto.randomUUID().slice(8),
      checked: true,
    })
    await sql`
      with many as (
        insert into media (id, owner_id, product, kind, width, height, status, created_at)
        select gen_random_uuid(), ${clara.id}, 'avatar', 'photo', 10, 10, 'ready', now() from generate_series(1, 250)
        returning id),
      hashed as (
        insert into picture_hashes (media_id, hash, parts)
        select id, repeat('01', 128)::bit(256), '{}' from many)
      insert into image_checks (media_id, owner_id, product, verdict, hash, checked_at)
      select id, ${clara.id}, 'avatar', 'ready', repeat('5', 64), ${testApp.clock.now()} from many`.execute(
      testApp.app.db,
    )
    await find(testApp)
    const dana = await openStaff(testApp, 'manager')
    deepEqual(await queue(dana), [[anna.id, ['banned_picture']]])
  },
)

story('a picture of many accounts connects none of them', async ({ testApp, boris }) => {
  const { guys } = await enterCrowd(testApp, {
    guys: ACCOUNTS_OF_PICTURE_MAX + 1,
    girls: 0,
    minutes: 0,
  })
  for (const guy of [boris, ...guys]) await addPicture(testApp, guy, {})
  await ban(testApp, boris)
  await find(testApp)
  const dana = await openStaff(testApp, 'manager')
  deepEqual(await queue(dana), [])
  await testApp.app.db.deleteFrom('media').where('owner_id', '=', guys[0]!.id).execute()
  await find(testApp)
  equal((await queue(dana)).length, ACCOUNTS_OF_PICTURE_MAX)
})

story(
  'an account with the payout address of a banned girl is found, also if she took it after the ban',
  async ({ testApp, anna, clara, vera }) => {
    const takeAddress = (user: TestUser, usdt_wallet: string) =>
      testApp.app.db.updateTable('users').set({ usdt_wallet }).where('id', '=', user.id).execute()
    await takeAddress(anna, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')
    await takeAddress(vera, 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE')
    await ban(testApp, anna)
    await testApp.leap('5 h')
    await find(testApp)
    const dana = await openStaff(testApp, 'manager')
    deepEqual(await queue(dana), [])
    await takeAddress(clara, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')
    await find(testApp)
    await find(testApp)
    deepEqual(await queue(dana), [[clara.id, ['banned_wallet']]])
    deepEqual(signals((await look(dana, clara)).findings), [['wallet']])
  },
)

story(
  'an account whose device answers with the passkey of a banned user is found',
  async ({ testApp, boris, carl }) => {
    const device = createPasskeyDevice(testApp.origin)
    const newPasskey = (user: TestUser, name: string) =>
      user.post('auth/passkey/options', { purpose: 'add', current_password: `${name}-secret-1` })
    const answer = device.create(await newPasskey(boris, 'boris'))
    await boris.post('auth/passkey/verify', { name: 'x', answer })
    // Carl has a passkey of his own, and his device offers that of Boris as well.
    const own = createPasskeyDevice(testApp.origin).create(await newPasskey(carl, 'carl'))
    await carl.post('auth/passkey/verify', { name: 'x', answer: own })
    const question = await carl.post('auth/passkey/options', { purpose: 'login' })
    await carl.isRefused('second_factor', () =>
      carl.post('auth/totp/options', {
        current_password: 'carl-secret-1',
        passkey: device.answer(question),
      }),
    )
    await find(testApp)
    const dana = await openStaff(testApp, 'manager')
    deepEqual(await queue(dana), [])
    await ban(testApp, boris)
    await find(testApp)
    deepEqual(await queue(dana), [[carl.id, ['banned_passkey']]])
  },
)

story(
  'findings go with the account of the user, and after their time',
  async ({ testApp, boris, anna, clara }) => {
    await shareDevice(testApp, boris, anna)
    await find(testApp)
    const count = async () =>
      (await testApp.app.db.selectFrom('findings').select('finding_id').execute()).length
    equal(await count(), 1)
    const dana = await openStaff(testApp, 'moderator')
    await dana.isRefused('not_found', () => dana.get('v2/manager/findings/999999'))
    await testApp.app.transact((tx) => testApp.app.eraseUser(tx, anna.id))
    equal(await count(), 0)
    await shareDevice(testApp, boris, clara)
    await find(testApp)
    equal(await count(), 1)
    await testApp.leap('9000 h')
    await testApp.app.jobs.run('retention')
    equal(await count(), 0)
  },
)
