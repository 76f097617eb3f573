import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { App } from '@duet/server/core/app.ts'
import { getDialogMessages } from '@duet/server/modules/messenger/get-dialogs.ts'
import { sendMessage } from '@duet/server/modules/messenger/sending/send-message.ts'
import { ledgerCheck } from '@duet/server/modules/ledger/index.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const HISTORIES = process.env.PROOF === 'long' ? 500 : 12
/** Of each of six writers. */
const RETRIED = process.env.PROOF === 'long' ? 840 : 84
const RETRIES_OF_ONE = 20
const COUPLES = [
  ['boris', 'anna'],
  ['carl', 'vera'],
  ['david', 'clara'],
] as const
const RETRIES = COUPLES.length * 2 * RETRIED * RETRIES_OF_ONE
/** Requests that are on their way at once. */
const PARALLEL = 200
const SEED = testSeed()

/** The same app with queues of its own: messages meet in the database only, as those of another server process would. */
function otherProcess(app: App): App {
  return Object.create(app) as App
}

function getMessages(app: App, reader: TestUser, of: { dialogId: number; after?: number }) {
  return getDialogMessages(app, reader as never, of).then(({ messages }) => messages)
}

async function newestId(app: App, reader: TestUser, dialogId: number): Promise<number> {
  return (await getMessages(app, reader, { dialogId })).at(-1)!.message_id
}

const textInto = (dialogId: number) => ({
  dialogId,
  message: 'Hello',
  random_id: randomUUID(),
  type: 'text',
})

interface Couple {
  readonly guy: TestUser
  readonly girl: TestUser
  readonly dialogId: number
}

/** A guy who has Premium and credits, and nothing free, with a dialog. */
async function openDialog(
  testApp: TestApp,
  [guyName, girlName]: (typeof COUPLES)[number],
  credits: number,
): Promise<Couple> {
  const guy = await addPerson(testApp, guyName)
  const girl = await addPerson(testApp, girlName)
  await testApp.setting('free_messages_a_day', '0')
  await testApp.duet('premium', guy.id, '--days', 30)
  await testApp.duet('grant', guy.id, credits, 'message', '--reason', 'test')
  return { guy, girl, dialogId: await dialogBetween(guy, girl) }
}

/** Sends each message again and again: in a burst, as of two tabs, and at a later time, as after a reload. */
async function retry(
  processes: readonly App[],
  writer: TestUser,
  { dialogId, random }: { dialogId: number; random: () => number },
): Promise<void> {
  const requests = Array.from({ length: RETRIED * RETRIES_OF_ONE }, (_, n) => {
    const message = Math.floor(n / RETRIES_OF_ONE)
    return { message, at: message + random() * 30, app: processes[Math.floor(random() * 2)]! }
  }).toSorted((one, other) => one.at - other.at)
  const ids = new Map<number, Set<number>>()
  for (let from = 0; from < requests.length; from += PARALLEL)
    await Promise.all(
      requests.slice(from, from + PARALLEL).map(async ({ message, app }) => {
        const named = { random_id: `${writer.id} ${message}`, message: `text ${message}` }
        const { message_id } = await sendMessage(app, writer, { ...named, dialogId, type: 'text' })
        ids.set(message, (ids.get(message) ?? new Set()).add(message_id))
      }),
    )
  deepEqual(
    [...ids.values()].map(({ size }) => size),
    Array.from({ length: RETRIED }, () => 1),
  )
}

test(`over ${HISTORIES} histories of writers in two queues on one database, a reader who pages misses no message and sees none late (seed ${SEED})`, async () => {
  const testApp = await openTestApp()
  const { guy: boris, girl: anna, dialogId } = await openDialog(testApp, COUPLES[0], 100_000)
  const processes = [testApp.app, otherProcess(testApp.app)]
  await writeMessage(boris, dialogId, 'the first')
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(1), by: fc.nat(1) }), {
          minLength: 10,
          maxLength: 60,
        }),
        async (sendings) => {
          const before = await newestId(testApp.app, boris, dialogId)
          const read: number[] = []
          let isOver = false
          const reader = (async () => {
            for (;;) {
              const wasOver = isOver
              const after = read.at(-1) ?? before
              const page = await getMessages(testApp.app, anna, { dialogId, after })
              read.push(...page.map(({ message_id }) => message_id))
              if (wasOver && page.length === 0) return
            }
          })()
          const writers = processes.map((app, at) =>
            Promise.all(
              sendings
                .filter((one) => one.at === at)
                .map(({ by }) => sendMessage(app, [boris, anna][by]!, textInto(dialogId))),
            ),
          )
          const sent = (await Promise.all(writers)).flat().map(({ message_id }) => message_id)
          isOver = true
          await reader
          deepEqual(
            read,
            sent.toSorted((one, other) => one - other),
          )
        },
      ),
      { numRuns: HISTORIES, seed: SEED, endOnFailure: true },
    )
  } finally {
    await testApp.close()
  }
})

test(`${RETRIES} retries of paid messages in two queues on one database store, charge and reward each once (seed ${SEED})`, async () => {
  const testApp = await openTestApp()
  const random = randomFrom(SEED)
  const processes = [testApp.app, otherProcess(testApp.app)]
  try {
    const couples: Couple[] = []
    for (const names of COUPLES) couples.push(await openDialog(testApp, names, RETRIED + 1))
    for (const who of ['guy', 'girl'] as const)
      await Promise.all(
        couples.map(({ dialogId, ...couple }) =>
          retry(processes, couple[who], { dialogId, random }),
        ),
      )
    await testApp.settle()
    const { rows } = await testApp.database.pool.query(`
      select count(*)::integer as messages, sum(price)::integer as prices, count(distinct answered_by)::integer as answers,
        (select count(*)::integer from transfers where what = 'message') as fees,
        (select count(*)::integer from transfers where what = 'message_reward') as rewards
      from messages`)
    const each = COUPLES.length * RETRIED
    deepEqual(rows, [
      { messages: each * 2, prices: each, answers: each, fees: each, rewards: each },
    ])
    for (const { guy } of couples) equal((await guy.post('balance')).balance_messages, 1)
    deepEqual((await ledgerCheck(testApp.app.db)).differences, [])
  } finally {
    await testApp.close()
  }
})
