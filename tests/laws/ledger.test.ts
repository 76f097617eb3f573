import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { isRefusal, type Refusal } from '@duet/server/lib/refusal.ts'
import {
  affordable,
  balances,
  ledgerCheck,
  type Movement,
  openHold,
  postHold,
  rebuildBalances,
  transfer,
  transferEach,
  verifyLedger,
} from '@duet/server/modules/ledger/index.ts'
import { type Bank, openBank } from './ledger-bank.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

let bank: Bank
let people = 0
before(async () => {
  bank = await openBank()
})
after(() => bank.stop())

const cause = { kind: 'test' }
const key = () => crypto.randomUUID()
async function createUser(amount: bigint, asset: Movement['asset'] = 'diamond') {
  const user_id = ++people
  if (amount > 0n) await bank.endow(user_id, asset, amount)
  return user_id
}
const pays = (user_id: number, amount: bigint, more: Partial<Movement> = {}): Movement => ({
  key: key(),
  asset: 'diamond',
  from: { user_id },
  to: { house: 'conversion' },
  amount,
  what: 'call',
  cause,
  ...more,
})
const voids = (hold_id: number) =>
  ({
    key: key(),
    hold_id,
    amount: 0n,
    to: { house: 'conversion' },
    asset: 'diamond',
    what: 'call',
    cause,
  }) as const
const earns = (user_id: number, amount: bigint): Movement => ({
  ...pays(user_id, amount),
  asset: 'coin',
  from: { house: 'conversion' },
  to: { user_id },
})
const refused =
  (name: string, more: object = {}) =>
  (error: unknown) => {
    ok(isRefusal(error), String(error))
    deepEqual({ name: error.refusal, ...error.additional }, { name, ...more })
    return true
  }

test('what a guy pays and what a girl earns move together or not at all', async () => {
  const [boris, anna] = [await createUser(1_000n), await createUser(0n, 'coin')]
  await bank.app.transact((tx) => transfer(tx, [pays(boris, 600n), earns(anna, 5_000n)]))
  await rejects(
    bank.app.transact((tx) => transfer(tx, [earns(anna, 5_000n), pays(boris, 600n)])),
    refused('no_balance', { missing: '0.0034' }),
  )
  equal(await affordable(bank.app.db, boris, 'diamond'), 400n)
  equal(await affordable(bank.app.db, anna, 'coin'), 5_000n)
})

test('a repeated key moves money once and returns the same outcome; with other parameters it is refused', async () => {
  const boris = await createUser(1_000n)
  const movement = pays(boris, 100n)
  equal(await bank.move(movement), 'applied')
  equal(await bank.move(movement), 'repeated')
  equal(await bank.app.transact((tx) => transfer(tx, movement)), 'repeated')
  const others: Partial<Movement>[] = [
    { amount: 99n },
    { to: { house: 'fees' } },
    { what: 'gift' },
    { cause: { kind: 'test', id: 2 } },
    { from: { user_id: boris + 100_000 } },
    { asset: 'message' },
  ]
  for (const other of others)
    await rejects(bank.move({ ...movement, ...other }), refused('key_reused'))
  await rejects(bank.move([movement, pays(boris, 1n)]), refused('key_reused'))
  equal(await affordable(bank.app.db, boris, 'diamond'), 900n)
})

test('the key of a refused movement can be used again when the balance is sufficient', async () => {
  const boris = await createUser(50n)
  const movement = pays(boris, 100n)
  await rejects(bank.move(movement), refused('no_balance', { missing: '0.0009' }))
  await bank.endow(boris, 'diamond', 50n)
  equal(await bank.move(movement), 'applied')
})

test('a held amount cannot be spent, and is released when the hold is voided', async () => {
  const boris = await createUser(100n)
  const { hold_id, amount } = await bank.app.transact((tx) =>
    openHold(tx, {
      key: key(),
      user_id: boris,
      asset: 'diamond',
      amount: 70n,
      what: 'call',
      cause,
    }),
  )
  equal(amount, 70n)
  await rejects(bank.move(pays(boris, 31n)), refused('no_balance', { missing: '0.0001' }))
  const seen = await balances(bank.app.db, boris)
  deepEqual([seen.balance_units, seen.held_units, seen.available_units], [100n, 70n, 30n])
  await bank.app.transact((tx) => postHold(tx, voids(hold_id)))
  equal(await bank.move(pays(boris, 100n)), 'applied')
})

