import { deepEqual, equal, ok } from 'node:assert/strict'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { isRefusal } from '../../../lib/refusal.ts'
import { ledgerCheck } from '../../ledger/index.ts'
import { lockView, markRead } from '../store.ts'
import { sendMessage } from './send-message.ts'

const storedMessages = (testApp: TestApp) =>
  testApp.app.db.selectFrom('messages').selectAll().orderBy('id').execute()
const credits = async (user: TestUser) => (await user.post('balance')).balance_messages
const coins = async (user: TestUser) => (await user.post('balance')).balance

/** How the parallel requests ended: the number of successes, and the names of the refusals. */
async function outcomes(answers: readonly object[]) {
  const refused = answers.flatMap((one) =>
    'error' in one ? [(one.error as { name: string }).name] : [],
  )
  return { sent: answers.length - refused.length, refusals: [...new Set(refused)] }
}

story(
  'a guy uses the free messages of the day, is asked to become premium, and has new ones at midnight',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('free_messages_a_day', '2')
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello')
    const first = await writeMessage(boris, dialogId, 'one')
    deepEqual(first.can_write, { allowed: true, cost: 'free' })
    await boris.heard('free_quota', { messages: 1 }, { times: 1 })
    const second = await writeMessage(boris, dialogId, 'two')
    deepEqual(second.can_write, { allowed: false, code: 303, name: 'message_limit', cost: 'none' })
    await boris.heard('free_quota', { messages: 0 }, { times: 1 })
    await boris.isRefused('message_limit', () => writeMessage(boris, dialogId, 'three'))
    equal((await boris.auth()).free_quota_messages, 0)
    const { dialog } = await boris.act('GET_DIALOG', { dialogId })
    equal(dialog.can_write.code, 303)
    // The clock of a story begins at noon of the product.
    boris.forget()
    await testApp.leap(12 * 3_600_000 - 1_000)
    await testApp.advance('2 s')
    await boris.heard('free_quota', { messages: 2 })
    await writeMessage(boris, dialogId, 'three')
  },
)

story(
  'a premium guy pays with a credit after the free messages, and her answer earns the reward once',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('free_messages_a_day', '1')
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 2, 'message', '--reason', 'test')
    const dialogId = await dialogBetween(boris, anna)
    const free = await writeMessage(boris, dialogId, 'a free one')
    deepEqual(free.can_write, { allowed: true, cost: 'credit', credits: 1 })
    // An answer to a free message earns nothing.
    equal((await writeMessage(anna, dialogId, 'thank you')).reward, undefined)
    await writeMessage(boris, dialogId, 'a paid one')
    await boris.heard('balance', { balance_messages: 1 }, { times: 1 })
    const second = await writeMessage(boris, dialogId, 'another paid one')
    deepEqual(second.can_write, { allowed: false, code: 301, name: 'no_balance', cost: 'none' })
    deepEqual(await boris.isRefused('no_balance', () => writeMessage(boris, dialogId, 'no more')), {
      missing: '1',
    })
    const { dialog } = await anna.act('GET_DIALOG', { dialogId })
    deepEqual(dialog.can_write, { allowed: true, cost: 'none', reward: '25' })
    const answer = await writeMessage(anna, dialogId, 'how are you', 'r1')
    deepEqual([answer.reward, answer.can_write.reward], ['25', '25'])
    await anna.heard('send_message_success', { random_id: 'r1', reward: '25' }, { times: 1 })
    await anna.heard('balance', { balance: '25' }, { times: 1 })
    equal((await writeMessage(anna, dialogId, 'How  are you')).reward, undefined)
    equal((await writeMessage(anna, dialogId, '!')).reward, undefined)
    const last = await writeMessage(anna, dialogId, 'tell me')
    deepEqual([last.reward, last.can_write.reward], ['25', undefined])
    equal((await writeMessage(anna, dialogId, 'and more')).reward, undefined)
    equal(await coins(anna), '50')
    deepEqual((await ledgerCheck(testApp.app.db)).differences, [])
  },
)

story('a paid message that waits for days earns nothing', async ({ testApp, boris, anna }) => {
  await testApp.setting('free_messages_a_day', '0')
  await testApp.duet('premium', boris.id, '--days', 30)
  await testApp.duet('grant', boris.id, 2, 'message', '--reason', 'test')
  const dialogId = await dialogBetween(boris, anna)
  await writeMessage(boris, dialogId, 'early')
  await testApp.leap('71 h')
  await writeMessage(boris, dialogId, 'late')
  await testApp.leap('1 h')
  equal((await writeMessage(anna, dialogId, 'one answer')).reward, '25')
  equal((await writeMessage(anna, dialogId, 'another answer')).reward, undefined)
})

