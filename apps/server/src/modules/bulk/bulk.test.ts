import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { checkBulk } from './check-bulk.ts'

const ban = (testApp: TestApp, id: number, as: string) =>
  testApp.duet<{ statement_id: number }>(
    'ban',
    id,
    '--reason',
    'other',
    '--comment',
    'test',
    '--as',
    as,
  )

story(
  'a person who bans many users is stopped until a second person allows more',
  async ({ testApp, boris, carl, david, anna }) => {
    await testApp.setting('bulk_bans_max', '2')
    await ban(testApp, boris.id, 'dana')
    await ban(testApp, carl.id, 'dana')
    await rejects(ban(testApp, david.id, 'dana'), /bulk_stopped/)
    deepEqual((await david.get('statements')).items, [], 'nothing was half done')
    await testApp.leap('48 h')
    await rejects(ban(testApp, david.id, 'dana'), /bulk_stopped/, 'time alone ends no stop')
    await rejects(ban(testApp, anna.id, 'olga'), /bulk_stopped/, 'a name at the shell is no person')
    const owner = await openStaff(testApp, 'owner')
    const [stop] = (await owner.get('v2/manager/bulk-stops')).stops
    equal(stop!.person, 'operator')
    deepEqual((await testApp.duet<{ id: number }[]>('bulk', 'list'))[0]!.id, stop!.id)
    const path = `v2/manager/bulk-stops/${stop!.id}/allow`
    await owner.post(path, { reason: 'a wave of spam' })
    await owner.isRefused('decided', () => owner.post(path, { reason: 'again' }))
    await ban(testApp, david.id, 'dana')
    const acts = await testApp.duet<{ act: string; operator: string | null }[]>('audit', 'list')
    deepEqual(
      acts.filter(({ act }) => act.startsWith('bulk')).map(({ act, operator }) => [act, operator]),
      [
        ['bulk_allow', null],
        ['bulk_stop', 'dana'],
      ],
    )
  },
)

story('acts at once do not pass the limit, and old acts do not count', async ({ testApp }) => {
  await testApp.setting('bulk_money_acts_max', '3')
  const act = () => testApp.app.transact((tx) => checkBulk(tx, { id: 7, address: '::1' }, 'money'))
  await act()
  await act()
  testApp.clock.sleep(testApp.clock.now().add({ hours: 2 }))
  const done = await together(6, () =>
    act().then(
      () => true,
      () => false,
    ),
  )
  equal(done.filter(Boolean).length, 3)
  await testApp.app.transact((tx) => checkBulk(tx, { id: 7, address: '::1' }, 'ban'))
  await testApp.app.transact((tx) => checkBulk(tx, { id: 8, address: '::1' }, 'money'))
})

story('a manager allows the stopped acts of another, not the own', async ({ testApp }) => {
  await testApp.setting('bulk_removals_max', '1')
  const manager = await openStaff(testApp, 'manager')
  const owner = await openStaff(testApp, 'owner')
  const { staff } = await manager.get('v2/manager/me')
  await testApp.app.transact((tx) => checkBulk(tx, { id: staff.id, address: '::1' }, 'removal'))
  const { stops } = await manager.get('v2/manager/bulk-stops')
  deepEqual([stops.length, stops[0]!.person, stops[0]!.kind], [1, staff.email, 'removal'])
  const path = `v2/manager/bulk-stops/${stops[0]!.id}/allow`
  const body = { reason: 'copies of one picture' }
  await manager.isRefused('role_forbidden', () => manager.post(path, body))
  await owner.isRefused('not_found', () => owner.post('v2/manager/bulk-stops/99/allow', body))
  await owner.post(path, body)
  await owner.isRefused('decided', () => owner.post(path, body))
  ok((await owner.get('v2/manager/bulk-stops')).stops.length === 0)
  // The proof of the own factors is old.
  testApp.clock.sleep(testApp.clock.now().add({ minutes: 10 }))
  await owner.isRefused('second_factor', () => owner.post(path, body))
})

story(
  'warnings, and acts that take others back, are stopped as well',
  async ({ testApp, boris, carl, david, anna }) => {
    for (const key of ['bulk_warnings_max', 'bulk_lifts_max']) await testApp.setting(key, '1')
    const ofCarl = await ban(testApp, carl.id, 'dana')
    await ban(testApp, david.id, 'dana')
    const manager = await openStaff(testApp, 'manager')
    const about = { reason: 'asking_money', comment: 'first' } as const
    const { statement_id } = await manager.post('v2/manager/warning/impose', {
      user_id: boris.id,
      ...about,
    })
    const isStopped = (path: string, body: object) =>
      manager.isRefused('bulk_stopped', () => manager.post(path, body))
    await isStopped('v2/manager/warning/impose', { user_id: carl.id, ...about })
    await isStopped('v2/manager/gifts/forbid', { user_id: anna.id, ...about })
    const reason = 'an error'
    await manager.post(`v2/manager/statements/${ofCarl.statement_id}/undo`, { reason })
    await isStopped(`v2/manager/statements/${statement_id}/undo`, { reason })
    const { stops } = await manager.get('v2/manager/bulk-stops')
    deepEqual(stops.map(({ kind }) => kind).toSorted(), ['lift', 'warning'])
    // Nothing was half done.
    equal((await boris.get('statements')).items[0]!.lifted_at, undefined)
    await rejects(
      testApp
        .duet('unban', david.id, '--comment', 'x', '--as', 'x')
        .then(() => testApp.duet('unban', david.id, '--comment', 'x', '--as', 'x')),
      /bulk_stopped/,
    )
  },
)
