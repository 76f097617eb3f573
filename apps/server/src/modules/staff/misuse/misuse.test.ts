import { deepEqual, equal } from 'node:assert/strict'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/** The alarms, the subjects of the mails to owners about them, and who got one. */
async function found(testApp: TestApp, owner: TestUser) {
  await testApp.app.jobs.run('staff looks')
  await testApp.settle()
  const { alarms } = await owner.get('v2/manager/staff-alarms')
  const mails = (await testApp.mails()).filter(({ subject }) =>
    subject.startsWith('A member of staff looks'),
  )
  return {
    alarms: alarms.map(({ person, pattern, looks }) => [person, pattern, looks]),
    told: mails.map(({ to }) => to),
  }
}

/** She has a dialog with each of them, which a moderator may read with a reason. */
async function writeDialogs(anna: TestUser, guys: readonly TestUser[]) {
  for (const guy of guys) await anna.act('LIKING_REACTION', { user_id: guy.id, like: true })
}

const readDialog = (staff: TestUser, one: TestUser, other: TestUser) =>
  staff.post(`v2/manager/users/${one.id}/dialogs/${other.id}`, { reason: 'looked into' })

story(
  'owners learn of a member who reads many dialogs without a case, once a day',
  async ({ testApp, anna, boris, carl, david }) => {
    await testApp.setting('staff_looks_without_case_max', '3')
    await writeDialogs(anna, [boris, carl, david])
    const owner = await openStaff(testApp, 'owner', 'otto@duet.example')
    const manager = await openStaff(testApp, 'manager', 'mia@duet.example')
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    await manager.isRefused('role_forbidden', () => manager.get('v2/manager/staff-alarms'))
    // A normal day: two dialogs, one of them in pages.
    await readDialog(dana, anna, boris)
    await readDialog(dana, anna, boris)
    await readDialog(dana, anna, carl)
    deepEqual(await found(testApp, owner), { alarms: [], told: [] })
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 61 }))
    await readDialog(dana, anna, david)
    deepEqual(await found(testApp, owner), { alarms: [], told: [] }, 'the hour is over')
    await readDialog(dana, anna, boris)
    await readDialog(dana, anna, carl)
    const once = {
      alarms: [['dana@duet.example', 'looks_without_case', 3]],
      told: ['otto@duet.example'],
    }
    deepEqual(await found(testApp, owner), once)
    deepEqual(await found(testApp, owner), once)
    const dan = await openStaff(testApp, 'moderator', 'dan@duet.example')
    for (const guy of [boris, carl, david]) await readDialog(dan, anna, guy)
    equal((await found(testApp, owner)).told.length, 2, 'each person is told about')
  },
)

story(
  'a moderator who reads the dialogs of the own cases raises no alarm',
  async ({ testApp, anna, boris, carl, david }) => {
    await testApp.setting('staff_looks_without_case_max', '2')
    await writeDialogs(anna, [boris, carl, david])
    const owner = await openStaff(testApp, 'owner', 'otto@duet.example')
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    for (const guy of [boris, carl, david]) {
      const { complaint_id } = await guy.act('TO_COMPLAIN', {
        user_id: anna.id,
        reason: 'spam',
        comment: '',
      })
      const id = String(complaint_id)
      await dana.post('v2/manager/claim', { queue: 'complaints', id })
      await dana.get(`v2/manager/complaints/${complaint_id}`)
      await readDialog(dana, guy, anna)
      await dana.post(`v2/manager/complaints/${complaint_id}/decide`, {
        decision: 'no_violation',
        comment: 'nothing is wrong',
      })
      await readDialog(dana, guy, anna)
    }
    deepEqual(await found(testApp, owner), { alarms: [], told: [] })
  },
)

story(
  'owners learn of a member who looks at accounts of the own device',
  async ({ testApp, anna, boris, carl }) => {
    const print = { fingerprint: 'a'.repeat(32) }
    await boris.act('D_INFO', print)
    await carl.act('D_INFO', print)
    const owner = await openStaff(testApp, 'owner', 'otto@duet.example')
    // A member of staff with an own account on the platform.
    const self = await openStaff(testApp, 'moderator', 'boris@duet.example')
    await self.get(`v2/manager/users/${anna.id}`)
    deepEqual(await found(testApp, owner), { alarms: [], told: [] })
    await self.get(`v2/manager/users/${carl.id}`)
    deepEqual(await found(testApp, owner), {
      alarms: [['boris@duet.example', 'linked_accounts', 1]],
      told: ['otto@duet.example'],
    })
    equal((await auditedActs(testApp))[0], 'user_view')
  },
)
