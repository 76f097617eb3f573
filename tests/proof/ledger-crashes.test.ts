import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { isRefusal } from '@duet/server/lib/refusal.ts'
import { type Movement, openHold, postHold } from '@duet/server/modules/ledger/index.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { type Bank, openBank } from '../laws/ledger-bank.ts'

/**
 * Cuts a sequence of commands at every single statement, before it is sent and before its answer
 * arrives.
 */
const stories = process.env.PROOF === 'long' ? 2_000 : 3
const firstSeed = testSeed()
const COMMANDS_IN_STORY = 8

let bank: Bank
const breaker = new (class {
  statements = 0
  story_statements = 0
  #cut_at = Infinity
  #heard = false

  arm(cutAt: number, heard: boolean): void {
    this.statements = 0
    this.#cut_at = cutAt
    this.#heard = heard
  }

  /** The statements after this are not part of the sequence. */
  rest(): void {
    this.#cut_at = Infinity
    this.story_statements = this.statements
  }

  /** Cuts the connection at the statement that is due: unsent, or executed with its answer lost. */
  async pass<T>(client: pg.PoolClient, send: () => Promise<T>): Promise<T> {
    if (++this.statements !== this.#cut_at) return send()
    if (this.#heard) await send()
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    const gone = once(client, 'end')
    connection.stream.destroy()
    await gone
    throw new Error('the connection was cut')
  }
})()

before(async () => {
  const database = await freshDatabase()
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>
    client.query = ((...args: unknown[]) =>
      breaker.pass(client as pg.PoolClient, () => query(...args))) as typeof client.query
  })
  bank = await openBank({ database, hasLastStatement: true })
})
after(() => bank.stop())

for (let seed = firstSeed; seed < firstSeed + stories; seed++) {
  test(`a sequence that is cut anywhere and repeated ends as one without a cut (seed ${seed})`, async () => {
    breaker.arm(Infinity, false)
    const whole = await runSequence(seed)
    const statements = breaker.story_statements
    deepEqual(await runSequence(seed), whole, 'the same seed gives the same sequence')
    ok(statements >= COMMANDS_IN_STORY)
    for (let cutAt = 1; cutAt <= statements; cutAt++) {
      for (const heard of [false, true]) {
        breaker.arm(cutAt, heard)
        deepEqual(
          await runSequence(seed),
          whole,
          `cut at statement ${cutAt}, ${heard ? 'after' : 'before'} it was done`,
        )
      }
    }
    breaker.arm(Infinity, false)
    deepEqual(await bank.audit(), [])
  })
}

let people = 0

/** Runs the sequence with new users; returns their answers and their balances at the end. */
async function runSequence(seed: number): Promise<string[]> {
  const random = randomFrom(seed)
  const draw = (most: number) => 1 + Math.floor(random() * most)
  const [guy_id, girl_id] = [++people, ++people]
  const diary: string[] = []
  const until = async (work: () => Promise<unknown>) => diary.push(await insisted(work))
  await insisted(() => command([gives(guy_id, 100_000n)]))
  for (let number = 1; number <= COMMANDS_IN_STORY; number++) {
    const key = `${guy_id}:${number}`
    const amount = BigInt(draw(60)) * 1_000n
    const pay: Movement = {
      key,
      asset: 'diamond',
      from: { user_id: guy_id },
      to: { house: 'conversion' },
      amount,
      what: 'gift',
      cause,
    }
    const earn: Movement = {
      ...pay,
      key: `${key}:earn`,
      asset: 'coin',
      from: { house: 'conversion' },
      to: { user_id: girl_id },
      amount: amount * 7n,
    }
    if (draw(3) <= 2) await until(() => command([pay, earn]))
    else await call(key, guy_id, amount, earn, draw(2) === 1, until)
  }
  breaker.rest()
  for (const user_id of [guy_id, girl_id]) {
    const { rows } = await bank.database.pool.query<{ said: string }>(
      `select concat_ws(' ', asset, balance, held) as said from accounts where user_id = $1 order by id`,
      [user_id],
    )
    diary.push(...rows.map(({ said }) => said))
  }
  return diary
}

const cause = { kind: 'test' }
const gives = (user_id: number, amount: bigint): Movement => ({
  key: `${user_id}:0`,
  asset: 'diamond',
  from: { house: 'promotion' },
  to: { user_id },
  amount,
  what: 'grant',
  cause,
})
const command = (movements: Movement[]) => bank.move(movements).then(known)

/** The diary does not show whether this call or an interrupted call did it. */
const known = (_outcome: string) => 'done'

async function call(
  key: string,
  user_id: number,
  amount: bigint,
  earn: Movement,
  isReturned: boolean,
  until: (work: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const { app } = bank
  let hold_id = 0
  await until(async () => {
    const opened = await app.transact((tx) =>
      openHold(tx, { key, user_id, asset: 'diamond', amount, step: 1_000n, what: 'call', cause }),
    )
    hold_id = opened.hold_id
    return opened.amount
  })
  if (hold_id === 0) return
  const posting = {
    hold_id,
    key: `${key}:post`,
    amount: 1_000n,
    to: { house: 'conversion' },
    asset: 'diamond',
    what: 'call',
    cause,
    keep: 5_000n,
    linked: [earn],
  } as const
  await until(async () => {
    const { posted, held } = await app.transact((tx) => postHold(tx, posting))
    if (held === 0n) hold_id = 0
    return `${posted} ${held}`
  })
  if (hold_id === 0) return
  if (isReturned)
    await until(async () => {
      const release = { ...posting, key: `${key}:void`, amount: 0n, keep: undefined, linked: [] }
      return (await app.transact((tx) => postHold(tx, release))).held
    })
  else
    await until(
      async () =>
        (
          await app.transact((tx) =>
            postHold(tx, {
              ...posting,
              key: `${key}:end`,
              amount: 500n,
              keep: undefined,
              linked: [],
            }),
          )
        ).posted,
    )
}

/** As every caller must: a caller without an answer repeats the request under the same key. */
async function insisted(work: () => Promise<unknown>): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return String(await work())
    } catch (error) {
      if (isRefusal(error)) return error.refusal
      equal(tries < 3, true, String(error))
    }
  }
}
