import { deepEqual, equal, ok } from 'node:assert/strict'
import { dialogBetween, textDigests, writeMessage } from '@duet/testkit/messenger.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import { closeAccount, setDeletionAsked } from '../logins/index.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const fetchDialogs = async (user: TestUser, data: object = {}) =>
  (await user.act('GET_DIALOGS', data)).dialogs
const fetchMessages = async (user: TestUser, dialogId: number, data: object = {}) =>
  (await user.act('GET_DIALOG_MESSAGES', { dialogId, ...data })).messages
const fetchUnread = async (user: TestUser) =>
  (await user.act('GET_COUNT_NEW_MESSAGES', {})).count_new_messages

story('a girl writes first, the guy reads and answers', async ({ boris, anna }) => {
  const dialogId = await dialogBetween(anna, boris)
  deepEqual(await fetchDialogs(boris), [])
  await boris.isRefused('not_found', () => boris.act('GET_DIALOG', { dialogId }))
  const sent = await writeMessage(anna, dialogId, 'Hello Boris', 'a1')
  deepEqual([sent.message, sent.random_id, sent.reward], ['Hello Boris', 'a1', undefined])
  deepEqual(sent.can_write, { allowed: true, cost: 'none' })
  await anna.heard('send_message_success', { dialog_id: dialogId, random_id: 'a1' }, { times: 1 })
  const own = await anna.heard('messenger_message', {}, { times: 1 })
  deepEqual([own.message.random_id, own.message.read_status, own.dialog], ['a1', 0, undefined])
  const got = await boris.heard('messenger_message', {}, { times: 1 })
  deepEqual(
    [got.message.message, got.message.random_id, got.count_new_messages, got.dialog?.dialog_id],
    ['Hello Boris', undefined, 1, dialogId],
  )
  deepEqual(got.dialog?.can_write, { allowed: true, cost: 'free' })
  await boris.act('READ_MESSAGE', { dialogId, message_ids: [sent.message_id] })
  await anna.heard('messenger_read_message', { message_ids: [sent.message_id] }, { times: 1 })
  equal(await fetchUnread(boris), 0)
  await writeMessage(boris, dialogId, 'Hello Anna')
  deepEqual(
    (await fetchMessages(anna, dialogId)).map(({ message, read_status }) => [message, read_status]),
    [
      ['Hello Boris', 1],
      ['Hello Anna', 0],
    ],
  )
  const [dialog] = await fetchDialogs(anna)
  deepEqual(
    [dialog!.last_message?.message, dialog!.count_new_messages, dialog!.interlocutor.nick],
    ['Hello Anna', 1, 'Boris'],
  )
})

story('a dialog that exists is refused with its id', async ({ testApp, boris, anna }) => {
  await testApp.duet('premium', boris.id, '--days', 30)
  const dialog_id = await dialogBetween(boris, anna)
  deepEqual(
    await boris.isRefused('dialog_exists', () =>
      boris.act('MESSENGER_START_DIALOG', { interlocutor_id: anna.id }),
    ),
    { dialog_id },
  )
  // She does not see the dialog before the first message: her own start opens the same dialog.
  equal(await dialogBetween(anna, boris), dialog_id)
  const ids = await together(10, () => dialogBetween(anna, boris))
  deepEqual(new Set(ids), new Set([dialog_id]))
})

story(
  'a dialog is opened only with a user of the other role that the viewer may write to',
  async ({ testApp, boris, carl, anna, vera, nina }) => {
    const start = (opener: TestUser, other: TestUser) =>
      opener.act('MESSENGER_START_DIALOG', { interlocutor_id: other.id })
    await boris.isRefused('premium_only', () => start(boris, anna))
    await testApp.duet('premium', boris.id, '--days', 30)
    for (const other of [boris, carl, nina])
      await boris.isRefused('not_found', () => start(boris, other))
    await anna.isRefused('not_found', () => start(anna, vera))
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.isRefused('blocked', () => start(boris, anna))
    await anna.isRefused('blocked', () => start(anna, boris))
    await boris.isRefused('not_found', () =>
      boris.act('MESSENGER_START_DIALOG', { interlocutor_id: 2_000_000_000 }),
    )
  },
)

