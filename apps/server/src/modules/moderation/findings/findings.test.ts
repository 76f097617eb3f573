import { deepEqual, equal } from 'node:assert/strict'
import type { FindingsCase } from '@duet/protocol'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { addFindings } from './finding-store.ts'
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

story('a decision about nudity counts as a severe case', async ({ testApp, anna }) => {
  const dana = await openStaff(testApp, 'moderator')
  for (const kind of ['nudity', 'linked'] as const) {
    const finding = { user_id: anna.id, kind, session_id: 5, key: `${kind}:5` }
    await testApp.app.transact((tx) => addFindings(tx, [finding]))
    const { findings } = await look(dana, anna)
    await decide(dana, anna, { ...FINE, until_finding: findings[0]!.id })
  }
  const { load } = await dana.get('v2/manager/queues')
  equal(load.severe_hour, 1)
})

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

story(
  'a picture that a banned user has is found when another user uploads it',
  async ({ testApp, boris, anna }) => {
    const hash = 'a5'.repeat(32)
    const media = [boris, anna].map(({ id }) => ({ id: crypto.randomUUID(), owner: id }))
    await runAsOwner(
      testApp.database,
      media
        .map(
          ({ id, owner }) => `
            insert into media (id, owner_id, product, kind, width, height, status, created_at)
            values ('${id}', ${owner}, 'avatar', 'photo', 10, 10, 'ready', now());
            insert into picture_hashes (media_id, hash, parts)
            values ('${id}', x'${hash}', array(select generate_series(0, 65535, 1)));`,
        )
        .join(''),
    )
    await testApp.app.db.selectFrom('media').select('id').executeTakeFirstOrThrow()
    await runAsOwner(
      testApp.database,
      `insert into image_checks (media_id, owner_id, product, verdict, hash, checked_at)
       values ('${media[1]!.id}', ${anna.id}, 'avatar', 'ready', '${hash}', '${testApp.app.clock.now()}')`,
    )
    await find(testApp)
    const dana = await openStaff(testApp, 'manager')
    deepEqual(await queue(dana), [])
    await ban(testApp, boris)
    await find(testApp)
    deepEqual(await queue(dana), [[anna.id, ['banned_picture']]])
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
