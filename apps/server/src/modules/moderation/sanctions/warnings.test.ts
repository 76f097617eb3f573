import { deepEqual, equal } from 'node:assert/strict'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { unitsOf } from '../../../lib/money.ts'
import { grant } from '../../ledger/index.ts'

const RULE = { reason: 'contacts', comment: 'No numbers in messages.' } as const

function warn(staff: TestUser, user: TestUser, key: string = crypto.randomUUID()) {
  const given = { user_id: user.id, ...RULE }
  return staff.post('v2/manager/warning/impose', given, { 'idempotency-key': key })
}

function undo(staff: TestUser, id: number) {
  return staff.post(`v2/manager/statements/${id}/undo`, { reason: 'a mistake' })
}

story(
  'a warning reaches a man and a woman at once or at the next visit, until it is read',
  async ({ testApp, boris, anna }) => {
    const dana = await openStaff(testApp, 'moderator')
    const key = crypto.randomUUID()
    const { statement_id } = await warn(dana, boris, key)
    deepEqual(await warn(dana, boris, key), { statement_id })
    const heard = await boris.heard('statement', { id: statement_id })
    deepEqual([heard.kind, heard.comment, heard.can_appeal], ['warning', RULE.comment, true])
    const second = await warn(dana, boris)
    const unread = async (user: TestUser) => (await user.auth()).unread_statement_id
    equal(await unread(boris), statement_id)
    const read = (id: number) => boris.post(`statements/${id}/read`)
    deepEqual(await read(statement_id), { next: second.statement_id })
    deepEqual(await read(statement_id), { next: second.statement_id })
    deepEqual(await read(second.statement_id), { next: null })
    equal(await unread(boris), undefined)
    const hers = await warn(dana, anna)
    await anna.heard('statement', { id: hers.statement_id })
    equal(await unread(anna), hers.statement_id)
    await boris.isRefused('not_found', () => read(hers.statement_id))
    const { items } = await anna.get('notices')
    deepEqual([items[0]!.kind, items[0]!.facts['what']], ['statement', 'warning'])
  },
)

story('a warning that was taken back is not shown any more', async ({ testApp, boris }) => {
  const dana = await openStaff(testApp, 'moderator')
  const { statement_id } = await warn(dana, boris)
  await dana.isRefused('role_forbidden', () => undo(dana, statement_id))
  const manager = await openStaff(testApp, 'manager')
  deepEqual(await undo(manager, statement_id), { restored: null })
  deepEqual(await undo(manager, statement_id), { restored: null })
  const statement = await boris.get(`statements/${statement_id}`)
  deepEqual([typeof statement.lifted_at, statement.can_appeal], ['string', false])
  equal((await boris.auth()).unread_statement_id, undefined)
  const { items } = await manager.get('v2/manager/statements', { user_id: boris.id })
  equal(items[0]!.lifted_by, 'manager@duet.example')
  const { items: notices } = await boris.get('notices')
  deepEqual(
    notices.map(({ facts }) => facts['what']),
    ['taken_back', 'warning'],
  )
})

story('a penalty and a ban are taken back exactly, once', async ({ testApp, anna, boris }) => {
  await testApp.app.transact((tx) =>
    grant(tx, {
      user_id: anna.id,
      asset: 'coin',
      amount: unitsOf.coin * 300n,
      reason: 'a test',
      key: 'given',
      by: 'shell',
    }),
  )
  const manager = await openStaff(testApp, 'manager')
  const penalty = { user_id: anna.id, reason: 'other', place: 'other', amount: '500', comment: 'x' }
  const { statement_id } = await manager.post('v2/manager/penalty/impose', penalty, {
    'idempotency-key': 'one',
  })
  const balance = async () => (await anna.get('profile')).user.balance
  equal(await balance(), '0')
  await undo(manager, statement_id)
  await undo(manager, statement_id)
  equal(await balance(), '300')
  const ban = { user_id: boris.id, reason: 'other', until: null, comment: 'x' }
  const banned = await manager.post('v2/manager/ban/impose', ban)
  await boris.heard('banned')
  await boris.post('appeals', { statement_id: banned.statement_id, text: 'not me' })
  await undo(manager, banned.statement_id)
  await boris.heard('unbanned')
  deepEqual((await manager.get('v2/manager/appeals')).items, [])
  const { items } = await boris.get('appeals')
  deepEqual(
    items.map(({ state }) => state),
    ['upheld'],
  )
  await anna.isRefused('not_found', () => anna.post('appeals', { statement_id, text: 'again' }))
  await manager.isRefused('not_found', () => undo(manager, 999_999))
  const self = await openStaff(testApp, 'manager', 'anna@duet.example')
  await self.isRefused('role_forbidden', () => undo(self, statement_id))
})
