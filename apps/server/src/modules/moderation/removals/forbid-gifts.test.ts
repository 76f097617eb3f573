import { deepEqual, equal } from 'node:assert/strict'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const WHY = { reason: 'asking_money', comment: 'You asked for gifts.' } as const

async function forbidden(staff: TestUser, { id: user_id }: TestUser) {
  const once = { 'idempotency-key': crypto.randomUUID() }
  const act = { user_id, ...WHY }
  return (await staff.post('v2/manager/gifts/forbid', act, once)).statement_id
}

const mayAccept = async (user: TestUser) => (await user.get('profile')).user.can_accept_gifts

async function entries(testApp: TestApp) {
  return (await auditedActs(testApp)).filter((act) => !act.startsWith('staff'))
}

story(
  'a girl who may not accept gifts reads why, and an upheld appeal permits them',
  async ({ testApp, anna, boris }) => {
    const dana = await openStaff(testApp, 'moderator')
    await dana.isRefused('not_found', () => forbidden(dana, boris))
    const statement_id = await forbidden(dana, anna)
    await anna.heard('statement', { id: statement_id, kind: 'gifts', comment: WHY.comment })
    equal((await anna.heard('user_info')).user.can_accept_gifts, false)
    await dana.isRefused('not_found', () => forbidden(dana, anna))
    const { id } = await anna.post('appeals', { statement_id, text: 'I did not' })
    const owner = await openStaff(testApp, 'owner')
    await owner.post(`v2/manager/appeals/${id}/decide`, { upheld: true, answer: 'You are right.' })
    equal(await mayAccept(anna), true)
    deepEqual(await entries(testApp), ['appeal_decide', 'gifts_forbid'])
  },
)

story(
  'a manager permits gifts again, and they can be forbidden again',
  async ({ testApp, anna }) => {
    const mira = await openStaff(testApp, 'manager')
    for (let times = 0; times < 2; times += 1) {
      const id = await forbidden(mira, anna)
      equal(await mayAccept(anna), false)
      await mira.post(`v2/manager/statements/${id}/undo`, { reason: 'a mistake' })
      equal(await mayAccept(anna), true)
    }
    const self = await openStaff(testApp, 'moderator', 'anna@duet.example')
    await self.isRefused('role_forbidden', () => forbidden(self, anna))
  },
)