test('a hold with a step takes the affordable whole steps, and is refused when there is none', async () => {
  const boris = await createUser(2_999n)
  const opening = {
    user_id: boris,
    asset: 'diamond',
    amount: 60_000n,
    step: 1_000n,
    what: 'call',
    cause,
  } as const
  equal((await bank.app.transact((tx) => openHold(tx, { key: key(), ...opening }))).amount, 2_000n)
  await rejects(
    bank.app.transact((tx) => openHold(tx, { key: key(), ...opening })),
    refused('no_balance', { missing: '0.0001' }),
  )
})

test('a hold can be posted in part, continued and closed once, and a repeat returns the same result', async () => {
  const [boris, anna] = [await createUser(100_000n), await createUser(0n, 'coin')]
  const opening = {
    key: key(),
    user_id: boris,
    asset: 'diamond',
    amount: 60_000n,
    step: 1_000n,
    what: 'call',
    cause,
  } as const
  const { hold_id } = await bank.app.transact((tx) => openHold(tx, opening))
  equal((await bank.app.transact((tx) => openHold(tx, opening))).hold_id, hold_id)
  const posting = {
    key: key(),
    hold_id,
    amount: 50_000n,
    to: { house: 'conversion' },
    asset: 'diamond',
    what: 'call',
    cause,
    keep: 60_000n,
    step: 1_000n,
    linked: [earns(anna, 7n)],
  } as const
  for (let times = 0; times < 3; times++) {
    deepEqual(await bank.app.transact((tx) => postHold(tx, posting)), {
      hold_id,
      posted: 50_000n,
      held: 50_000n,
    })
  }
  await rejects(
    bank.app.transact((tx) => postHold(tx, { ...posting, amount: 49_000n })),
    refused('key_reused'),
  )
  const { keep: _, ...last } = { ...posting, key: key(), amount: 30_000n, linked: [] }
  deepEqual(await bank.app.transact((tx) => postHold(tx, last)), {
    hold_id,
    posted: 30_000n,
    held: 0n,
  })
  await rejects(
    bank.app.transact((tx) => postHold(tx, voids(hold_id))),
    /posted or voided once/,
  )
  const seen = await balances(bank.app.db, boris)
  deepEqual([seen.balance_units, seen.held_units], [20_000n, 0n])
  equal(await affordable(bank.app.db, anna, 'coin'), 7n)
})

test('a posting never exceeds its hold', async () => {
  const boris = await createUser(100n)
  const { hold_id } = await bank.app.transact((tx) =>
    openHold(tx, {
      key: key(),
      user_id: boris,
      asset: 'diamond',
      amount: 40n,
      what: 'call',
      cause,
    }),
  )
  const posting = {
    key: key(),
    hold_id,
    amount: 41n,
    to: { house: 'conversion' },
    asset: 'diamond',
    what: 'call',
    cause,
  } as const
  await rejects(
    bank.app.transact((tx) => postHold(tx, posting)),
    /within what it holds/,
  )
  equal(await affordable(bank.app.db, boris, 'diamond'), 60n)
})

test('a command that fails after a transfer moves no money', async () => {
  const boris = await createUser(100n)
  const movement = pays(boris, 100n)
  await rejects(
    bank.app.transact(async (tx) => {
      await transfer(tx, movement)
      throw new Error('later')
    }),
    /later/,
  )
  equal(await bank.move(movement), 'applied')
})

test('transfers are never changed or deleted, and a closed hold is never reopened', async () => {
  for (const statement of [
    'update transfers set amount = amount + 1',
    'delete from transfers',
    'truncate transfers',
    'delete from hold_steps',
    'update hold_steps set change = 0',
    'delete from holds',
    'delete from accounts',
    "update holds set state = 'open', held = 1 where state <> 'open'",
  ]) {
    // Also the owner of the tables, who has the right, is refused by a trigger.
    await rejects(runAsOwner(bank.database, statement), { code: '23000' }, statement)
  }
})

