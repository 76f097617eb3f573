import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { inCall, paidCall } from '@duet/testkit/calls/in-call.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { withoutQuota } from '@duet/testkit/searching.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { App } from '../../core/app.ts'
import type { Pool } from '../../core/db.ts'
import { fromDecimal } from '../../lib/money.ts'
import { balances, ledgerCheck, shownBalances } from '../ledger/index.ts'
import { register, registeredCall } from './call-registry.ts'
import { usedUnits } from './money.ts'
import { notifyMeter } from './notifications.ts'
import { readMeter } from './rules/review.ts'
import { storeTick } from './store.ts'

const COIN_UNITS = 100_000_000n

async function give(testApp: TestApp, guy: TestUser, minutes: number | string): Promise<void> {
  await testApp.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
}

story('a late tick does not undo a newer state of the row', async ({ testApp, boris, anna }) => {
  const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  await talk(4)
  const { call } = registeredCall(testApp.app, session_id)!.stored
  await talk(4)
  await testApp.advance('1 s')
  await storeTick(testApp.app, [{ call, fence: 1 }])
  const row = await testApp.app.db
    .selectFrom('video_sessions')
    .select('good_ms')
    .executeTakeFirstOrThrow()
  equal(row.good_ms, 8000)
})

story('a tick drops a call that another server process owns', async ({ testApp, boris, anna }) => {
  const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  await talk(4)
  await testApp.database.pool.query(
    "insert into process_owners (owner_id, started_at, lease_until) values (999, now(), '2999-01-01')",
  )
  await testApp.database.pool.query('update video_sessions set owner_id = 999, fence = fence + 1')
  await talk(4)
  await testApp.advance('1 s')
  equal(registeredCall(testApp.app, session_id), undefined)
})

story(
  'a deleted account keeps no call open and no changes unread',
  async ({ testApp, boris, anna }) => {
    const { change_id } = await boris.auth()
    const { session_id, talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 1 })
    await talk(50)
    await testApp.database.pool.query('update users set erased_at = now() where id = $1', [anna.id])
    await talk(20)
    equal((await boris.heard('close_session', { session_id })).reason, 'no_balance')
    equal((await boris.heard('refill_balance')).last_interlocutor, undefined)
    const { changes } = await boris.act('GET_CHANGES', { since: change_id })
    ok(changes.some(({ event }) => event === 'refill_balance'))
  },
)

story(
  'a refill is still offered when the girl is deleted before it is read',
  async ({ testApp, boris, anna }) => {
    const { change_id } = await boris.auth()
    const { talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 1 })
    await talk(70)
    await boris.heard('refill_balance')
    await testApp.database.pool.query('update users set erased_at = now() where id = $1', [anna.id])
    const { changes } = await boris.act('GET_CHANGES', { since: change_id })
    const refill = changes.find(({ event }) => event === 'refill_balance')
    equal((refill!.payload as { last_interlocutor?: unknown }).last_interlocutor, undefined)
  },
)

story(
  'a call that costs the guy nothing may still earn the girl something',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('price_public', '0')
    await withoutQuota(testApp, boris)
    const { session_id, connect, talk } = await inCall(testApp, {
      guy: boris,
      girl: anna,
      free_start: false,
    })
    await connect()
    await talk(90)
    const receipt = await boris.act('BREAK_SESSION', { session_id })
    deepEqual([receipt.paid_seconds, receipt.spent], [90, '0'])
    const hers = await anna.heard('close_session', { session_id })
    deepEqual([hers.earned, hers.balance], ['75', '75'])
    equal((await balances(testApp.app.db, anna.id)).balance_units, 75n * COIN_UNITS)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story('prices that fall between units are paid to the unit', async ({ testApp, boris, anna }) => {
  await testApp.setting('price_public', '1.3701')
  await testApp.setting('earn_public', '33.33333333')
  const { session_id, talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 5 })
  await talk(119)
  await boris.act('BREAK_SESSION', { session_id })
  equal((await balances(testApp.app.db, boris.id)).balance_units, 300_000n - (119n * 82_206n) / 60n)
  equal((await balances(testApp.app.db, anna.id)).balance_units, (119n * 3_333_333_333n) / 60n)
  ok((await ledgerCheck(testApp.app.db)).ok)
})

story(
  'a hold that covers no whole second at a higher price is released',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, '0.02')
    await withoutQuota(testApp, boris)
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    equal((await balances(testApp.app.db, boris.id)).held_units, 1000n)
    await give(testApp, boris, 5)
    await boris.act('SESSION_UP', { session_id })
    await anna.act('SESSION_UP_REACTION', { session_id, accept: true })
    await boris.act('BREAK_SESSION', { session_id })
    equal((await balances(testApp.app.db, boris.id)).held_units, 0n)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story('after a paid call both receive their new balance', async ({ testApp, boris, anna }) => {
  const { session_id, talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 5 })
  await talk(60)
  await boris.act('BREAK_SESSION', { session_id })
  await boris.heard('balance', { balance: '4', balance_messages: 0 }, { times: 1 })
  await anna.heard('balance', { balance: '50', balance_messages: 0 }, { times: 1 })
})

