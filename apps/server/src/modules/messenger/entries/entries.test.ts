import { deepEqual, equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { callFacts, dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { story, type TestApp, together } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const getLike = (user: TestUser, other: TestUser, isLiked = true) =>
  user.act('LIKING_REACTION', { user_id: other.id, like: isLiked })
const getPage = (viewer: TestUser, girl: TestUser) =>
  viewer.get('girl_info', { ref_code: String(girl.user.ref_code) })

story(
  'a girl’s like opens the dialog to him, and taking it back closes it',
  async ({ boris, anna }) => {
    deepEqual((await getPage(boris, anna)).can_write, {
      allowed: false,
      code: 302,
      name: 'premium_only',
    })
    deepEqual(await getLike(anna, boris), { mutual: false })
    const { dialog, message, count_new_messages } = await boris.heard('messenger_message')
    deepEqual([message.type, count_new_messages], ['like', 1])
    deepEqual(dialog?.can_write, { allowed: true, cost: 'free' })
    await boris.heard('like_received', { user_id: anna.id, nick: 'Anna', mutual: false })
    deepEqual((await getPage(boris, anna)).can_write, { allowed: true })
    deepEqual(await getLike(boris, anna), { mutual: true })
    const { girl } = await getPage(boris, anna)
    deepEqual([girl.likes, girl.liked], [1, true])
    // The second like of the same user does not count.
    await getLike(anna, boris)
    const bell = await boris.get('notices')
    deepEqual(
      bell.items.map(({ kind, user }) => [kind, user?.nick]),
      [['liked', 'Anna']],
    )
    await boris.heard('messenger_message', { count_new_messages: 1 }, { times: 2 })
    await getLike(anna, boris, false)
    await boris.heard('messenger_message_removed', { message_ids: [message.message_id] })
    await boris.isRefused('premium_only', () => writeMessage(boris, dialog!.dialog_id, 'Hello'))
    await getLike(boris, anna, false)
    equal((await getPage(boris, anna)).girl.likes, 0)
  },
)

story('a like that is taken back unread is counted no more', async ({ boris, anna }) => {
  const unread = async () => (await boris.act('GET_COUNT_NEW_MESSAGES', {})).count_new_messages
  await getLike(anna, boris)
  equal(await unread(), 1)
  await getLike(anna, boris, false)
  equal(await unread(), 0)
  await getLike(anna, boris)
  await together(2, () => getLike(anna, boris, false))
  equal(await unread(), 0)
  const [dialog] = (await boris.act('GET_DIALOGS', {})).dialogs
  equal(dialog?.count_new_messages, 0)
})

/** The deadlocks of the database since its creation: each connection reports its own when it is asked to. */
async function countDeadlocks({ app }: TestApp): Promise<string> {
  await together(50, () => sql`select pg_stat_force_next_flush()`.execute(app.db))
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks::text from pg_stat_database where datname = current_database()`.execute(app.db)
  return rows[0]!.deadlocks
}

story(
  'likes of one girl that are given and taken back at once do not deadlock',
  async ({ testApp, anna }) => {
    await testApp.setting('likes_a_day', '100')
    const { guys } = await enterCrowd(testApp, { guys: 8, girls: 0, minutes: 0 })
    const before = await countDeadlocks(testApp)
    for (let round = 0; round < 4; round += 1)
      await together(guys.length, (at) => getLike(guys[at]!, anna, (at + round) % 2 === 0))
    equal(await countDeadlocks(testApp), before)
  },
)

story('a guy’s like gives no right to write, and has no cost', async ({ boris, anna }) => {
  await getLike(boris, anna)
  const [dialog] = (await boris.act('GET_DIALOGS', {})).dialogs
  deepEqual([dialog!.last_message?.type, dialog!.can_write.code], ['like', 302])
  equal((await anna.act('GET_COUNT_NEW_MESSAGES', {})).count_new_messages, 1)
  equal((await boris.auth()).free_quota_messages, 10)
})

story(
  'likes end at a number a day, and are refused after a block and for users who are not met',
  async ({ testApp, boris, carl, anna, vera, clara, nina }) => {
    await testApp.setting('likes_a_day', '2')
    await together(10, () => getLike(boris, anna))
    await getLike(boris, vera)
    await boris.isRefused('too_many', () => getLike(boris, clara))
    // Removing a like restores no like of the day.
    await getLike(boris, vera, false)
    await boris.isRefused('too_many', () => getLike(boris, clara))
    await testApp.leap('24 h')
    await getLike(boris, clara)
    for (const other of [boris, carl, nina])
      await boris.isRefused('not_found', () => getLike(boris, other))
    await anna.act('BLOCK_USER', { user_id: carl.id })
    await carl.isRefused('blocked', () => getLike(carl, anna))
    await boris.isRefused('not_found', () =>
      boris.act('LIKING_REACTION', { user_id: vera.id, like: true, session_id: 77 }),
    )
  },
)

story(
  'a call is one entry of the dialog; a random call of strangers opens none',
  async ({ testApp, boris, anna, carl, vera }) => {
    const dialogId = await dialogBetween(anna, boris)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(6)
    await boris.act('BREAK_SESSION', { session_id: call.session_id })
    const [entry] = await testApp.app.db
      .selectFrom('outbox')
      .selectAll()
      .where('kind', '=', 'call entry')
      .execute()
    await testApp.app.transact((tx) => tx.enqueue('call entry', entry!.payload, 'delivered again'))
    await testApp.settle()
    const { messages } = await boris.act('GET_DIALOG_MESSAGES', { dialogId })
    deepEqual(
      messages.map((one) => [one.type, callFacts(one), one.read_status]),
      [['call', { kind: 'public', seconds: 6, missed: false }, 1]],
    )
    equal((await anna.auth()).count_new_messages, 0)
    const other = await inCall(testApp, { guy: carl, girl: vera })
    await other.connect()
    await carl.act('BREAK_SESSION', { session_id: other.session_id })
    await testApp.settle()
    deepEqual((await carl.act('GET_DIALOGS', {})).dialogs, [])
  },
)

story('a private call opens the dialog of the two', async ({ testApp, boris, anna }) => {
  await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
  const call = await inCall(testApp, { guy: boris, girl: anna, kind: 'direct' })
  await boris.act('BREAK_SESSION', { session_id: call.session_id })
  const { message } = await anna.heard('messenger_message', {}, { times: 1 })
  // Both had accepted the call, so it was not missed.
  deepEqual(callFacts(message), { kind: 'private', seconds: 0, missed: false })
  equal((await anna.auth()).count_new_messages, 0)
})

story(
  'an entry that the former version enqueued is written as its call was',
  async ({ testApp, boris, anna, carl, vera }) => {
    const missed = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id: missed.session_id })
    const talked = await inCall(testApp, { guy: carl, girl: vera })
    await talked.connect()
    await carl.act('BREAK_SESSION', { session_id: talked.session_id })
    await testApp.settle()
    const dialogId = await dialogBetween(vera, carl)
    const former = [
      { session_id: missed.session_id, guy_id: boris.id, girl_id: anna.id, seconds: 0 },
      { session_id: talked.session_id, guy_id: carl.id, girl_id: vera.id, seconds: 6 },
    ].map((call) => ({ ...call, connected: call.seconds > 0 }))
    await testApp.app.transact(async (tx) => {
      for (const call of former) await tx.enqueue('call entry', call, `former ${call.session_id}`)
    })
    await testApp.settle()
    deepEqual((await boris.act('GET_DIALOGS', {})).dialogs, [])
    const { messages } = await carl.act('GET_DIALOG_MESSAGES', { dialogId })
    deepEqual(messages.map(callFacts), [{ kind: 'public', seconds: 6, missed: false }])
  },
)
