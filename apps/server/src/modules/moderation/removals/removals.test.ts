import { deepEqual, equal } from 'node:assert/strict'
import { dialogBetween, recountDialogs, writeMessage } from '@duet/testkit/messenger.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'

const ABOUT = { reason: 'contacts', comment: 'No phone numbers here.', field: 'about' } as const

const WHY_REMOVED = 'Your picture shows a phone number.'

function once(key: string = crypto.randomUUID()) {
  return { 'idempotency-key': key }
}

function undo(staff: TestUser, id: number) {
  return staff.post(`v2/manager/statements/${id}/undo`, { reason: 'a mistake' })
}

/** A picture of the gallery that a moderator removed, and its statement. */
async function removedPicture(testApp: TestApp, user: TestUser) {
  testApp.vision.nudity = 0.41
  const { media } = await user.post('gallery/media', fileForm('media', await patternBytes(5), {}))
  const dana = await openStaff(testApp, 'moderator')
  const verdict = { approve: false, verdict: 'personal_data', reason: WHY_REMOVED }
  await dana.post(`v2/manager/photos/${media.id}/decide`, verdict)
  const { items } = await user.get('statements')
  return { media_id: media.id as string, dana, statement: items[0]! }
}

async function readStatus(testApp: TestApp, id: string) {
  const row = await testApp.app.db
    .selectFrom('media')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.status
}

story(
  'a removed picture has a statement, and an upheld appeal brings it back',
  async ({ testApp, boris }) => {
    const { media_id, statement } = await removedPicture(testApp, boris)
    deepEqual(
      [statement.kind, statement.reason, statement.comment, statement.can_appeal],
      ['photo', 'personal_data', WHY_REMOVED, true],
    )
    await boris.heard('statement', { id: statement.id, kind: 'photo' })
    const { id } = await boris.post('appeals', { statement_id: statement.id, text: 'no data' })
    const owner = await openStaff(testApp, 'owner')
    await owner.post(`v2/manager/appeals/${id}/decide`, { upheld: true, answer: 'You are right.' })
    equal(await readStatus(testApp, media_id), 'ready')
    const after = await boris.get(`statements/${statement.id}`)
    deepEqual([after.restored, typeof after.lifted_at], [true, 'string'])
  },
)

story('a picture that is shown again upholds the appeal that waits', async ({ testApp, boris }) => {
  const { media_id, statement } = await removedPicture(testApp, boris)
  await boris.post('appeals', { statement_id: statement.id, text: 'no data' })
  await testApp.duet('media', 'approve', media_id)
  equal((await boris.get('appeals')).items[0]!.state, 'upheld')
})

story('a picture that is no longer kept does not come back', async ({ testApp, boris }) => {
  const { media_id, statement } = await removedPicture(testApp, boris)
  await boris.post('gallery/media/delete', { id: media_id })
  equal(await readStatus(testApp, media_id), undefined)
  const manager = await openStaff(testApp, 'manager')
  deepEqual(await undo(manager, statement.id), { restored: false })
  equal((await boris.get(`statements/${statement.id}`)).restored, false)
  const { items } = await boris.get('notices')
  equal(items[0]!.facts['what'], 'not_restored')
})

story(
  'a removed text is cleared once, explained, audited, and comes back',
  async ({ testApp, anna, boris }) => {
    await anna.post('profile', { about: 'Call me: 555-0123' })
    const dana = await openStaff(testApp, 'moderator')
    const given = { user_id: anna.id, ...ABOUT }
    const key = crypto.randomUUID()
    const { statement_id } = await dana.post('v2/manager/text/remove', given, once(key))
    deepEqual(await dana.post('v2/manager/text/remove', given, once(key)), { statement_id })
    equal((await anna.get('profile')).user.about, '')
    await anna.heard('statement', { id: statement_id, comment: ABOUT.comment })
    await dana.isRefused('not_found', () => dana.post('v2/manager/text/remove', given, once()))
    await dana.isRefused('role_forbidden', () => undo(dana, statement_id))
    const manager = await openStaff(testApp, 'manager')
    deepEqual(
      await together(3, () => undo(manager, statement_id)),
      Array(3).fill({ restored: true }),
    )
    equal((await anna.get('profile')).user.about, 'Call me: 555-0123')
    const acts = (await auditedActs(testApp)).filter((act) => !act.startsWith('staff'))
    deepEqual(acts, ['statement_undo', 'text_remove'])
    await boris.isRefused('not_found', () => boris.get(`statements/${statement_id}`))
  },
)