story(
  'a notice read during a call shows the balance less the seconds that are not posted yet',
  async ({ testApp, boris, anna }) => {
    const { talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 5 })
    await talk(30)
    boris.forget()
    await give(testApp, boris, 1)
    await boris.heard('balance', { balance: '5.5' })
    equal((await boris.heard('new_balance_info')).balance, '5.5')
  },
)

story(
  'a call keeps one hold over its renewals, and each renewal is one step of it',
  async ({ testApp, boris, anna }) => {
    const { session_id, talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 5 })
    await talk(200)
    await boris.act('BREAK_SESSION', { session_id })
    const fetchRows = async (table: 'holds' | 'hold_steps') =>
      (await testApp.database.pool.query(`select 1 from ${table}`)).rowCount
    deepEqual([await fetchRows('holds'), await fetchRows('hold_steps')], [1, 6])
    equal((await balances(testApp.app.db, boris.id)).balance_units, 100_000n)
    equal((await balances(testApp.app.db, boris.id)).held_units, 0n)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story(
  'a renewal that the guy cannot pay completely holds the whole seconds that he can pay',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('price_public', '1.3701')
    const { talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: '1.8' })
    await talk(52)
    // 108,000 units pay 78 seconds of 82,206 units a minute.
    const { balance_units, held_units } = await balances(testApp.app.db, boris.id)
    equal(108_000n - balance_units + held_units, (78n * 82_206n) / 60n)
    await talk(40)
    equal((await boris.heard('close_session')).paid_seconds, 78)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

/** The pool, where each statement is followed by `between` before its result is used. */
function interleaved(db: Pool, between: () => Promise<void> | undefined): Pool {
  const executor = db.getExecutor()
  const executeQuery: typeof executor.executeQuery = async (...args) => {
    const result = await executor.executeQuery<never>(...args)
    await between()
    return result
  }
  return replaced(db, 'getExecutor', () => replaced(executor, 'executeQuery', executeQuery))
}

/** The same object with another method; its private members stay in reach. */
function replaced<T extends object>(of: T, method: keyof T, by: unknown): T {
  return new Proxy(of, {
    get(target, key) {
      if (key === method) return by
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

story(
  'a balance that is read while a renewal commits shows each second once',
  async ({ testApp, boris, anna }) => {
    const { app } = testApp
    await testApp.setting('hold_seconds', '12')
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    await withoutQuota(testApp, boris)
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(20)
    const before = registeredCall(app, session_id)!.stored.money
    let pending: (() => Promise<void>) | undefined = () => talk(14)
    const db = interleaved(app.db, () => {
      const run = pending
      pending = undefined
      return run?.()
    })
    const [his, hers] = [
      await shownBalances(app, db, boris.id),
      await shownBalances(app, app.db, anna.id),
    ]
    notEqual(registeredCall(app, session_id)!.stored.money.posted_his, before.posted_his)
    equal(his.balance, (await shownBalances(app, app.db, boris.id)).balance)
    equal(his.balance_units, fromDecimal('diamond', '5') + usedUnits(app, boris.id, session_id)!)
    equal(hers.balance_units, usedUnits(app, anna.id, session_id)!)
  },
)

story(
  'a renewal whose commit answer was lost changes no balance that is shown',
  async ({ testApp, boris, anna }) => {
    const { app } = testApp
    await testApp.setting('hold_seconds', '12')
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    await withoutQuota(testApp, boris)
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(14)
    loseAnswerOfCommit(testApp, /ledger_apply/)
    for (let times = 0; times < 10; times += 1) {
      await talk(2)
      const { balance_units } = await shownBalances(app, app.db, boris.id)
      equal(balance_units, fromDecimal('diamond', '5') + usedUnits(app, boris.id, session_id)!)
    }
  },
)

story('the meter events of the guy keep their order', async ({ testApp, boris, anna }) => {
  const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  await talk(4)
  const { stored } = registeredCall(testApp.app, session_id)!
  const first = Promise.withResolvers<void>()
  const waits = [first.promise]
  const sent: unknown[] = []
  const app: App = {
    ...testApp.app,
    db: interleaved(testApp.app.db, () => waits.shift()),
    emit: (user_id, _event, payload) => {
      if (user_id === boris.id) sent.push((payload as { phase: string }).phase)
    },
  }
  register(app, stored)
  const reading = readMeter(stored.call, app.clock.now())
  notifyMeter(app, stored.call, { ...reading, phase: 'paused' })
  await testApp.settle()
  notifyMeter(app, stored.call, { ...reading, phase: 'paid' })
  await testApp.settle()
  first.resolve()
  await registeredCall(app, session_id)!.meter_sent
  await testApp.settle()
  deepEqual(sent, ['paused', 'paid'])
})
