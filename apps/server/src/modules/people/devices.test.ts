import { deepEqual, equal } from 'node:assert/strict'
import type { PersonDevices } from '@duet/protocol'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const devices = (staff: TestUser, { id }: TestUser) =>
  staff.get(`v2/manager/users/${id}/devices`) as Promise<PersonDevices>

const CREDENTIALS = { login: 'boris@duet.example', password: 'boris-secret-1' }

story(
  'the devices of a person show the logins, and the accounts that share a device',
  async ({ testApp, boris, carl }) => {
    const first_seen = testApp.clock.now().toString()
    for (const one of [boris, carl]) await one.act('D_INFO', { fingerprint: 'one-browser' })
    await testApp.leap('2 h')
    const phone = testApp.user('boris on a phone')
    await phone.auth(CREDENTIALS)
    await phone.post('account/sessions/end', { others: true })
    await testApp.duet('ban', carl.id, '--reason', 'other', '--comment', 'a test')
    const moderator = await openStaff(testApp, 'moderator')
    const shown = await devices(moderator, boris)
    deepEqual(
      shown.logins.map(({ ended_at }) => ended_at !== null),
      [false, true],
    )
    deepEqual(
      shown.signals.map(({ signal, shared }) => [
        signal,
        shared.map(({ user, is_sanctioned }) => [user.id, is_sanctioned]),
      ]),
      [
        ['network', [[carl.id, true]]],
        ['device', [[carl.id, true]]],
        ['fingerprint', [[carl.id, true]]],
      ],
    )
    const network = shown.signals[0]!
    equal(Temporal.Instant.from(network.first_seen).equals(first_seen), true)
    equal(network.last_seen > network.first_seen, true)
    equal(network.is_common, false)
    const [look] = await testApp.duet<{ act: string; user_id: number; facts: object }[]>(
      ...(['audit', 'list'] as const),
    )
    deepEqual(
      [look!.act, look!.user_id, look!.facts],
      ['user_view', boris.id, { list: 'devices', page: 1 }],
    )
    await moderator.isRefused('not_found', () => moderator.get('v2/manager/users/999999/devices'))
    const finance = await openStaff(testApp, 'finance')
    await finance.isRefused('role_forbidden', () => devices(finance, boris))
  },
)

story(
  'a manager ends a login of a person with a reason, and the other logins stay',
  async ({ testApp, boris, carl }) => {
    const phone = testApp.user('boris on a phone')
    await phone.auth(CREDENTIALS)
    const moderator = await openStaff(testApp, 'moderator')
    const manager = await openStaff(testApp, 'manager')
    const [newest] = (await devices(manager, boris)).logins
    const path = `v2/manager/users/${boris.id}/logins/${newest!.id}/end`
    const reason = 'He asked for it by mail'
    await moderator.isRefused('role_forbidden', () => moderator.post(path, { reason }))
    await manager.isRefused('invalid', () => manager.post(path, { reason: '' }))
    const foreign = `v2/manager/users/${carl.id}/logins/${newest!.id}/end`
    await manager.isRefused('not_found', () => manager.post(foreign, { reason }))
    await manager.post(path, { reason })
    await testApp.settle()
    await phone.isRefused('session_invalid', () => phone.get('profile'))
    equal((await boris.get('profile')).user.id, boris.id)
    await manager.isRefused('not_found', () => manager.post(path, { reason }))
    const [act] = await testApp.duet<{ act: string; reason: string; facts: object }[]>(
      ...(['audit', 'list'] as const),
    )
    deepEqual([act!.act, act!.reason, act!.facts], ['login_end', reason, { login_id: newest!.id }])
  },
)