test('no statement makes the balance of a user negative or smaller than what is held', async () => {
  const boris = await createUser(100n)
  const { pool } = bank.database
  await rejects(pool.query('update accounts set balance = -1 where user_id = $1', [boris]), {
    code: '23514',
  })
  await rejects(pool.query('update accounts set held = 101 where user_id = $1', [boris]), {
    code: '23514',
  })
  await rejects(
    pool.query(
      `insert into transfers (at, debit_id, credit_id, amount, asset, what, cause, key) values (now(), 8, 10, 1, 'diamond', 'call', 'test', 'crosses')`,
    ),
    { code: '23514' },
  )
})

test('the ledger check finds a wrong balance, and rebuilding from the transfers corrects it', async () => {
  const boris = await createUser(500n)
  await bank.database.pool.query(
    'update accounts set balance = balance + 7, held = held + 3 where user_id = $1',
    [boris],
  )
  const found = await ledgerCheck(bank.app.db)
  equal(found.ok, false)
  deepEqual(found.differences.map(({ law }) => law).sort(), [
    'an asset sums to zero',
    'balance is its transfers',
    'held is its open holds',
  ])
  equal(await rebuildBalances(bank.app), 1)
  ok((await ledgerCheck(bank.app.db)).ok)
  equal(await affordable(bank.app.db, boris, 'diamond'), 500n)
})

test('a check reads what happened since the last one, and a full check the whole journal', async () => {
  const anna = await createUser(100n)
  ok((await verifyLedger(bank.app)).ok)
  const unchanged = await verifyLedger(bank.app)
  equal(unchanged.checked.transfers, 0)
  await bank.move(pays(anna, 30n))
  const later = await verifyLedger(bank.app)
  deepEqual([later.ok, later.checked.transfers], [true, 1])
  const { pool } = bank.database
  const wrong = () =>
    pool.query('update accounts set balance = balance + 1 where user_id = $1', [anna])
  await wrong()
  deepEqual(
    (await verifyLedger(bank.app)).differences.map(({ law }) => law).sort(),
    ['an asset sums to zero', 'balance is its transfers'],
    'a wrong balance of an account that did not move is found',
  )
  equal(await rebuildBalances(bank.app), 1)
  // The owner of the database switches its guards off and changes a verified transfer.
  await runAsOwner(
    bank.database,
    `begin; set local session_replication_role = replica;
    update transfers set amount = amount + 1 where id = (select min(id) from transfers); commit`,
  )
  ok((await verifyLedger(bank.app)).ok)
  equal((await ledgerCheck(bank.app.db)).ok, false)
  await runAsOwner(
    bank.database,
    `begin; set local session_replication_role = replica;
    update transfers set amount = amount - 1 where id = (select min(id) from transfers); commit`,
  )
  ok((await ledgerCheck(bank.app.db)).ok)
})

test('a transfer that commits after a later one is part of the verified sums', async () => {
  const [early, late] = [await createUser(100n), await createUser(100n)]
  const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const open = bank.app.transact(async (tx) => {
    await transfer(tx, pays(early, 10n))
    hasWritten()
    await mayCommit
  })
  await written
  await bank.move(pays(late, 20n))
  const checked = verifyLedger(bank.app)
  // The check waits until the open transaction has ended: it has asked for its snapshot more than once by then.
  const isWaiting = async () =>
    (
      await runAsOwner(
        bank.database,
        `select from pg_stat_activity where application_name = 'duet long work' and query like '%xid8 as settled%'
        and datname = current_database()`,
      )
    ).length === 1
  let hasEnded = false
  void checked.then(() => (hasEnded = true))
  while (!hasEnded && !(await isWaiting()));
  commit()
  await open
  ok((await checked).ok)
  equal((await verifyLedger(bank.app)).checked.transfers, 0, 'both are verified')
  ok((await verifyLedger(bank.app)).ok)
})

const markedTransfer = async () =>
  (await bank.database.pool.query('select transfer_id from ledger_mark')).rows[0].transfer_id

