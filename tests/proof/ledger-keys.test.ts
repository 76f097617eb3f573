import { deepEqual, equal } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Clock, systemClock } from '@duet/server/lib/clock.ts'
import { isRefusal } from '@duet/server/lib/refusal.ts'
import { affordable, type Movement, openHold, postHold } from '@duet/server/modules/ledger/index.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { type Bank, openBank } from '../laws/ledger-bank.ts'

const keys = process.env.PROOF === 'long' ? 10_000 : 400
// Each key is sent up to twenty times at once; all of them wait for one row, so few keys run side by side.
const CONCURRENCY = 4
const seed = testSeed()

const inThirtyDays: Clock = { ...systemClock, now: () => systemClock.now().add({ hours: 30 * 24 }) }

let banks: Bank[]
let later: Bank
before(async () => {
  const first = await openBank()
  const second = await openBank({ database: attach(first.database.connection, undefined) })
  banks = [first, second]
  later = await openBank({
    database: attach(first.database.connection, undefined),
    clock: inThirtyDays,
  })
})
after(async () => {
  for (const bank of [later, ...banks.toReversed()]) await bank.stop()
})

test(`a key that is sent many times at once, and again after 30 days, moves money once (seed ${seed})`, async () => {
  const random = randomFrom(seed)
  const draw = (most: number) => 1 + Math.floor(random() * most)
  const [bank] = banks as [Bank]
  await bank.endow(1, 'diamond', 10n ** 12n)
  let spent = 0n
  const one = async (number: number) => {
    const movement = toMovement(`key:${number}`, BigInt(draw(1_000)))
    // One in four meets the same key with other parameters while it runs: one of the two owns the
    // key permanently.
    const rival = draw(4) === 1 ? { ...movement, amount: movement.amount + 1n } : undefined
    const asked = Array.from({ length: draw(20) }, () =>
      rival && draw(2) === 1 ? rival : movement,
    )
    const answers = await Promise.all(asked.map((each) => send(banks[draw(2) - 1]!, each)))
    const winner = asked[answers.indexOf('applied')]!
    equal(answers.filter((answer) => answer === 'applied').length, 1, `key ${number} moved once`)
    const expected: string[] = asked.map((each) => (each === winner ? 'repeated' : 'key_reused'))
    expected[answers.indexOf('applied')] = 'applied'
    deepEqual(answers, expected)
    spent += winner.amount
    equal(await send(later, winner), 'repeated')
    for (const other of othersThan(winner)) equal(await send(later, other), 'key_reused')
  }
  for (let first = 1; first <= keys; first += CONCURRENCY)
    await Promise.all(Array.from({ length: CONCURRENCY }, (_, at) => one(first + at)))
  equal(await affordable(bank.app.db, 1, 'diamond'), 10n ** 12n - spent)
  deepEqual(await bank.audit(), [])
})

test('steps of a hold that are sent many times at once happen once and return the same answer', async () => {
  const [bank] = banks as [Bank]
  await bank.endow(2, 'diamond', 1_000_000n)
  const opening = {
    key: 'hold',
    user_id: 2,
    asset: 'diamond',
    amount: 60_000n,
    step: 1_000n,
    what: 'call',
    cause: { kind: 'test' },
  } as const
  const opened = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      banks[at % 2]!.app.transact((tx) => openHold(tx, opening)),
    ),
  )
  equal(new Set(opened.map(({ hold_id }) => hold_id)).size, 1)
  const posting = {
    key: 'post',
    hold_id: opened[0]!.hold_id,
    amount: 20_000n,
    to: { house: 'conversion' },
    asset: 'diamond',
    what: 'call',
    cause: { kind: 'test' },
  } as const
  const posted = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      banks[at % 2]!.app.transact((tx) => postHold(tx, posting)),
    ),
  )
  deepEqual(new Set(posted.map(({ posted, held }) => `${posted} ${held}`)), new Set(['20000 0']))
  equal(await affordable(bank.app.db, 2, 'diamond'), 980_000n)
  deepEqual(await bank.audit(), [])
})

function toMovement(key: string, amount: bigint): Movement {
  return {
    key,
    asset: 'diamond',
    from: { user_id: 1 },
    to: { house: 'conversion' },
    amount,
    what: 'call',
    cause: { kind: 'test', id: 1 },
  }
}

function othersThan(movement: Movement): Movement[] {
  return [
    { ...movement, amount: movement.amount + 5n },
    { ...movement, from: movement.to, to: movement.from },
    { ...movement, to: { house: 'fees' } },
    { ...movement, cause: { kind: 'test', id: 2 } },
    { ...movement, from: { house: 'sales' } },
  ]
}

async function send(bank: Bank, movement: Movement): Promise<string> {
  try {
    return await bank.move(movement)
  } catch (error) {
    if (isRefusal(error)) return error.refusal
    throw error
  }
}
