import { auditedActs } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { collectCommands, runCommand } from '../../../platform/operator/commands.ts'

interface Listed {
  readonly user_id: number
  readonly messages: number
  readonly call_texts: number
}
const waiting = async (testApp: TestApp) =>
  (await testApp.duet<Listed[]>('masked', 'list')).map(({ user_id, messages, call_texts }) => ({
    user_id,
    messages,
    call_texts,
  }))
const shown = (testApp: TestApp, user: { readonly id: number }, as = 'olga') =>
  testApp.duet<{ kind: string; partner_id: number; original: string; masked: string }[]>(
    ...['masked', 'show', user.id, '--as', as],
  )

story(
  'staff see who wrote contacts in dialogs and calls, and the texts as they were written',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'how are you?')
    await writeMessage(anna, dialogId, 'write me at anna@example.com')
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'call +49 170 1234567' })
    await anna.act('TEXT_CHAT_MESSAGE', { session_id, id: 'b', text: 'or anna@example.com' })
    deepEqual(await waiting(testApp), [
      { user_id: anna.id, messages: 1, call_texts: 1 },
      { user_id: boris.id, messages: 0, call_texts: 1 },
    ])
    deepEqual(
      (await shown(testApp, anna))
        .map(({ kind, partner_id, original, masked }) => [kind, partner_id, original, masked])
        .toSorted(),
      [
        ['call', boris.id, 'or anna@example.com', 'or ***'],
        ['message', boris.id, 'write me at anna@example.com', 'write me at ***'],
      ],
    )
  },
)

story(
  'a user who was looked at waits again with the next masked text, and every look is recorded',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const write = async () => {
      await testApp.advance('10 s')
      await writeMessage(anna, dialogId, 'write me at anna@example.com')
    }
    const done = async (as: string) => {
      const line = ['masked', 'done', String(anna.id), '--as', as]
      return (await runCommand(testApp.app, collectCommands(testApp.running.modules, {}), line))
        .exit_code
    }
    await write()
    equal(await done('olga'), 1)
    await testApp.advance('2 min')
    equal((await shown(testApp, anna)).length, 1)
    equal((await auditedActs(testApp))[0], 'masked_texts_view')
    // A text that staff have not seen is not done.
    await write()
    equal(await done('olga'), 0)
    equal((await waiting(testApp)).length, 1)
    equal(await done('ivan'), 1)
    await testApp.advance('2 min')
    await shown(testApp, anna, 'ivan')
    equal(await done('ivan'), 0)
    deepEqual(await waiting(testApp), [])
    await write()
    equal((await waiting(testApp)).length, 1)
    const views = await testApp.app.db
      .selectFrom('masked_text_views')
      .select(['user_id', 'viewer'])
      .orderBy('view_id')
      .execute()
    deepEqual(views, [
      { user_id: anna.id, viewer: 'olga' },
      { user_id: anna.id, viewer: 'ivan' },
    ])
  },
)

story(
  'a look of staff stays recorded after the erasure of the user',
  async ({ testApp, boris, anna }) => {
    await writeMessage(anna, await dialogBetween(anna, boris), 'anna@example.com')
    await testApp.advance('2 min')
    await shown(testApp, anna)
    await testApp.app.transact((tx) => testApp.app.eraseUser(tx, anna.id))
    const views = () => testApp.app.db.selectFrom('masked_text_views').select('viewer').execute()
    await testApp.leap('100 days')
    await testApp.app.jobs.run('retention')
    deepEqual(await views(), [{ viewer: 'olga' }])
  },
)

story(
  'a text whose transaction ends only after a look waits for the next one',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const send = (text: string) => writeMessage(anna, dialogId, text)
    const done = () => testApp.duet('masked', 'done', anna.id, '--as', 'olga')
    await send('the first: anna@example.com')
    await testApp.advance('2 min')
    const sentAt = testApp.app.clock.now()
    await testApp.advance('5 s')
    equal((await shown(testApp, anna)).length, 1)
    const { message_id } = await send('on its way: anna@example.com')
    await runAsOwner(
      testApp.database,
      `update messages set create_time = '${sentAt}' where id = ${message_id};
       update message_originals set at = '${sentAt}' where message_id = ${message_id}`,
    )
    await done()
    equal((await auditedActs(testApp))[0], 'masked_texts_done')
    deepEqual(await waiting(testApp), [{ user_id: anna.id, messages: 1, call_texts: 0 }])
    await testApp.advance('2 min')
    equal((await shown(testApp, anna)).length, 1)
    await done()
    deepEqual(await waiting(testApp), [])
  },
)

story(
  'a bad text is shown and waits, however many texts are masked after it',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, 'the bad one: anna@example.com')
    await runAsOwner(
      testApp.database,
      `insert into messages (id, dialog_id, sender_id, receiver_id, type, text, random_id, asked, create_time, price, reward)
       select 1000000 + n, ${dialogId}, ${anna.id}, ${boris.id}, 'text', '***', 'r' || n, '', at + n * interval '1 s', 0, 0
       from generate_series(1, 250) n, (select create_time as at from messages where id = ${message_id}) bad;
       insert into message_originals (message_id, dialog_id, sender_id, text, at)
       select id, dialog_id, sender_id, 'harmless', create_time from messages where id > 1000000`,
    )
    await testApp.leap('1 h')
    const line = ['masked', 'done', String(anna.id), '--as', 'olga'] as const
    const first = await shown(testApp, anna)
    deepEqual([first.length, first[0]!.original], [200, 'the bad one: anna@example.com'])
    await testApp.duet('masked', 'show', anna.id, '--all', '--as', 'olga')
    await testApp.duet(...line)
    // The look at the newest texts is not the one that is done.
    deepEqual(await waiting(testApp), [{ user_id: anna.id, messages: 51, call_texts: 0 }])
    equal((await shown(testApp, anna)).length, 51)
    await testApp.duet(...line)
    deepEqual(await waiting(testApp), [])
    equal((await shown(testApp, anna)).length, 0)
  },
)

story(
  'a hold keeps the originals of texts in a call of its user, and they are deleted after it',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'call +49 170 1234567' })
    const { hold_id } = await testApp.duet<{ hold_id: number }>(
      ...['hold', 'add', anna.id, '--reason', 'case 17'],
    )
    await testApp.leap('9000 h')
    await testApp.app.jobs.run('retention')
    equal((await shown(testApp, boris)).length, 1)
    await testApp.duet('hold', 'remove', hold_id)
    await testApp.app.jobs.run('retention')
    equal((await shown(testApp, boris)).length, 0)
  },
)

story(
  'names of other video chats are masked before the operator has chosen any words',
  async ({ boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message } = await writeMessage(anna, dialogId, 'find me on Omegle')
    equal(message, 'find me on ***')
  },
)
