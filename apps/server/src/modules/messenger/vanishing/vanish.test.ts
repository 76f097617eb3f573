import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Payload } from '@duet/protocol'
import { dialogBetween, textDigests, writeMessage } from '@duet/testkit/messenger.ts'
import { databaseText } from '@duet/testkit/database/database-text.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const SECRET = 'only for an hour'

/** Every way to read a text of a dialog. */
async function readAll(user: TestUser, dialogId: number): Promise<string[]> {
  const exported: unknown[] = []
  for await (const part of (user.testApp as TestApp).app.exportUser(user.id)) exported.push(part)
  const read = [
    await user.act('GET_DIALOG_MESSAGES', { dialogId }),
    await user.act('GET_DIALOG', { dialogId }),
    await user.act('GET_DIALOGS', {}),
    await user.act('GET_CHANGES', { since: 0 }),
  ]
  // His own messages only are in his export.
  return [...read, ...(user.name === 'anna' ? [exported] : [])].map((one) => JSON.stringify(one))
}

story(
  'what a girl writes to a guy without Premium is gone an hour after he read it, everywhere',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, `${SECRET} at anna@example.com`)
    await testApp.leap('3 h')
    const { vanish_at } = await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    ok(vanish_at)
    await anna.heard('messenger_read_message', { vanish_at }, { times: 1 })
    // A repeat does not begin a new hour.
    await testApp.leap('30 min')
    const again = await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    equal(again.vanish_at, vanish_at)
    await testApp.leap(29 * 60_000 + 58_000)
    await testApp.advance('1 s')
    const texts = async () =>
      JSON.stringify([
        ...(await readAll(boris, dialogId)),
        ...(await readAll(anna, dialogId)),
        await databaseText(testApp.database),
      ])
    for (const text of [...(await readAll(boris, dialogId)), await databaseText(testApp.database)])
      ok(text.includes(SECRET), text.slice(0, 200))
    const [digest] = await textDigests(testApp)
    const written = JSON.stringify([dialogId, 'text', `${SECRET} at anna@example.com`])
    notEqual(digest, createHash('sha256').update(written).digest('hex'))
    // A second after the hour.
    await testApp.advance('2 s')
    ok(!(await texts()).includes(SECRET))
    deepEqual(await textDigests(testApp), [''])
    for (const user of [boris, anna]) {
      await user.heard('messenger_message_removed', { reason: 'expired' }, { times: 1 })
      deepEqual((await user.act('GET_DIALOG_MESSAGES', { dialogId })).messages, [])
      equal((await user.act('GET_DIALOG', { dialogId })).dialog.last_message, null)
    }
  },
)

story(
  'messages that are read together later keep the times of their own reading',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const message_ids: number[] = []
    for (const text of ['one', 'two', 'three'])
      message_ids.push((await writeMessage(anna, dialogId, text)).message_id)
    await boris.act('READ_MESSAGE', { dialogId, message_ids: message_ids.slice(0, 1) })
    await testApp.leap('10 min')
    await boris.act('READ_MESSAGE', { dialogId, message_ids })
    const { messages } = await anna.act('GET_DIALOG_MESSAGES', { dialogId })
    const stored = messages.map(({ message_id, vanish_at }) => [message_id, vanish_at])
    equal(new Set(messages.map(({ vanish_at }) => vanish_at)).size, 2)
    for (const user of [boris, anna]) {
      const { changes } = await user.act('GET_CHANGES', { since: 0 })
      const told = changes.flatMap(({ event, payload }) => {
        if (event !== 'messenger_read_message') return []
        const read = payload as Payload<'messenger_read_message'>
        return read.message_ids.map((id) => [id, read.vanish_at])
      })
      deepEqual(told, stored)
    }
  },
)

story(
  'a message that vanishes under a hold stays for staff, and leaves both views',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const first = await writeMessage(anna, dialogId, 'what stays')
    const { message_id } = await writeMessage(anna, dialogId, SECRET)
    await testApp.duet('hold', 'add', anna.id, '--reason', 'case 1')
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.leap('2 h')
    const originals = await testApp.app.db.selectFrom('message_originals').select('text').execute()
    deepEqual(originals, [{ text: SECRET }])
    for (const user of [boris, anna]) {
      const { messages } = await user.act('GET_DIALOG_MESSAGES', { dialogId })
      deepEqual(
        messages.map((one) => one.message_id),
        [first.message_id],
      )
      const { dialog } = await user.act('GET_DIALOG', { dialogId })
      equal(dialog.last_message!.message_id, first.message_id)
    }
    // The age of originals does not end the evidence.
    await testApp.leap('3000 h')
    await testApp.app.jobs.run('retention')
    equal((await testApp.app.db.selectFrom('message_originals').selectAll().execute()).length, 1)
  },
)

story(
  'a message whose time came while no server ran is gone at the start',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, SECRET)
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.running.kill()
    testApp.clock.sleep(testApp.clock.now().add({ hours: 2 }))
    await testApp.open()
    const [row] = await testApp.app.db.selectFrom('messages').selectAll().execute()
    deepEqual([row!.text, row!.removed_at !== null], ['', true])
  },
)

story('Premium in time keeps the messages', async ({ testApp, boris, anna }) => {
  const dialogId = await dialogBetween(anna, boris)
  const { message_id } = await writeMessage(anna, dialogId, SECRET)
  await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
  for (const user of [boris, anna]) user.forget()
  await testApp.duet('premium', boris.id, '--days', 1)
  for (const user of [boris, anna]) {
    const kept = await user.heard('messenger_read_message', {}, { times: 1 })
    deepEqual([kept.message_ids, kept.vanish_at], [[message_id], undefined])
  }
  await testApp.leap('2 h')
  const { messages } = await boris.act('GET_DIALOG_MESSAGES', { dialogId })
  deepEqual([messages[0]!.message, messages[0]!.vanish_at], [SECRET, undefined])
  // With Premium a message does not begin to disappear.
  const next = await writeMessage(anna, dialogId, 'the next one')
  deepEqual(await boris.act('READ_MESSAGE', { dialogId, message_ids: [next.message_id] }), {})
})