test('the mark moves only after a clean comparison, so that a difference is found every night', async () => {
  const anna = await createUser(100n)
  const first = await verifyLedger(bank.app)
  const mark = await markedTransfer()
  deepEqual([first.ok, first.verified.transfer_id], [true, mark])
  await bank.move(pays(anna, 30n))
  const { pool } = bank.database
  await pool.query('update accounts set balance = balance + 1 where user_id = $1', [anna])
  for (const night of [1, 2]) {
    const { ok: isClean, checked, verified } = await verifyLedger(bank.app)
    deepEqual([isClean, checked.transfers, night], [false, 1, night])
    deepEqual(verified, first.verified, 'the result shows that the mark stayed')
  }
  equal(await markedTransfer(), mark)
  await pool.query('update accounts set balance = balance - 1 where user_id = $1', [anna])
  const last = await verifyLedger(bank.app)
  deepEqual([last.ok, last.verified.transfer_id], [true, await markedTransfer()])
  notEqual(last.verified.transfer_id, mark)
})

test('a rebuild is refused, and changes nothing, while a long transaction keeps the mark', async () => {
  const anna = await createUser(100n)
  ok((await verifyLedger(bank.app)).ok)
  const mark = await markedTransfer()
  const { pool } = bank.database
  await pool.query('update accounts set balance = balance + 1 where user_id = $1', [anna])
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  await rejects(rebuildBalances(bank.app, 0), /nothing was rebuilt: a transaction/)
  equal(await markedTransfer(), mark)
  await client.query('rollback')
  client.release()
  equal(await rebuildBalances(bank.app), 1)
  ok((await verifyLedger(bank.app)).ok)
})

test('a rebuild corrects accounts while money moves', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => createUser(1_000n)))
  const { pool } = bank.database
  await pool.query('update accounts set balance = balance + 5 where user_id = any($1)', [people])
  let moving = true
  const movements = (async () => {
    while (moving) await Promise.all(people.map((one) => bank.move(pays(one, 1n))))
  })()
  equal(await rebuildBalances(bank.app), people.length)
  moving = false
  await movements
  ok((await ledgerCheck(bank.app.db)).ok)
  ok((await verifyLedger(bank.app)).ok)
})

test('long work has no statement timeout, whatever the database sets', async () => {
  const { pool } = bank.database
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  await runAsOwner(bank.database, `alter database "${rows[0]!.name}" set statement_timeout = '5s'`)
  const shown = await bank.app.onDedicatedConnection((db) =>
    sql<{ statement_timeout: string }>`show statement_timeout`.execute(db),
  )
  equal(shown.rows[0]!.statement_timeout, '0')
})

test('of movements in one statement, each is made or refused for itself', async () => {
  const [poor, rich] = [await createUser(1n), await createUser(100n)]
  const repeat = pays(rich, 1n)
  await bank.move(repeat)
  const asked = [
    pays(rich, 1n),
    pays(poor, 2n),
    repeat,
    pays(rich, 1n),
    { ...repeat, amount: 5n },
    pays(rich, 1n),
  ]
  const errors = await bank.app.transact((tx) => transferEach(tx, asked))
  const outcomes = asked.map((movement) => (errors.get(movement) as Refusal | undefined)?.refusal)
  deepEqual(outcomes, [undefined, 'no_balance', undefined, undefined, 'key_reused', undefined])
  equal(await affordable(bank.app.db, rich, 'diamond'), 96n)
})

test('two movements that deadlock both succeed', async () => {
  const [anna, boris] = [await createUser(100n), await createUser(100n)]
  const locked = Promise.withResolvers<void>()
  let attempts = 0
  const command = bank.app.transact(async (tx) => {
    attempts++
    await transfer(tx, pays(boris, 1n))
    if (attempts === 1) {
      locked.resolve()
      await waitingForLocks(1)
    }
    await transfer(tx, pays(anna, 1n))
  })
  await locked.promise
  await Promise.all([command, bank.move([pays(anna, 10n), pays(boris, 10n)])])
  equal(await affordable(bank.app.db, anna, 'diamond'), 89n)
  equal(await affordable(bank.app.db, boris, 'diamond'), 89n)
})

/** Until this number of the database's statements wait for a row. */
async function waitingForLocks(count: number): Promise<void> {
  for (;;) {
    const { rowCount } = await bank.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount === count) return
  }
}

test('an independent auditor finds no difference after all tests', async () => {
  deepEqual(await bank.audit(), [])
  ok((await ledgerCheck(bank.app.db)).ok)
})
