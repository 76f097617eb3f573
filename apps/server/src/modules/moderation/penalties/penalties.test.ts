import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { unitsOf } from '../../../lib/money.ts'
import { grant } from '../../ledger/index.ts'

const coins = (count: number) => unitsOf.coin * BigInt(count)
const GIVEN = { reason: 'asking_money', place: 'public_call', comment: 'no begging' }

function impose(
  staff: TestUser,
  girl: TestUser,
  amount: string,
  key: string = crypto.randomUUID(),
) {
  return staff.post(
    'v2/manager/penalty/impose',
    { user_id: girl.id, amount, ...GIVEN },
    { 'idempotency-key': key },
  )
}

const balance = async (girl: TestUser) => (await girl.get('profile')).user.balance

function given(girl: TestUser, count: number) {
  return {
    user_id: girl.id,
    asset: 'coin',
    amount: coins(count),
    reason: 'a test',
    key: crypto.randomUUID(),
    by: 'shell',
  } as const
}

async function give(testApp: TestApp, girl: TestUser, count: number) {
  await testApp.app.transact((tx) => grant(tx, given(girl, count)))
}

/** As if she had earned with a call: the coins and the event of the earning, in one transaction. */
async function earn(testApp: TestApp, girl: TestUser, guy: TestUser, count: number) {
  await testApp.app.transact(async (tx) => {
    await grant(tx, given(girl, count))
    await tx.publish('girl_earned', { girl_id: girl.id, guy_id: guy.id, units: coins(count) })
  })
}

story('a penalty is taken once, explained, and read', async ({ testApp, anna }) => {
  await give(testApp, anna, 3000)
  const dana = await openStaff(testApp, 'moderator')
  const key = crypto.randomUUID()
  const { statement_id } = await impose(dana, anna, '1000', key)
  deepEqual(await impose(dana, anna, '1000', key), { statement_id })
  equal(await balance(anna), '2000')
  const heard = await anna.heard('penalty', { statement_id, amount: '1000' })
  deepEqual([heard.total_penalties, heard.refundable], [1, true])
  const week = Temporal.Instant.from(heard.refundable_until!).since(testApp.clock.now())
  equal(Math.round(week.total('hours')), 7 * 24)
  const { items } = await anna.get('penalties')
  deepEqual(
    items.map(({ id, read, comment }) => [id, read, comment]),
    [[statement_id, false, 'no begging']],
  )
  await anna.post('v2/penalty/mark-all-as-read')
  equal((await anna.get('penalties')).items[0]!.read, true)
  const statement = await anna.get(`statements/${statement_id}`)
  deepEqual(
    [statement['kind'], statement['amount'], statement['can_appeal']],
    ['penalty', '1000', true],
  )
})

story('a penalty is whole coins, and of a bounded number', async ({ testApp, anna }) => {
  const dana = await openStaff(testApp, 'moderator')
  const manager = await openStaff(testApp, 'manager')
  for (const amount of ['0.00000001', '10.5', '50001', '9999999999', '999999999999999'])
    await manager.isRefused('invalid', () => impose(manager, anna, amount))
  await dana.isRefused('role_forbidden', () => impose(dana, anna, '5001'))
  equal((await manager.get('v2/manager/me')).most.penalty_coins, '50000')
  await impose(manager, anna, '50000')
})

story('coins that she lacks are taken of later earnings', async ({ testApp, anna, boris }) => {
  await give(testApp, anna, 100)
  const dana = await openStaff(testApp, 'moderator')
  await impose(dana, anna, '500')
  equal(await balance(anna), '0')
  await earn(testApp, anna, boris, 150)
  equal(await balance(anna), '0')
  await impose(dana, anna, '50')
  await earn(testApp, anna, boris, 400)
  equal(await balance(anna), '100')
  await earn(testApp, anna, boris, 10)
  equal(await balance(anna), '110')
})

