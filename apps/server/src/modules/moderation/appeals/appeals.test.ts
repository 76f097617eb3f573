import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { liftSanctions } from '../sanctions/impose-sanction.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

async function banned(testApp: TestApp, user: TestUser) {
  const moderator = await openStaff(testApp, 'manager', 'mira@duet.example')
  const { statement_id } = await moderator.post('v2/manager/ban/impose', {
    user_id: user.id,
    reason: 'nudity',
    until: null,
    comment: 'seen in a call',
  })
  await user.heard('banned')
  return { statement_id, moderator }
}

/** The balances of a user, to the unit. */
async function accounts(testApp: TestApp, user: TestUser) {
  const rows = await testApp.app.db
    .selectFrom('accounts')
    .select(['asset', 'balance', 'held'])
    .where('user_id', '=', user.id)
    .where('balance', '!=', 0n)
    .orderBy('asset')
    .execute()
  return rows
}

story(
  'a banned user appeals, another person decides, and the ban ends',
  async ({ testApp, boris }) => {
    const { statement_id, moderator } = await banned(testApp, boris)
    const sent = await boris.post('appeals', { statement_id, text: ' It was not me. ' })
    deepEqual([sent.state, sent.text], ['waiting', 'It was not me.'])
    equal((await boris.post('appeals', { statement_id, text: 'again' })).id, sent.id)
    const { items } = await moderator.get('v2/manager/appeals')
    deepEqual(
      items.map(({ id, is_own_act }) => [id, is_own_act]),
      [[sent.id, true]],
    )
    const decide = (staff: TestUser, upheld: boolean) =>
      staff.post(`v2/manager/appeals/${sent.id}/decide`, { upheld, answer: 'You are right.' })
    await moderator.isRefused('role_forbidden', () => decide(moderator, true))
    const owner = await openStaff(testApp, 'owner')
    await decide(owner, true)
    await boris.heard('unbanned')
    await owner.isRefused('decided', () => decide(owner, false))
    const { items: own } = await boris.get('appeals')
    deepEqual([own[0]!.state, own[0]!.answer], ['upheld', 'You are right.'])
    equal((await boris.get('profile')).user.nick, 'Boris')
  },
)

story('a rejected appeal changes nothing but its answer', async ({ testApp, boris, anna }) => {
  const address = await testApp.confirmEmail(boris)
  const { statement_id } = await banned(testApp, boris)
  await anna.isRefused('not_found', () => anna.post('appeals', { statement_id, text: 'x' }))
  const { id } = await boris.post('appeals', { statement_id, text: 'please' })
  const owner = await openStaff(testApp, 'owner')
  await owner.post(`v2/manager/appeals/${id}/decide`, { upheld: false, answer: 'It was you.' })
  const statement = await boris.get(`statements/${statement_id}`)
  deepEqual(
    [statement['can_appeal'], (statement['appeal'] as { state: string }).state],
    [false, 'rejected'],
  )
  equal(statement['lifted_at'], undefined)
  const mails = await testApp.mails(address)
  const { text } = mails.find(({ subject }) => subject.startsWith('Your appeal'))!
  match(text, /the decision stays\.[^]*\/profile\/#decisions/)
  doesNotMatch(text, /balance|receipt/)
})

story('a penalty that is taken back restores the money to the unit', async ({ testApp, anna }) => {
  const manager = await openStaff(testApp, 'manager')
  const owner = await openStaff(testApp, 'owner')
  for (const [given, amount] of [
    [0, '700'],
    [500, '700'],
    [5000, '700'],
  ] as const) {
    if (given > 0) await testApp.duet('grant', anna.id, given, 'coin', '--reason', 'test')
    const before = await accounts(testApp, anna)
    const { statement_id } = await manager.post('v2/manager/penalty/impose', {
      user_id: anna.id,
      reason: 'absence',
      place: 'other',
      amount,
      comment: 'away',
    })
    const { id } = await anna.post('appeals', { statement_id, text: 'no' })
    await owner.post(`v2/manager/appeals/${id}/decide`, { upheld: true, answer: 'ok' })
    deepEqual(await accounts(testApp, anna), before)
  }
})

story('an appeal that two decide at once is decided once', async ({ testApp, boris }) => {
  const { statement_id } = await banned(testApp, boris)
  const { id } = await boris.post('appeals', { statement_id, text: 'please' })
  const team = [await openStaff(testApp, 'owner'), await openStaff(testApp, 'manager')]
  const results = await together(2, (index) =>
    team[index]!.post(`v2/manager/appeals/${id}/decide`, {
      upheld: index === 0,
      answer: 'so',
    }).then(
      () => 'done',
      ({ refusal }: { refusal: string }) => refusal,
    ),
  )
  deepEqual(results.toSorted(), ['decided', 'done'])
})

story(
  'lifting a ban upholds its appeal, and another appeal is not possible',
  async ({ testApp, boris, anna }) => {
    const { statement_id, moderator } = await banned(testApp, boris)
    const { id } = await boris.post('appeals', { statement_id, text: 'please' })
    await moderator.post(`v2/manager/statements/${statement_id}/undo`, { reason: 'a mistake' })
    deepEqual((await moderator.get('v2/manager/appeals')).items, [])
    equal((await boris.get('appeals')).items[0]!.state, 'upheld')
    const owner = await openStaff(testApp, 'owner')
    const decision = { upheld: false, answer: 'no' }
    await owner.isRefused('decided', () => owner.post(`v2/manager/appeals/${id}/decide`, decision))
    const hers = await banned(testApp, anna)
    await testApp.duet('unban', anna.id, '--comment', 'a mistake', '--as', 'olga')
    const appeal = { statement_id: hers.statement_id, text: 'please' }
    await anna.isRefused('not_found', () => anna.post('appeals', appeal))
  },
)

story(
  'an appeal that is written while its act is taken back does not wait',
  async ({ testApp, boris }) => {
    const { statement_id } = await banned(testApp, boris)
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    let refused: Promise<unknown> | undefined
    await testApp.app.transact(async (tx) => {
      await liftSanctions(tx, { user_id: boris.id, by: 'olga', comment: 'a mistake' })
      refused = boris.isRefused('not_found', () =>
        boris.post('appeals', { statement_id, text: 'please' }),
      )
      while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    })
    client.release()
    await refused
  },
)

story('an appeal is possible for half a year', async ({ testApp, boris }) => {
  const { statement_id } = await banned(testApp, boris)
  testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 184 }))
  await boris.isRefused('not_found', () => boris.post('appeals', { statement_id, text: 'late' }))
})