story(
  'a removed nickname becomes a neutral one, and a new one is not overwritten',
  async ({ testApp, boris }) => {
    const dana = await openStaff(testApp, 'moderator')
    const given = { user_id: boris.id, ...ABOUT, field: 'nick' }
    const { statement_id } = await dana.post('v2/manager/text/remove', given, once())
    equal((await boris.get('profile')).user.nick, `User ${boris.id}`)
    await boris.post('profile', { nick: 'Bobby' })
    const manager = await openStaff(testApp, 'manager')
    deepEqual(await undo(manager, statement_id), { restored: false })
    equal((await boris.get('profile')).user.nick, 'Bobby')
    const self = await openStaff(testApp, 'moderator', 'boris@duet.example')
    await self.isRefused('role_forbidden', () =>
      self.post('v2/manager/text/remove', { ...given, field: 'about' }, once()),
    )
  },
)

const BECAUSE = { reason: 'contacts', comment: 'No phone numbers here.' } as const

/** The texts that each of the two reads in the dialog. */
async function readBoth(dialogId: number, ...users: TestUser[]): Promise<string[]> {
  const read = users.map((user) => user.act('GET_DIALOG_MESSAGES', { dialogId }))
  return (await Promise.all(read)).map(({ messages }) =>
    messages.map(({ message }) => message).join(),
  )
}

story(
  'a removed message is gone for both, kept for staff, explained, audited, and comes back',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Good morning')
    const { message_id } = await writeMessage(anna, dialogId, 'You owe me money')
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const remove = (staff: TestUser, id: number = message_id) =>
      staff.post(`v2/manager/messages/${id}/remove`, BECAUSE)
    await together(3, () => remove(dana).catch(() => undefined))
    deepEqual(await readBoth(dialogId, anna, boris), ['Good morning', 'Good morning'])
    deepEqual(await recountDialogs(testApp.database.pool), [])
    for (const user of [anna, boris])
      await user.heard(
        'messenger_message_removed',
        { message_ids: [message_id], reason: 'violation' },
        { times: 1 },
      )
    const { items } = await anna.get('statements')
    deepEqual(
      items.map(({ kind, reason, comment }: Record<string, unknown>) => [kind, reason, comment]),
      [['text', 'contacts', BECAUSE.comment]],
    )
    deepEqual((await boris.get('statements')).items, [])
    await dana.isRefused('decided', () => remove(dana))
    await dana.isRefused('not_found', () => remove(dana, 999_999_999))
    equal((await auditedActs(testApp)).filter((act) => act === 'message_remove').length, 1)
    const read = async () =>
      (
        (await dana.post(`v2/manager/users/${anna.id}/dialogs/${boris.id}`, {
          reason: 'complaint 7',
        })) as unknown as { lines: { text: string; is_masked: boolean; is_removed: boolean }[] }
      ).lines.map(({ text, is_masked, is_removed }) => [text, is_masked, is_removed])
    deepEqual(await read(), [
      ['Good morning', false, false],
      ['You owe me money', false, true],
    ])
    const manager = await openStaff(testApp, 'manager')
    deepEqual(await undo(manager, items[0]!.id), { restored: true })
    deepEqual(await readBoth(dialogId, anna, boris), [
      'Good morning,You owe me money',
      'Good morning,You owe me money',
    ])
    deepEqual(await recountDialogs(testApp.database.pool), [])
    equal((await testApp.app.db.selectFrom('message_originals').selectAll().execute()).length, 0)
  },
)

story('staff do not remove a message of an own dialog', async ({ testApp, boris, anna }) => {
  const dialogId = await dialogBetween(anna, boris)
  const { message_id } = await writeMessage(anna, dialogId, 'Good morning')
  const self = await openStaff(testApp, 'manager', 'boris@duet.example')
  await self.isRefused('role_forbidden', () =>
    self.post(`v2/manager/messages/${message_id}/remove`, BECAUSE),
  )
  deepEqual(await readBoth(dialogId, boris), ['Good morning'])
})

story(
  'a masked message comes back masked, and one whose time has passed does not come back',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, 'write to anna@example.com')
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    const before = await readBoth(dialogId, boris)
    const manager = await openStaff(testApp, 'manager')
    const remove = () => manager.post(`v2/manager/messages/${message_id}/remove`, BECAUSE)
    const { statement_id } = (await remove()) as { statement_id: number }
    deepEqual(await undo(manager, statement_id), { restored: true })
    deepEqual(await readBoth(dialogId, boris), before)
    const again = (await remove()) as { statement_id: number }
    await testApp.leap('2 h')
    deepEqual(await undo(manager, again.statement_id), { restored: false })
    deepEqual(await readBoth(dialogId, boris, anna), ['', ''])
  },
)