story(
  'the first penalty returns after enough earnings in time',
  async ({ testApp, anna, boris }) => {
    await give(testApp, anna, 1000)
    const dana = await openStaff(testApp, 'moderator')
    await impose(dana, anna, '700')
    await earn(testApp, anna, boris, 20_000)
    equal(await balance(anna), '20300')
    await earn(testApp, anna, boris, 1)
    equal(await balance(anna), '21001')
    ok((await anna.get('penalties')).items[0]!.refunded_at)
    await impose(dana, anna, '1000')
    await earn(testApp, anna, boris, 30_000)
    equal(await balance(anna), '50001')
  },
)

story(
  'no penalty returns after another one, or too late',
  async ({ testApp, anna, nina, boris }) => {
    await give(testApp, anna, 1000)
    const dana = await openStaff(testApp, 'moderator')
    await impose(dana, anna, '100')
    await impose(dana, anna, '100')
    await earn(testApp, anna, boris, 30_000)
    equal(await balance(anna), '30800')
    await give(testApp, nina, 1000)
    await impose(dana, nina, '100')
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 7 }))
    await earn(testApp, nina, boris, 30_000)
    equal(await balance(nina), '30900')
  },
)

const takeBack = (staff: TestUser, { statement_id }: { statement_id?: unknown }) =>
  staff.post(`v2/manager/statements/${statement_id}/undo`, { reason: 'a mistake' })

story(
  'a penalty that is taken back leaves the chance of the other as it was',
  async ({ testApp, anna, nina, vera, boris }) => {
    const dana = await openStaff(testApp, 'moderator')
    const manager = await openStaff(testApp, 'manager')
    // The later penalty was wrong.
    await give(testApp, anna, 1000)
    await impose(dana, anna, '700')
    await earn(testApp, anna, boris, 15_000)
    const wrong = await impose(dana, anna, '100')
    await earn(testApp, anna, boris, 1000)
    await takeBack(manager, wrong)
    equal(await balance(anna), '16300')
    await earn(testApp, anna, boris, 5000)
    equal(await balance(anna), '22000')
    // The earlier penalty was wrong, and enough is earned already.
    await give(testApp, nina, 1000)
    const first = await impose(dana, nina, '700')
    const second = await impose(dana, nina, '100')
    await earn(testApp, nina, boris, 30_000)
    equal(await balance(nina), '30200')
    await takeBack(manager, first)
    equal(await balance(nina), '31000')
    deepEqual(
      (await nina.get('penalties')).items.map(({ id, refunded_at }) => [id, Boolean(refunded_at)]),
      [
        [second['statement_id'], true],
        [first['statement_id'], true],
      ],
    )
    // The wrong penalty was taken back before the first right one.
    await give(testApp, vera, 1000)
    await takeBack(manager, await impose(dana, vera, '700'))
    const { statement_id } = await impose(dana, vera, '100')
    const { refundable, total_penalties } = await vera.heard('penalty', {
      statement_id: statement_id as number,
    })
    deepEqual([refundable, total_penalties], [true, 1])
    await earn(testApp, vera, boris, 20_001)
    equal(await balance(vera), '21001')
  },
)

story('roles bound a penalty, and only a girl has one', async ({ testApp, anna, boris }) => {
  const dana = await openStaff(testApp, 'moderator')
  await dana.isRefused('role_forbidden', () => impose(dana, anna, '5001'))
  await dana.isRefused('not_found', () => impose(dana, boris, '10'))
  await dana.isRefused('invalid', () => impose(dana, anna, '0'))
  const self = await openStaff(testApp, 'manager', 'anna@duet.example')
  await self.isRefused('role_forbidden', () => impose(self, anna, '10'))
  const manager = await openStaff(testApp, 'manager')
  await impose(manager, anna, '6000')
  const finance = await openStaff(testApp, 'finance')
  await finance.isRefused('role_forbidden', () => impose(finance, anna, '10'))
})

story(
  'earnings and penalties at once lose no coin and wait for no one',
  async ({ testApp, anna, boris }) => {
    const manager = await openStaff(testApp, 'manager')
    await together(10, async (index) => {
      if (index % 2 === 0) await earn(testApp, anna, boris, 100)
      else await impose(manager, anna, '50')
    })
    equal(await balance(anna), '250')
    const { rows } = await sql`
    select 1 from penalties where girl_id = ${anna.id} and paid < amount`.execute(testApp.app.db)
    equal(rows.length, 0)
  },
)