story('a foreign dialog is refused as one that does not exist', async ({ boris, carl, anna }) => {
  const dialogId = await dialogBetween(anna, boris)
  const { message_id } = await writeMessage(anna, dialogId, 'For Boris only')
  for (const id of [dialogId, 999_999]) {
    for (const [action, data] of [
      ['GET_DIALOG', {}],
      ['GET_DIALOG_MESSAGES', {}],
      ['GET_DIALOG_MESSAGES', { before: message_id + 1 }],
      ['READ_MESSAGE', { message_ids: [message_id] }],
      ['TYPING', {}],
      ['CLEAN_DIALOG', {}],
      ['DELETE_DIALOG', {}],
      ['MESSAGE', { message: 'Hello', random_id: 'c1' }],
    ] as const)
      await carl.isRefused('not_found', () => carl.act(action, { dialogId: id, ...data } as never))
  }
  deepEqual(await fetchDialogs(carl), [])
  // A message of another dialog is not read by naming it in an own dialog.
  const own = await dialogBetween(anna, carl)
  await writeMessage(anna, own, 'For Carl')
  await carl.act('READ_MESSAGE', { dialogId: own, message_ids: [message_id] })
  equal(await fetchUnread(boris), 1)
  equal(await fetchUnread(carl), 1)
})

story(
  'pages of messages have no gap and none twice, in both directions',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'text 0')
    await writeMessage(boris, dialogId, 'text 1')
    for (let n = 2; n < 120; n += 1) {
      // A user may send 20 messages a second.
      if (n % 20 === 0) await testApp.advance('1 s')
      await writeMessage(anna, dialogId, `text ${n}`)
    }
    const texts = (messages: readonly { message: string }[]) =>
      messages.map(({ message }) => Number(message.slice(5)))
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => from + at)
    const newest = await fetchMessages(boris, dialogId)
    deepEqual(texts(newest), range(70, 120))
    const middle = await fetchMessages(boris, dialogId, { before: newest[0]!.message_id })
    deepEqual(texts(middle), range(20, 70))
    const oldest = await fetchMessages(boris, dialogId, { before: middle[0]!.message_id })
    deepEqual(texts(oldest), range(0, 20))
    deepEqual(texts(await fetchMessages(boris, dialogId, { page: 2 })), range(20, 70))
    const after = await fetchMessages(boris, dialogId, { after: oldest.at(-1)!.message_id })
    deepEqual(texts(after), range(20, 70))
  },
)

story(
  'the list is newest first, in pages, and filtered by unread, favourites and nick',
  async ({ testApp, boris, anna, vera, clara }) => {
    await testApp.duet('premium', boris.id, '--days', 30)
    for (const girl of [anna, vera, clara]) {
      const dialogId = await dialogBetween(girl, boris)
      await writeMessage(girl, dialogId, 'Hello')
    }
    const nicks = async (data: object = {}) =>
      (await fetchDialogs(boris, data)).map(({ interlocutor }) => interlocutor.nick)
    deepEqual(await nicks(), ['Clara', 'Vera', 'Anna'])
    const [first] = await fetchDialogs(boris, { limit: 1 })
    deepEqual(await nicks({ before: first!.activity_id, limit: 1 }), ['Vera'])
    await boris.act('ADD_FAVOURITE', { user_id: vera.id })
    await boris.heard('dialog_update', {}, { times: 1 })
    deepEqual(await nicks({ filter: 'favourites' }), ['Vera'])
    await boris.act('REMOVE_FAVOURITE', { user_id: vera.id })
    deepEqual(await nicks({ filter: 'favourites' }), [])
    deepEqual(await nicks({ query: 'aN' }), ['Anna'])
    deepEqual(await nicks({ query: '%' }), [])
    const [clarasDialog] = await fetchDialogs(boris)
    await boris.act('READ_MESSAGE', {
      dialogId: clarasDialog!.dialog_id,
      message_ids: [clarasDialog!.last_message!.message_id],
    })
    deepEqual(await nicks({ filter: 'unread' }), ['Vera', 'Anna'])
    equal((await boris.auth()).count_new_messages, 2)
  },
)

