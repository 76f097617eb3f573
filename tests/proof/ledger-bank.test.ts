import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isRefusal } from '@duet/server/lib/refusal.ts'
import type { Movement } from '@duet/server/modules/ledger/index.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { type Bank, openBank } from '../laws/ledger-bank.ts'

/** Jepsen's bank. Three processes' worth of transactions on one database. */
const transfers = process.env.PROOF === 'long' ? 1_500_000 : 12_000
const CLIENTS = 100
const ACCOUNTS = 50
const ENDOWMENT = 1_000n
const seed = testSeed()

let banks: Bank[]
before(async () => {
  const first = await openBank()
  const others = [1, 2].map(() =>
    openBank({ database: attach(first.database.connection, undefined) }),
  )
  banks = [first, ...(await Promise.all(others))]
})
after(async () => {
  for (const bank of banks.toReversed()) await bank.stop()
})

test(`the total of all money is the same at every moment while it moves (seed ${seed})`, async () => {
  const [bank] = banks as [Bank]
  const random = randomFrom(seed)
  const draw = (most: number) => 1 + Math.floor(random() * most)
  for (let user_id = 1; user_id <= ACCOUNTS; user_id++)
    await bank.endow(user_id, 'diamond', ENDOWMENT)

  let sent = 0
  let applied = 0
  let refused = 0
  const client = async () => {
    while (sent < transfers) {
      const movement = between(draw(ACCOUNTS), draw(ACCOUNTS - 1), BigInt(draw(400)), ++sent)
      try {
        await banks[draw(banks.length) - 1]!.move(movement)
        applied++
      } catch (error) {
        ok(isRefusal(error, 'no_balance'), String(error))
        refused++
      }
    }
  }
  const counts: bigint[] = []
  const counting = async () => {
    while (sent < transfers) counts.push(await everything(bank))
  }
  await Promise.all([counting(), ...Array.from({ length: CLIENTS }, client)])

  deepEqual(new Set(counts), new Set([BigInt(ACCOUNTS) * ENDOWMENT]))
  ok(counts.length > 10 && refused > 0, 'it was counted while money moved, and some could not pay')
  const { rows } = await bank.database.pool.query<{ moved: number }>(
    `select count(*) as moved from transfers where what = 'move'`,
  )
  equal(rows[0]!.moved, applied)
  deepEqual(await bank.audit(), [])
})

function between(from: number, steps: number, amount: bigint, number: number): Movement {
  const to = ((from - 1 + steps) % ACCOUNTS) + 1
  return {
    key: `move:${number}`,
    asset: 'diamond',
    from: { user_id: from },
    to: { user_id: to },
    amount,
    what: 'move',
    cause: { kind: 'test' },
  }
}

async function everything({ database }: Bank): Promise<bigint> {
  const { rows } = await database.pool.query<{ amount: bigint; balance: bigint }>(
    `select sum(balance)::bigint as amount, min(balance) as balance from accounts where user_id is not null`,
  )
  ok(rows[0]!.balance >= 0n, 'no account is ever negative')
  return rows[0]!.amount
}