story(
  'a girl may write three messages until he answers, and a guy without Premium only where she wrote',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    for (const text of ['one', 'two', 'three']) await writeMessage(anna, dialogId, text)
    await anna.isRefused('no_first_write', () => writeMessage(anna, dialogId, 'four'))
    anna.forget()
    await writeMessage(boris, dialogId, 'I am here')
    const { dialog } = await anna.heard('messenger_message', {}, { times: 1 })
    deepEqual(dialog?.can_write, { allowed: true, cost: 'none' })
    for (let n = 0; n < 5; n += 1) await writeMessage(anna, dialogId, `text ${n}`)
    equal((await storedMessages(testApp)).length, 9)
  },
)

story(
  'when Premium ends, a guy who never got a message of hers may not write on',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('premium', boris.id, '--days', 1)
    const dialogId = await dialogBetween(boris, anna)
    await writeMessage(boris, dialogId, 'Hello')
    await testApp.leap('25 h')
    await boris.isRefused('premium_only', () => writeMessage(boris, dialogId, 'Hello?'))
    boris.forget()
    await writeMessage(anna, dialogId, 'Hi')
    const { dialog } = await boris.heard('messenger_message', {}, { times: 1 })
    deepEqual(dialog?.can_write, { allowed: true, cost: 'free' })
  },
)

/** A hundred messages of one user at once. A socket would be refused after forty. */
function sendHundred({ app }: TestApp, sender_id: number, dialogs: readonly number[]) {
  return together(100, async (n) => {
    const dialogId = dialogs[n % dialogs.length]!
    const text = { dialogId, message: 'Hi', random_id: `${n}`, type: 'text' } as const
    try {
      return await sendMessage(app, { id: sender_id }, text)
    } catch (error) {
      if (isRefusal(error)) return { error: { name: error.refusal } }
      throw error
    }
  })
}

story(
  'of a hundred messages at once with one free message left, one is sent',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('free_messages_a_day', '1')
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello')
    const answers = await sendHundred(testApp, boris.id, [dialogId])
    deepEqual(await outcomes(answers), { sent: 1, refusals: ['message_limit'] })
    equal((await storedMessages(testApp)).length, 2)
  },
)

story(
  'of a hundred messages at once into two dialogs with one credit left, one is sent',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.setting('free_messages_a_day', '0')
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 1, 'message', '--reason', 'test')
    const dialogs = [await dialogBetween(boris, anna), await dialogBetween(boris, vera)]
    const answers = await sendHundred(testApp, boris.id, dialogs)
    deepEqual(await outcomes(answers), { sent: 1, refusals: ['no_balance'] })
    equal(await credits(boris), 0)
    equal((await storedMessages(testApp)).length, 1)
    deepEqual((await ledgerCheck(testApp.app.db)).differences, [])
  },
)

story(
  'the same random_id from many requests is one message, one price and one answer',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('free_messages_a_day', '0')
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 5, 'message', '--reason', 'test')
    const dialogId = await dialogBetween(boris, anna)
    const answers = await together(20, () => writeMessage(boris, dialogId, 'Hello', 'same'))
    equal(new Set(answers.map(({ message_id }) => message_id)).size, 1)
    deepEqual(new Set(answers.map(({ price }) => price)), new Set([1]))
    equal(await credits(boris), 4)
    // The price is the payer's alone.
    const { message } = await boris.heard('messenger_message', {}, { times: 1 })
    equal(message.price, 1)
    const received = await anna.heard('messenger_message', {}, { times: 1 })
    equal(received.message.price, undefined)
    await boris.isRefused('invalid', () => writeMessage(boris, dialogId, 'Other', 'same'))
    // Another sender's names are their own.
    await writeMessage(anna, dialogId, 'Hello', 'same')
    equal((await storedMessages(testApp)).length, 2)
    // A refused message is judged again.
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.isRefused('blocked', () => writeMessage(boris, dialogId, 'Later', 'later'))
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    await writeMessage(boris, dialogId, 'Later', 'later')
  },
)

story(
  'a reward is earned once, however many answers are sent at once',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('free_messages_a_day', '0')
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 1, 'message', '--reason', 'test')
    const dialogId = await dialogBetween(boris, anna)
    await writeMessage(boris, dialogId, 'Hello')
    const answers = await together(20, (n) => writeMessage(anna, dialogId, `answer ${n}`))
    equal(answers.filter(({ reward }) => reward !== undefined).length, 1)
    equal(await coins(anna), '25')
    const { count_new_messages } = await anna.act('GET_COUNT_NEW_MESSAGES', {})
    equal(count_new_messages, 1)
  },
)