story(
  'cleaning and deleting change the own view only, and the next message brings a dialog back',
  async ({ boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'one')
    await writeMessage(anna, dialogId, 'two')
    equal(await fetchUnread(boris), 2)
    await boris.act('CLEAN_DIALOG', { dialogId })
    const cleaned = await boris.heard('messenger_message_removed', { reason: 'cleaned' })
    deepEqual([cleaned.count_new_messages, cleaned.deleted], [0, undefined])
    deepEqual(await fetchMessages(boris, dialogId), [])
    const [dialog] = await fetchDialogs(boris)
    deepEqual([dialog!.last_message, dialog!.count_new_messages], [null, 0])
    equal((await fetchMessages(anna, dialogId)).length, 2)
    await boris.act('DELETE_DIALOG', { dialogId })
    deepEqual(await fetchDialogs(boris), [])
    await boris.isRefused('not_found', () => writeMessage(boris, dialogId, 'Hello'))
    boris.forget()
    await writeMessage(anna, dialogId, 'three')
    const back = await boris.heard('messenger_message', {}, { times: 1 })
    deepEqual([back.dialog?.dialog_id, back.count_new_messages], [dialogId, 1])
    deepEqual(
      (await fetchMessages(boris, dialogId)).map(({ message }) => message),
      ['three'],
    )
    equal((await fetchMessages(anna, dialogId)).length, 3)
    // The change log has no text of messages that are cleaned.
    const { changes } = await boris.act('GET_CHANGES', { since: 0 })
    const texts = changes
      .filter(({ event }) => event === 'messenger_message')
      .map(({ payload }) => (payload.message as { message: string }).message)
    deepEqual(texts, ['', '', 'three'])
  },
)

story(
  'typing is shown to the interlocutor only, and stored nowhere',
  async ({ boris, carl, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await anna.act('TYPING', { dialogId })
    await boris.notHeard('messenger_typing')
    await writeMessage(anna, dialogId, 'Hello')
    await anna.act('TYPING', { dialogId })
    await boris.heard('messenger_typing', { dialog_id: dialogId, user_id: anna.id }, { times: 1 })
    await carl.notHeard('messenger_typing')
    await boris.act('BLOCK_USER', { user_id: anna.id })
    boris.forget()
    await anna.act('TYPING', { dialogId })
    await boris.notHeard('messenger_typing')
  },
)

story(
  'a message whose commit answer was lost reaches both when its sender repeats it',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const sending = { dialogId, message: 'Hello', random_id: 'one', type: 'text' } as const
    loseAnswerOfCommit(testApp, /messenger_facts/)
    ok('error' in (await anna.tryAct('MESSAGE', sending)))
    await boris.notHeard('messenger_message')
    await anna.act('MESSAGE', sending)
    await boris.heard('messenger_message', {}, { times: 1 })
    await anna.act('MESSAGE', sending)
    await boris.heard('messenger_message', {}, { times: 1 })
  },
)

story(
  'a stranger who sends into a dialog does not wait in its queue',
  async ({ testApp, boris, carl, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const sending = { dialogId, message: 'Hello', type: 'text' } as const
    const own = await testApp.app.transact(async (tx) => {
      await tx.selectFrom('dialogs').select('id').where('id', '=', dialogId).forUpdate().execute()
      const sent = anna.act('MESSAGE', { ...sending, random_id: 'own' })
      await carl.isRefused('not_found', () =>
        carl.act('MESSAGE', { ...sending, random_id: 'foreign' }),
      )
      return { sent }
    })
    ok((await own.sent).message_id)
  },
)

story(
  'of many signs of typing two are shown at once, and then one in two seconds',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello')
    const sign = () => anna.act('TYPING', { dialogId })
    await together(30, sign)
    await boris.heard('messenger_typing', {}, { times: 2 })
    await testApp.advance('2 s')
    await together(30, sign)
    await boris.heard('messenger_typing', {}, { times: 3 })
  },
)

story(
  'a block ends the right to write for both, and its removal gives it back',
  async ({ boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello')
    anna.forget()
    await boris.act('BLOCK_USER', { user_id: anna.id })
    for (const user of [boris, anna]) {
      const { dialog } = await user.heard('dialog_update', {}, { times: 1 })
      deepEqual(dialog.can_write, { allowed: false, code: 307, name: 'blocked', cost: 'none' })
      await user.isRefused('blocked', () => writeMessage(user, dialogId, 'Hello?'))
    }
    await boris.act('UNBLOCK_USER', { user_id: anna.id })
    await writeMessage(boris, dialogId, 'Sorry')
  },
)

story(
  'over a block the sender does not hear that messages are read',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, 'Hello')
    await boris.act('BLOCK_USER', { user_id: anna.id })
    await testApp.settle()
    boris.forget()
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await boris.heard('messenger_read_message', { message_ids: [message_id] }, { times: 1 })
    await anna.notHeard('messenger_read_message')
  },
)

