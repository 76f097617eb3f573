import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Ack } from '@duet/protocol'
import { dialogBetween, recountDialogs } from '@duet/testkit/messenger.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const HISTORIES = 15
const STEPS_MAX = 30

type Person = 'boris' | 'anna'
interface Step {
  readonly who: Person
  readonly does:
    | 'send'
    | 'repeat'
    | 'read'
    | 'clean'
    | 'delete'
    | 'start'
    | 'block'
    | 'unblock'
    | 'like'
    | 'unlike'
  /** Runs together with the next step. */
  readonly at_once: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom<Person>('boris', 'anna'),
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant('send' as const) },
    { weight: 3, arbitrary: fc.constant('read' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'repeat',
        'clean',
        'delete',
        'start',
        'block',
        'unblock',
        'like',
        'unlike',
      ),
    },
  ),
  at_once: fc.boolean(),
})

interface Play {
  readonly testApp: TestApp
  readonly people: Readonly<Record<Person, TestUser>>
  readonly dialogId: number
  /** Per sender: acknowledged random_ids with their message. */
  readonly acknowledged: Map<string, Ack<'MESSAGE'>>
  /** Counts what was sent, for names that are new. */
  sent: number
}

async function perform(play: Play, { who, does }: Step): Promise<void> {
  const { people, dialogId, acknowledged } = play
  const user = people[who]
  const other = people[who === 'boris' ? 'anna' : 'boris']
  if (does === 'send' || does === 'repeat') {
    // A repeat that comes first is the first sending.
    const number = does === 'send' ? (play.sent += 1) : play.sent
    const random_id = `${who} ${number}`
    const message = `text ${number}`
    const answer = await user.tryAct('MESSAGE', { dialogId, message, random_id })
    if (!('data' in answer)) return
    const data = answer.data as Ack<'MESSAGE'>
    const before = acknowledged.get(random_id)
    if (before) deepEqual(data.message_id, before.message_id, random_id)
    acknowledged.set(random_id, data)
  } else if (does === 'read') {
    const page = await user.tryAct('GET_DIALOG_MESSAGES', { dialogId })
    if (!('data' in page)) return
    const { messages } = page.data as Ack<'GET_DIALOG_MESSAGES'>
    const message_ids = messages.slice(-5).map(({ message_id }) => message_id)
    if (message_ids.length > 0) await user.tryAct('READ_MESSAGE', { dialogId, message_ids })
  } else {
    const requests = {
      clean: ['CLEAN_DIALOG', { dialogId }],
      delete: ['DELETE_DIALOG', { dialogId }],
      start: ['MESSENGER_START_DIALOG', { interlocutor_id: other.id }],
      block: ['BLOCK_USER', { user_id: other.id }],
      unblock: ['UNBLOCK_USER', { user_id: other.id }],
      like: ['LIKING_REACTION', { user_id: other.id, like: true }],
      unlike: ['LIKING_REACTION', { user_id: other.id, like: false }],
    } as const
    const [action, data] = requests[does]
    await user.tryAct(action, data)
  }
}

async function assertStoredOnce({ testApp, acknowledged }: Play): Promise<void> {
  const rows = await testApp.app.db
    .selectFrom('messages')
    .select(['id', 'random_id', 'create_time'])
    .orderBy('id')
    .execute()
  const ids = new Map(rows.map(({ id, random_id }) => [random_id, id]))
  deepEqual(ids.size, rows.length, 'each random_id is one message')
  for (const [random_id, { message_id }] of acknowledged)
    deepEqual(ids.get(random_id), message_id, random_id)
}

test(`in ${HISTORIES} random histories counters and last messages equal a recount, and what was acknowledged is stored once`, async () => {
  const testApp = await openTestApp()
  try {
    const [boris, anna] = [await addPerson(testApp, 'boris'), await addPerson(testApp, 'anna')]
    await testApp.duet('premium', boris.id, '--days', 300)
    await testApp.duet('grant', boris.id, 500, 'message', '--reason', 'test')
    await testApp.setting('free_messages_a_day', '1000')
    const play: Play = {
      testApp,
      people: { boris, anna },
      acknowledged: new Map(),
      sent: 0,
      dialogId: await dialogBetween(boris, anna),
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS_MAX }), async (history) => {
        await testApp.advance('3 s')
        let running: Promise<void>[] = []
        for (const one of history) {
          running.push(perform(play, one))
          if (one.at_once) continue
          await Promise.all(running)
          running = []
        }
        await Promise.all(running)
        await testApp.settle()
        deepEqual(await recountDialogs(testApp.database.pool), [])
        await assertStoredOnce(play)
      }),
      { numRuns: HISTORIES, seed: testSeed() },
    )
  } finally {
    await testApp.close()
  }
})
