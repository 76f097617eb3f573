import { deepEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Ack } from '@duet/protocol'
import { dialogBetween, recountDialogs } from '@duet/testkit/messenger.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const HISTORIES = process.env.PROOF === 'long' ? 5_000 : 300
const STEPS_MAX = 30
/** Up to this number of pairs play at the same time. Each history has a pair and a dialog of its own. */
const PAIRS_AT_ONCE = 10

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
  readonly history: readonly Step[]
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

async function assertStoredOnce({ testApp, dialogId, acknowledged }: Play): Promise<void> {
  const rows = await testApp.app.db
    .selectFrom('messages')
    .select(['id', 'random_id', 'create_time'])
    .where('dialog_id', '=', dialogId)
    // A like is a message without a random_id.
    .where('random_id', 'is not', null)
    .orderBy('id')
    .execute()
  const ids = new Map(rows.map(({ id, random_id }) => [random_id, id]))
  deepEqual(ids.size, rows.length, 'each random_id is one message')
  for (const [random_id, { message_id }] of acknowledged)
    deepEqual(ids.get(random_id), message_id, random_id)
}

/** Two new users with an empty dialog. He is premium and has credits. */
async function createPlay(testApp: TestApp, history: readonly Step[]): Promise<Play> {
  const [boris, anna] = await Promise.all([
    addPerson(testApp, 'boris', `${randomUUID()}@duet.example`),
    addPerson(testApp, 'anna', `${randomUUID()}@duet.example`),
  ])
  await testApp.duet('premium', boris.id, '--days', 300)
  await testApp.duet('grant', boris.id, 500, 'message', '--reason', 'test')
  const dialogId = await dialogBetween(boris, anna)
  return { testApp, people: { boris, anna }, dialogId, history, acknowledged: new Map(), sent: 0 }
}

async function playHistory(play: Play): Promise<void> {
  let running: Promise<void>[] = []
  for (const one of play.history) {
    running.push(perform(play, one))
    if (one.at_once) continue
    await Promise.all(running)
    running = []
  }
  await Promise.all(running)
}

const histories = fc.array(fc.array(step, { minLength: 5, maxLength: STEPS_MAX }), {
  minLength: PAIRS_AT_ONCE,
  maxLength: PAIRS_AT_ONCE,
})

test(`in ${HISTORIES} random histories counters and last messages equal a recount, and what was acknowledged is stored once`, async () => {
  const testApp = await openTestApp()
  try {
    await testApp.setting('free_messages_a_day', '1000')
    // Each pair of users gets a grant.
    await testApp.setting('bulk_money_acts_max', '10000')
    await fc.assert(
      fc.asyncProperty(histories, async (together) => {
        const plays = await Promise.all(together.map((history) => createPlay(testApp, history)))
        await testApp.advance('3 s')
        await Promise.all(plays.map(playHistory))
        await testApp.settle()
        deepEqual(await recountDialogs(testApp.database.pool), [])
        for (const play of plays) await assertStoredOnce(play)
        for (const { people } of plays) for (const user of Object.values(people)) user.wire?.close()
      }),
      // A smaller set of concurrent histories would run in another order, so a failure is not reduced.
      { numRuns: HISTORIES / PAIRS_AT_ONCE, seed: testSeed(), endOnFailure: true },
    )
  } finally {
    await testApp.close()
  }
})
