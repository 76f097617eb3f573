import { deepEqual } from 'node:assert/strict'
import { WireRefused, type TestUser } from '@duet/testkit/test-user.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

interface Situation {
  readonly name: string
  readonly writer: 'guy' | 'girl'
  /** The code that refuses the next message of the writer; 0: the message is sent. */
  readonly code: number
  /** Begins with a dialog that the girl opened. */
  prepare(of: {
    testApp: TestApp
    guy: TestUser
    girl: TestUser
    dialogId: number
  }): Promise<unknown>
}

const SITUATIONS: readonly Situation[] = [
  { name: 'a girl who has not written', writer: 'girl', code: 0, prepare: async () => {} },
  {
    name: 'a girl without an answer',
    writer: 'girl',
    code: 310,
    prepare: async ({ testApp, girl, dialogId }) => {
      await testApp.setting('first_writes_unanswered', '1')
      await writeMessage(girl, dialogId, 'Hello')
    },
  },
  {
    name: 'a girl with an answer',
    writer: 'girl',
    code: 0,
    prepare: async ({ testApp, guy, girl, dialogId }) => {
      await testApp.setting('first_writes_unanswered', '1')
      await writeMessage(girl, dialogId, 'Hello')
      await writeMessage(guy, dialogId, 'Hello')
    },
  },
  {
    name: 'a guy after her first message',
    writer: 'guy',
    code: 0,
    prepare: ({ girl, dialogId }) => writeMessage(girl, dialogId, 'Hello'),
  },
  {
    name: 'a guy after her like',
    writer: 'guy',
    code: 0,
    prepare: ({ guy, girl }) => girl.act('LIKING_REACTION', { user_id: guy.id, like: true }),
  },
  {
    name: 'a guy who only likes her',
    writer: 'guy',
    code: 302,
    prepare: ({ guy, girl }) => guy.act('LIKING_REACTION', { user_id: girl.id, like: true }),
  },
  {
    name: 'a guy with Premium',
    writer: 'guy',
    code: 0,
    prepare: async ({ testApp, guy, girl }) => {
      await testApp.duet('premium', guy.id, '--days', 30)
      await dialogBetween(guy, girl)
    },
  },
  {
    name: 'a guy whose Premium has ended',
    writer: 'guy',
    code: 302,
    prepare: async ({ testApp, guy, girl }) => {
      await testApp.duet('premium', guy.id, '--days', 1)
      await dialogBetween(guy, girl)
      await testApp.leap('24 h')
      await testApp.advance('1 s')
    },
  },
  {
    name: 'a guy after her block',
    writer: 'guy',
    code: 307,
    prepare: async ({ guy, girl, dialogId }) => {
      await writeMessage(girl, dialogId, 'Hello')
      await girl.act('BLOCK_USER', { user_id: guy.id })
    },
  },
  {
    name: 'a girl who blocked him',
    writer: 'girl',
    code: 307,
    prepare: ({ guy, girl }) => girl.act('BLOCK_USER', { user_id: guy.id }),
  },
  {
    name: 'a guy without free messages',
    writer: 'guy',
    code: 303,
    prepare: async ({ testApp, girl, dialogId }) => {
      await testApp.setting('free_messages_a_day', '0')
      await writeMessage(girl, dialogId, 'Hello')
    },
  },
]

async function fetchCode(sent: Promise<unknown>): Promise<number> {
  try {
    await sent
    return 0
  } catch (error) {
    if (error instanceof WireRefused) return error.code
    throw error
  }
}

for (const { name, writer: role, code, prepare } of SITUATIONS) {
  story(
    `what a dialog and a page show is what the server decides: ${name}`,
    async ({ testApp, boris, anna }) => {
      const dialogId = await dialogBetween(anna, boris)
      await prepare({ testApp, guy: boris, girl: anna, dialogId })
      const writer = role === 'guy' ? boris : anna
      const { dialog } = await writer.act('GET_DIALOG', { dialogId })
      const shown = [dialog.can_write.code ?? 0]
      // After her block he has no page of her.
      if (role === 'guy' && code !== 307) {
        const page = await boris.get('girl_info', { ref_code: String(anna.user.ref_code) })
        shown.push(page.can_write?.code ?? 0)
      }
      const decided = await fetchCode(writeMessage(writer, dialogId, 'next'))
      deepEqual([...shown, decided], [...shown.map(() => code), code])
    },
  )
}