story(
  'contact details are masked for both, and the original is kept for staff only',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const sent = await writeMessage(anna, dialogId, 'write me at anna@example.com', 'm1')
    equal(sent.message, 'write me at ***')
    equal(
      (await writeMessage(anna, dialogId, 'write me at anna@example.com', 'm1')).message_id,
      sent.message_id,
    )
    for (const user of [boris, anna]) {
      const { messages } = await user.act('GET_DIALOG_MESSAGES', { dialogId })
      ok(!JSON.stringify([messages, user.all()]).includes('example.com'), user.name)
    }
    const originals = await testApp.app.db.selectFrom('message_originals').selectAll().execute()
    deepEqual(
      originals.map(({ message_id, text }) => [message_id, text]),
      [[sent.message_id, 'write me at anna@example.com']],
    )
  },
)

story(
  'a contact over messages of five minutes is masked where it ends, and what the other one wrote does not count',
  async ({ testApp, boris, carl, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const write = async (user: TestUser, text: string, into = dialogId) => {
      await testApp.advance('10 s')
      return (await writeMessage(user, into, text)).message
    }
    equal(await write(anna, 'call 8916'), 'call 8916')
    equal(await write(boris, 'when?'), 'when?')
    equal(await write(anna, '123'), '123')
    equal(await write(anna, '4567 ok'), '*** ok')
    equal(await write(anna, 'or 8916 123'), 'or 8916 123')
    equal(await write(boris, '4567'), '4567')
    // A text of another dialog is no neighbour, nor is a text of five minutes ago.
    equal(await write(anna, '4567', await dialogBetween(anna, carl)), '4567')
    await testApp.leap('5 min')
    equal(await write(anna, '4567'), '4567')
    const originals = await testApp.app.db
      .selectFrom('message_originals')
      .select('text')
      .orderBy('message_id')
      .execute()
    deepEqual(
      originals.map(({ text }) => text),
      ['4567 ok'],
    )
  },
)

story(
  'the event of a message equals its change and its row, free, paid, rewarded or masked',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('free_messages_a_day', '1')
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 2, 'message', '--reason', 'test')
    const dialogId = await dialogBetween(boris, anna)
    for (const [sender, text] of [
      [boris, 'a free one'],
      [boris, 'a paid one'],
      [anna, 'an answer with a reward'],
      [boris, 'a paid one with a contact: boris@mail.example'],
      [anna, 'עברית, العربية 😊 <b>'],
    ] as const)
      await writeMessage(sender, dialogId, text)
    for (const user of [boris, anna]) {
      const { changes } = await user.act('GET_CHANGES', { since: 0 })
      const messages = changes.filter(({ event }) => event === 'messenger_message')
      equal(messages.length, 5)
      for (const { change_id, payload } of messages) {
        const heard = await user.heard('messenger_message', { change_id }, { times: 1 })
        // The count and the dialog are those of now.
        deepEqual(heard.message, payload.message)
      }
      deepEqual(
        (await user.act('GET_DIALOG_MESSAGES', { dialogId })).messages,
        messages.map(({ payload }) => payload.message),
      )
    }
  },
)

story(
  'the event of an own message never counts a message that was read meanwhile',
  async ({ testApp, boris, carl, anna }) => {
    const ofBoris = await dialogBetween(anna, boris)
    await writeMessage(anna, ofBoris, 'Hello')
    const { message_id } = await writeMessage(boris, ofBoris, 'Hello, too')
    const ofCarl = await dialogBetween(anna, carl)
    anna.forget()
    const client = await testApp.database.pool.connect()
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    let sending: Promise<unknown> | undefined
    try {
      await testApp.app.transact(async (tx) => {
        const view = { dialog_id: ofBoris, user_id: anna.id }
        await lockView(tx, view)
        await markRead(tx, view, { ids: [message_id], vanish_at: null, pictures_locked: false })
        let isSent = false
        sending = writeMessage(anna, ofCarl, 'Hello').then(() => (isSent = true))
        while (!isSent && (await client.query(waiting)).rowCount === 0);
      })
      await sending
    } finally {
      client.release()
    }
    await anna.heard('messenger_message', { count_new_messages: 0 }, { times: 1 })
  },
)

story(
  'a message whose commit lost its answer reaches both connected users without a repeat',
  async ({ testApp, carl, anna }) => {
    const dialogId = await dialogBetween(anna, carl)
    loseAnswerOfCommit(testApp, /messenger_store/)
    await anna.tryAct('MESSAGE', { dialogId, message: 'hello', random_id: 'lost', type: 'text' })
    await testApp.advance('2 s')
    for (const user of [anna, carl]) await user.heard('messenger_message', {}, { times: 1 })
  },
)
