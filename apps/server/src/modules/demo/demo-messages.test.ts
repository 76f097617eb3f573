import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { maskText } from '../../lib/text-mask.ts'
import { createDemoDialogs } from './create-demo-dialogs.ts'
import { DEMO_ANSWERS } from './demo-answers.ts'
import { DEMO_DIALOGS } from './demo-dialogs.ts'
import { DEMO_USERS } from './demo-users.ts'

const demo = story.with({ env: { DEMO: 'on', NODE_ENV: 'development' } })

/** A page of this demo user. */
async function playing(testApp: TestApp, by: TestUser, nick: string): Promise<TestUser> {
  const { cast } = (await by.get('system')).demo!
  const { user_id } = cast.find((one) => one.nick === nick)!
  const { token } = await by.post('demo/sign-in', { user_id })
  const page = testApp.user(nick, token)
  await page.auth()
  return page
}

const fetchDialogs = async (user: TestUser) => (await user.act('GET_DIALOGS', {})).dialogs
const fetchTexts = async (user: TestUser, dialogId: number) =>
  (await user.act('GET_DIALOG_MESSAGES', { dialogId })).messages

test('every woman of the demo has lines that no mask changes', () => {
  const women = DEMO_USERS.filter(({ role }) => role === 'girl').map(({ name }) => name)
  deepEqual(Object.keys(DEMO_ANSWERS).toSorted(), women.toSorted())
  const written = DEMO_DIALOGS.flatMap(({ conversations }) =>
    conversations.flatMap(({ lines }) => lines.map(({ text }) => text)),
  )
  for (const text of [...written, ...Object.values(DEMO_ANSWERS).flat()])
    equal(maskText(text, { words: [] }).text, text)
  // A text that equals a recent text of the girl earns nothing.
  for (const lines of Object.values(DEMO_ANSWERS)) ok(new Set(lines).size >= 6)
})

demo(
  'the demo users have written to each other, once, with counters that equal a recount',
  async ({ testApp, gina }) => {
    const { db } = testApp.app
    const alex = await playing(testApp, gina, 'Alex')
    const signed = await alex.auth()
    deepEqual([signed.count_new_messages, signed.free_quota_messages], [4, 10])
    const dialogs = await fetchDialogs(alex)
    deepEqual(
      dialogs.map(({ interlocutor, count_new_messages, can_write }) => [
        ...[interlocutor.nick, count_new_messages, can_write.allowed],
      ]),
      [
        ['Sofia', 1, true],
        ['Mira', 0, true],
        ['Noor', 2, true],
        ['Lena', 1, true],
        ['Yuki', 0, true],
        ['Clara', 0, true],
        ['Zoe', 0, true],
      ],
    )
    equal(dialogs[3]!.last_message!.type, 'like')
    const page = await fetchTexts(alex, dialogs[0]!.dialog_id)
    const times = page.map(({ create_time }) => Date.parse(create_time))
    deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    )
    const nowMs = testApp.clock.now().epochMilliseconds
    ok(times.at(-1)! < nowMs && nowMs - times[0]! > 2 * 86_400_000)
    deepEqual(
      page.map(({ read_status, removed }) => [read_status, removed]),
      page.map((_, n) => [n < page.length - 1 ? 1 : 0, undefined]),
    )
    const counted = () =>
      db
        .selectFrom('messages')
        .select((count) => count.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const before = await counted()
    await testApp.crash()
    await createDemoDialogs(testApp.app)
    deepEqual(await counted(), before)
    const { rows } = await testApp.database.pool.query(`
      select m.user_id from dialog_members m join dialogs d on d.id = m.dialog_id
      where m.unread <> (select count(*) from messages where dialog_id = d.id and receiver_id = m.user_id and read_at is null)
        or d.last_message_id <> (select max(id) from messages where dialog_id = d.id)
      union all select user_id from unread_counts c
      where count <> (select sum(unread) from dialog_members m where m.user_id = c.user_id)`)
    deepEqual(rows, [])
    const { rows: moved } = await testApp.database.pool.query('select from free_messages')
    equal(moved.length, 0)
  },
)

demo(
  'a woman of the demo who is played by no visitor reads, types and answers once',
  async ({ testApp, gina }) => {
    const alex = await playing(testApp, gina, 'Alex')
    const [{ dialog_id, interlocutor }] = (await fetchDialogs(alex)) as [
      Awaited<ReturnType<typeof fetchDialogs>>[0],
    ]
    equal(interlocutor.nick, 'Sofia')
    alex.forget()
    await writeMessage(alex, dialog_id, "Nine is perfect. I'll bring coffee.")
    await testApp.advance('1 s')
    await writeMessage(alex, dialog_id, 'And cake')
    await testApp.advance('1 s')
    await alex.heard('messenger_read_message')
    await alex.notHeard('messenger_typing')
    await testApp.advance('2 s')
    await alex.heard('messenger_typing', { dialog_id, user_id: interlocutor.id })
    await testApp.advance('20 s')
    await alex.heard('messenger_message', {}, { times: 3 })
    const last = (await fetchTexts(alex, dialog_id)).slice(-3)
    deepEqual(
      last.map(({ message, read_status }) => [message, read_status]),
      [
        ["Nine is perfect. I'll bring coffee.", 1],
        ['And cake', 1],
        [DEMO_ANSWERS.sofia![0], 0],
      ],
    )
    equal((await alex.auth()).free_quota_messages, 8)
    await writeMessage(alex, dialog_id, 'An elbow?')
    await testApp.advance('20 s')
    equal((await fetchTexts(alex, dialog_id)).at(-1)!.message, DEMO_ANSWERS.sofia![1])
  },
)

demo(
  'no woman answers by herself while a visitor plays her, after a block, or outside the demo',
  async ({ testApp, gina, boris }) => {
    const alex = await playing(testApp, gina, 'Alex')
    const [sofias, miras] = await fetchDialogs(alex)
    const sofia = await playing(testApp, gina, 'Sofia')
    const answers = async () =>
      (await testApp.database.pool.query(`select from messages where random_id like 'demo-%'`)).rows
        .length
    await writeMessage(alex, sofias!.dialog_id, 'Hello Sofia')
    await testApp.advance('30 s')
    equal(await answers(), 0)
    // While she types, a visitor signs in as her.
    await writeMessage(alex, miras!.dialog_id, 'Hello Mira')
    await testApp.advance('4 s')
    await alex.heard('messenger_typing', { user_id: miras!.interlocutor.id })
    await playing(testApp, gina, 'Mira')
    await testApp.advance('30 s')
    equal(await answers(), 0)
    await testApp.duet('premium', boris.id, '--days', 30)
    const lena = (await fetchDialogs(alex)).find(
      ({ interlocutor }) => interlocutor.nick === 'Lena',
    )!
    const lenas = await dialogBetween(boris, { id: lena.interlocutor.id } as TestUser)
    await writeMessage(boris, lenas, 'Hello Lena')
    await testApp.advance('2 s')
    await boris.act('BLOCK_USER', { user_id: lena.interlocutor.id })
    await testApp.advance('30 s')
    equal(await answers(), 0)
    Object.assign(testApp.config, { demo: false })
    sofia.wire?.socket.disconnect()
    await writeMessage(alex, sofias!.dialog_id, 'Hello again')
    await testApp.advance('30 s')
    equal(await answers(), 0)
  },
)
