import { deepEqual, equal } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { auditedActs, lastAudited, openStaff } from '@duet/testkit/test-staff.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const FINE = { decision: 'no_violation', comment: 'a joke' } as const
const WARNING = { decision: 'warning', reason: 'contacts', comment: 'keep contacts away' } as const

async function writeContact(testApp: TestApp, girl: TestUser, guy: TestUser) {
  const dialogId = await dialogBetween(girl, guy)
  await writeMessage(girl, dialogId, 'how are you?')
  await writeMessage(girl, dialogId, 'write me at anna@example.com')
  await writeMessage(girl, dialogId, 'soon')
  await testApp.advance('2 min')
  return dialogId
}
const look = (staff: TestUser, { id }: TestUser) =>
  staff.get(`v2/manager/masked/${id}`) as Promise<{
    view_id: number
    earlier: number
    texts: { original: string; masked: string; before: object[]; after: object[] }[]
  }>
const decide = (staff: TestUser, { id }: TestUser, given: object) =>
  staff.post(`v2/manager/masked/${id}/decide`, given) as Promise<{ statement_id: number | null }>
async function waiting(staff: TestUser) {
  const { queues } = await staff.get('v2/manager/queues')
  return queues.find(({ queue }) => queue === 'masked')?.waiting
}

story(
  'a moderator reads masked texts with those around them, and warns once',
  async ({ testApp, boris, anna }) => {
    await writeContact(testApp, anna, boris)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    equal(await waiting(dana), 1)
    const { items } = await dana.get('v2/manager/masked')
    deepEqual(
      items.map(({ user, messages, call_texts, claim }) => [user.id, messages, call_texts, claim]),
      [[anna.id, 1, 0, null]],
    )
    await dana.post('v2/manager/claim', { queue: 'masked', id: String(anna.id) })
    const { view_id, texts, earlier } = await look(dana, anna)
    deepEqual(texts[0]!.before, [{ sender_id: anna.id, text: 'how are you?' }])
    deepEqual(texts[0]!.after, [{ sender_id: anna.id, text: 'soon' }])
    deepEqual(
      [texts.length, texts[0]!.original, texts[0]!.masked, earlier],
      [1, 'write me at anna@example.com', 'write me at ***', 0],
    )
    equal((await auditedActs(testApp))[0], 'masked_texts_view')
    await dana.isRefused('invalid', () => decide(dana, anna, { ...FINE, view_id, comment: '' }))
    await dana.isRefused('invalid', () => decide(dana, anna, { ...WARNING, view_id, reason: 'x' }))
    const { statement_id } = await decide(dana, anna, { ...WARNING, view_id })
    equal((await auditedActs(testApp))[0], 'masked_texts_decide')
    const { items: statements } = await anna.get('statements')
    deepEqual(
      statements.map(({ id, kind, comment }) => [id, kind, comment]),
      [[statement_id, 'warning', 'keep contacts away']],
    )
    equal(await waiting(dana), 0)
    await dana.isRefused('decided', () => decide(dana, anna, { ...WARNING, view_id }))
    equal((await anna.get('statements')).items.length, 1)
    equal((await look(dana, anna)).earlier, 1)
  },
)

story('the note of a case without a violation is kept', async ({ testApp, boris, anna }) => {
  await writeContact(testApp, anna, boris)
  const dana = await openStaff(testApp, 'moderator')
  const { view_id } = await look(dana, anna)
  await decide(dana, anna, { ...FINE, view_id })
  deepEqual(await lastAudited(testApp), { act: 'masked_texts_decide', reason: FINE.comment })
})

story(
  'a case that another has is neither claimed nor decided, and only an own look is decided',
  async ({ testApp, boris, anna }) => {
    await writeContact(testApp, anna, boris)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    const key = { queue: 'masked', id: String(anna.id) } as const
    await dana.post('v2/manager/claim', key)
    await emil.isRefused('claimed', () => emil.post('v2/manager/claim', key))
    const { view_id } = await look(dana, anna)
    await emil.isRefused('claimed', () => decide(emil, anna, { ...FINE, view_id }))
    await dana.post('v2/manager/release', key)
    await emil.isRefused('not_found', () => decide(emil, anna, { ...FINE, view_id }))
    await emil.isRefused('not_found', () => decide(emil, boris, { ...FINE, view_id }))
    await dana.isRefused('not_found', () => dana.get('v2/manager/masked/999999'))
    equal(await waiting(dana), 1)
    const own = await look(emil, anna)
    const sides = [
      { staff: dana, view_id },
      { staff: emil, view_id: own.view_id },
    ]
    const both = await together(2, (index) => {
      const side = sides[index]!
      return decide(side.staff, anna, { ...WARNING, view_id: side.view_id }).then(
        () => 'done',
        String,
      )
    })
    equal(both.filter((one) => one === 'done').length, 1, both.join())
    equal((await anna.get('statements')).items.length, 1)
  },
)

story(
  'penalties and bans of masked texts keep the limits of a role, and take back nothing half',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'call +49 170 1234567' })
    await anna.act('TEXT_CHAT_MESSAGE', { session_id, id: 'b', text: 'or anna@example.com' })
    await testApp.advance('2 min')
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const { view_id } = await look(dana, anna)
    const act = { reason: 'contacts', comment: 'no contacts', view_id }
    const penalty = (amount: string) => ({ ...act, decision: 'penalty', amount })
    const ban = { ...act, decision: 'ban', reason: 'other', until: null }
    await dana.isRefused('role_forbidden', () => decide(dana, anna, penalty('99999')))
    await dana.isRefused('role_forbidden', () => decide(dana, anna, ban))
    const his = await look(dana, boris)
    await dana.isRefused('not_found', () =>
      decide(dana, boris, { ...penalty('10'), view_id: his.view_id }),
    )
    equal(await waiting(dana), 2)
    await decide(dana, anna, penalty('10'))
    await anna.heard('penalty')
    const manager = await openStaff(testApp, 'manager')
    const seen = await look(manager, boris)
    await decide(manager, boris, { ...ban, view_id: seen.view_id })
    await boris.heard('banned')
    const self = await openStaff(testApp, 'manager', 'anna@duet.example')
    await self.isRefused('role_forbidden', () => decide(self, anna, { ...FINE, view_id }))
  },
)

story(
  'a text of a call that has become private was written in private, and one before it was not',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await anna.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'anna@example.com' })
    await talk(70)
    await boris.act('SESSION_UP', { session_id })
    await anna.act('SESSION_UP_REACTION', { session_id, accept: true })
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'b', text: 'boris@example.com' })
    await testApp.advance('2 min')
    const dana = await openStaff(testApp, 'moderator')
    for (const user of [anna, boris])
      await decide(dana, user, { ...WARNING, view_id: (await look(dana, user)).view_id })
    const places = await Promise.all(
      [anna, boris].map(async (user) => (await user.get('statements')).items[0]?.texts),
    )
    deepEqual(
      places.map((texts) => texts?.map(({ place }) => place)),
      [['public_call'], ['private_call']],
    )
  },
)

story('masked texts wait for seven days', async ({ testApp, boris, anna }) => {
  await writeContact(testApp, anna, boris)
  await testApp.leap('169 h')
  const dana = await openStaff(testApp, 'moderator')
  equal(await waiting(dana), 0)
  deepEqual((await dana.get('v2/manager/masked')).items, [])
})