story('bad texts are refused or cleaned before they are stored', async ({ boris, anna }) => {
  const dialogId = await dialogBetween(anna, boris)
  const write = (message: string, random_id: string) => ({ dialogId, message, random_id })
  const bad = [
    '',
    '  \n\t ',
    '\u200B\u200D\uFE0F',
    'x'.repeat(1001),
    `a${'\u0301'.repeat(10_000)}`,
    'a\u0000b',
  ]
  for (const [at, text] of bad.entries())
    deepEqual(
      await refusedFields(anna, 'MESSAGE', write(text, `bad${at}`)),
      ['message'],
      `case ${at}`,
    )
  await anna.isRefused('type_unsupported', () =>
    anna.act('MESSAGE', { ...write('x', 'v'), type: 'video' }),
  )
  const stored = async (text: string) => (await writeMessage(anna, dialogId, text)).message
  equal(await stored('\u202Egnp.exe\u202C'), 'gnp.exe')
  equal(await stored('one\r\ntwo\u0007\u001B[31m'), 'one\ntwo[31m')
  ok((await stored('half \uD83D')).isWellFormed())
  await boris.act('READ_MESSAGE', { dialogId, message_ids: [1] })
})

story(
  'an erasure leaves the evidence of a user whose data is held',
  async ({ testApp, boris, anna, vera }) => {
    for (const girl of [anna, vera]) {
      const dialogId = await dialogBetween(girl, boris)
      await writeMessage(girl, dialogId, `Hello from ${girl.name}`)
      await writeMessage(boris, dialogId, `A threat to ${girl.name}`)
      await writeMessage(boris, dialogId, `${girl.name}, call 8 916 123 45 67`)
    }
    await testApp.duet('hold', 'add', anna.id, '--reason', 'case 1')
    await testApp.app.transact((tx) => setDeletionAsked(tx, boris.id))
    await testApp.app.transact((tx) => closeAccount(tx, boris.id))
    const erase = () => testApp.app.transact((tx) => testApp.app.eraseUser(tx, boris.id))
    while ((await erase()) === 'more');
    const originals = await testApp.app.db.selectFrom('message_originals').select('text').execute()
    deepEqual(originals.map(({ text }) => text).sort(), [
      'A threat to anna',
      'anna, call 8 916 123 45 67',
    ])
    const written = testApp.app.db.selectFrom('messages').select('text').where('text', '<>', '')
    deepEqual(
      (await written.execute()).map(({ text }) => text),
      ['Hello from anna', 'Hello from vera'],
    )
  },
)

story(
  'after an erasure nothing of the user is readable, and the other one keeps the own messages',
  async ({ testApp, boris, anna, vera }) => {
    const dialogIds = []
    for (const girl of [anna, vera]) {
      const dialogId = await dialogBetween(girl, boris)
      await writeMessage(girl, dialogId, `Hello from ${girl.name}`)
      await writeMessage(boris, dialogId, 'My secret')
      dialogIds.push(dialogId)
    }
    const hiddenId = dialogIds[1]!
    await boris.act('DELETE_DIALOG', { dialogId: hiddenId })
    await testApp.app.transact((tx) => setDeletionAsked(tx, boris.id))
    await testApp.app.transact((tx) => closeAccount(tx, boris.id))
    const erase = () => testApp.app.transact((tx) => testApp.app.eraseUser(tx, boris.id))
    while ((await erase()) === 'more');
    const [dialog] = await fetchDialogs(anna)
    deepEqual(
      [dialog!.can_write.code, dialog!.interlocutor.nick, dialog!.interlocutor.role],
      [305, '', 'men'],
    )
    const messages = await fetchMessages(anna, dialog!.dialog_id)
    deepEqual(
      messages.map(({ message, removed }) => [message, removed]),
      [['Hello from anna', undefined]],
    )
    deepEqual(
      (await fetchMessages(vera, hiddenId)).map(({ message }) => message),
      ['Hello from vera'],
      'a dialog that the user no longer saw is erased, too',
    )
    equal(dialog!.count_new_messages, 0, 'what is gone is not counted as unread')
    equal((await anna.act('GET_COUNT_NEW_MESSAGES', {})).count_new_messages, 0)
    await anna.heard('messenger_message_removed', { reason: 'cleaned' })
    await anna.heard('dialog_update', {}, { times: 2 })
    await anna.isRefused('not_found', () => writeMessage(anna, dialog!.dialog_id, 'Hello?'))
    for (const girl of [anna, vera])
      while ((await testApp.app.transact((tx) => testApp.app.eraseUser(tx, girl.id))) === 'more');
    deepEqual(new Set(await textDigests(testApp)), new Set([null]))
  },
)
