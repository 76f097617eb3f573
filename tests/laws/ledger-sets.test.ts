import { deepEqual } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { openHold } from '@duet/server/modules/ledger/index.ts'
import type { Group, LedgerStep } from '@duet/server/modules/ledger/steps.ts'
import { applyGroups } from '@duet/server/modules/ledger/store.ts'
import { type Bank, openBank } from './ledger-bank.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

/** Many groups in one statement have the outcomes and the balances that they have one after the other. */
const SETS = process.env.PROOF === 'long' ? 400 : 40

let together: Bank
/** Applies every group step by step, without the statements that apply many at once. */
let oneByOne: Bank
before(async () => {
  ;[together, oneByOne] = [await openBank(), await openBank()]
  await runAsOwner(
    oneByOne.database,
    `create or replace function ledger_doubtful(steps ledger_step[]) returns integer[] language sql as
     $$ select array_agg(distinct g) from unnest(steps) $$`,
  )
})
after(() => Promise.all([together.stop(), oneByOne.stop()]))

interface GuyOfSet {
  readonly balance: number
  /** 0: no hold is open. */
  readonly held: number
  readonly does: readonly Deed[]
}

interface Deed {
  readonly kind: 'post' | 'void' | 'pay'
  readonly amount: number
  readonly keep: number
  readonly unit: number
  readonly earns: number
  /** The number of a key: a small number, so that keys repeat. */
  readonly key: number
}

const amount = fc.nat({ max: 120 })
const deed: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constantFrom('post', 'post', 'post', 'void', 'pay'),
  amount,
  keep: fc.oneof(fc.constant(0), amount),
  unit: fc.constantFrom(0, 0, 7),
  earns: fc.oneof(fc.constant(0), amount),
  key: fc.nat({ max: 3 }),
})
const guyOfSet = fc.record({
  balance: fc.integer({ min: 1, max: 300 }),
  held: amount,
  does: fc.array(deed, { minLength: 1, maxLength: 3 }),
})

let users = 0

/** Steps of a guy touch his accounts, one girl's and the house's, so that the order of the guys does not matter. */
function getGroup(guy: number, hold_id: number, { kind, ...one }: Deed): Group {
  const key = `${guy}:${one.key}`
  const what = { asset: 'diamond', what: 'call', cause: { kind: 'test' } } as const
  const linked: LedgerStep[] =
    one.earns === 0
      ? []
      : [
          {
            move: {
              ...what,
              key: `${key}:earned`,
              asset: 'coin',
              from: { house: 'conversion' },
              to: { user_id: guy + 1 },
              amount: BigInt(one.earns),
            },
          },
        ]
  const taken = BigInt(one.amount)
  if (kind === 'pay' || hold_id === 0)
    return [
      {
        move: { ...what, key, from: { user_id: guy }, to: { house: 'sales' }, amount: taken + 1n },
      },
      ...linked,
    ]
  const post = { ...what, key, hold_id, amount: taken, to: { house: 'sales' } } as const
  if (kind === 'void') return [{ post: { ...post, amount: 0n } }]
  const keeping = one.keep > 0 && { keep: BigInt(one.keep) }
  return [
    { post: { ...post, ...keeping, ...(one.unit > 0 && { step: BigInt(one.unit) }) } },
    ...linked,
  ]
}

async function prepare(
  bank: Bank,
  guys: readonly (GuyOfSet & { id: number })[],
): Promise<number[]> {
  const holds: number[] = []
  for (const { id, balance, held } of guys) {
    await bank.endow(id, 'diamond', BigInt(balance))
    const opening = { key: `open:${id}`, user_id: id, asset: 'diamond', what: 'call' } as const
    const most = BigInt(Math.min(held, balance))
    const opened =
      most > 0n &&
      (await bank.app.transact((tx) =>
        openHold(tx, { ...opening, amount: most, cause: { kind: 'test' } }),
      ))
    holds.push(opened ? opened.hold_id : 0)
  }
  return holds
}

async function rows(bank: Bank): Promise<unknown[]> {
  const read = async (text: string) => (await bank.database.pool.query<object>(text)).rows
  return [
    await read('select id, balance, held from accounts where id > 0 order by id'),
    await read(
      'select house, asset, sum(balance) from accounts where id < 0 group by 1, 2 order by 1, 2',
    ),
    await read('select id, held, posted, state from holds order by id'),
    await read('select key, hold_id, change, asked, answer from hold_steps order by key'),
    await read('select key, asked from transfer_keys order by key'),
    await read('select key, hold_id, amount, cause, what from transfers order by key'),
  ]
}

test('groups of one statement end as if each had been applied alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(guyOfSet, { minLength: 1, maxLength: 8 }), async (set) => {
      const guys = set.map((one) => ({ ...one, id: (users += 2) }))
      const holds = await prepare(together, guys)
      deepEqual(await prepare(oneByOne, guys), holds)
      const groups = guys.flatMap(({ id, does }, index) =>
        does.map((one) => getGroup(id, holds[index]!, one)),
      )
      const outcomes = await Promise.all(
        [together, oneByOne].map(({ app }) =>
          app.transact((tx) => applyGroups(tx, groups, tx.now)),
        ),
      )
      deepEqual(outcomes[0], outcomes[1])
      deepEqual(await rows(together), await rows(oneByOne))
    }),
    { numRuns: SETS, seed: testSeed() },
  )
  deepEqual(await together.audit(), [])
})
