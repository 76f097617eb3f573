import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { sql } from 'kysely'
import { story, together } from '@duet/testkit/test-app.ts'
import { accountColumn, accountId } from './account.ts'
import { balances, openHold, transfer } from './index.ts'

const REASON = ['--reason', 'for a try'] as const

story(
  'a grant from the shell changes the balance and notifies the user at once',
  async ({ testApp, boris }) => {
    deepEqual(await testApp.duet('grant', boris.id, '12.5', 'diamond', ...REASON), {
      user_id: boris.id,
      balance: '12.5',
      balance_messages: 0,
    })
    const notice = await boris.heard(
      'new_balance_info',
      { balance: '12.5', balance_messages: 0, reason: 'grant' },
      { times: 1 },
    )
    ok(notice.id > 0 && notice.change_id > 0)
    await boris.heard('balance', { balance: '12.5', balance_messages: 0 }, { times: 1 })
    const { balance, balance_units, balance_messages, is_premium, premium_until } =
      await boris.post('balance')
    deepEqual(
      { balance, balance_units, balance_messages, is_premium, premium_until },
      {
        balance: '12.5',
        balance_units: '750000',
        balance_messages: 0,
        is_premium: false,
        premium_until: null,
      },
    )
    ok((await testApp.duet('ledger', 'check')).ok)
  },
)

story(
  'a balance notice is repeated at every connect until its owner confirms it',
  async ({ testApp, boris, carl }) => {
    await testApp.duet('grant', boris.id, '3', 'message', ...REASON)
    const { id } = await boris.heard('new_balance_info')
    await carl.act('NEW_BALANCE_INFO_GOT', { id })
    boris.forget()
    await boris.drop()
    await boris.comeBack()
    await boris.heard(
      'new_balance_info',
      { id, balance: '0', balance_messages: 3, reason: 'grant' },
      { times: 1 },
    )
    await boris.act('NEW_BALANCE_INFO_GOT', { id })
    await boris.act('NEW_BALANCE_INFO_GOT', { id })
    boris.forget()
    await boris.drop()
    await boris.comeBack()
    await boris.notHeard('new_balance_info')
  },
)

story(
  'a grant during an absence is read later with the current balance',
  async ({ testApp, boris }) => {
    const { change_id } = await boris.auth()
    await boris.drop()
    await testApp.duet('grant', boris.id, '1', 'diamond', ...REASON)
    await testApp.duet('grant', boris.id, '2', 'diamond', ...REASON)
    await boris.comeBack()
    const { changes } = await boris.act('GET_CHANGES', { since: change_id })
    const told = changes.filter(({ event }) => event === 'new_balance_info')
    deepEqual(
      told.map(({ payload }) => (payload as { balance: string }).balance),
      ['3', '3'],
    )
  },
)

story(
  'a grant from the shell that is repeated with its key is applied once',
  async ({ testApp, boris }) => {
    const grant = (amount: string) =>
      testApp.duet('grant', boris.id, amount, 'diamond', ...REASON, '--key', 'refund-17')
    await grant('5')
    await grant('5')
    equal((await boris.post('balance')).balance, '5')
    await rejects(grant('6'))
    equal((await boris.post('balance')).balance, '5')
    await rejects(
      testApp.duet('grant', boris.id, '5', 'diamond', ...REASON, '--key', 'a key'),
      /--key/,
    )
  },
)

story('the own record of a girl shows coins and no message credits', async ({ testApp, anna }) => {
  await testApp.duet('grant', anna.id, '0.00000001', 'coin', ...REASON)
  const { user } = await anna.auth()
  deepEqual([user.balance, user.balance_units, user.balance_messages], ['0.00000001', '1', 0])
})

story(
  'the shell rejects grants with a wrong user, amount, asset or reason',
  async ({ testApp, boris, anna }) => {
    await rejects(
      testApp.duet('grant', anna.id, '15', 'diamond', ...REASON),
      /not for the role girl/,
    )
    await rejects(testApp.duet('grant', boris.id, '15', 'coin', ...REASON), /not for the role guy/)
    await rejects(testApp.duet('grant', 999_999, '15', 'diamond', ...REASON), /not_found/)
    for (const amount of ['0', '-1', '1e3', '0.000000001', 'many', '9999999999999']) {
      await rejects(testApp.duet('grant', boris.id, amount, 'diamond', ...REASON), /plain decimal/)
    }
    await rejects(testApp.duet('grant', boris.id, '15', 'usd', ...REASON), /asset/)
    await rejects(testApp.duet('grant', boris.id, '15', 'diamond'), /--reason/)
    equal((await boris.post('balance')).balance, '0')
  },
)

story(
  'the ledger check finds a wrong balance, and the rebuild corrects it',
  async ({ testApp, boris }) => {
    await testApp.duet('grant', boris.id, '1', 'diamond', ...REASON)
    await testApp.database.pool.query(
      'update accounts set balance = balance + 1 where user_id = $1',
      [boris.id],
    )
    const { ok: isConsistent, differences } = await testApp.duet<{
      ok: boolean
      differences: { law: string }[]
    }>('ledger', 'check')
    deepEqual(
      [isConsistent, differences.map(({ law }) => law).sort()],
      [false, ['an asset sums to zero', 'balance is its transfers']],
    )
    deepEqual(await testApp.duet('ledger', 'rebuild'), { corrected: 1 })
    await testApp.app.jobs.run('ledger check')
    ok((await testApp.duet('ledger', 'check')).ok)
  },
)

story(
  'a held amount is part of the shown balance, and cannot be spent',
  async ({ testApp, boris }) => {
    await testApp.duet('grant', boris.id, '2', 'diamond', ...REASON)
    const cause = { kind: 'test' }
    await testApp.app.transact((tx) =>
      openHold(tx, {
        key: 'hold',
        user_id: boris.id,
        asset: 'diamond',
        amount: 90_000n,
        what: 'call',
        cause,
      }),
    )
    equal((await boris.post('balance')).balance, '2')
    equal((await balances(testApp.app.db, boris.id)).available_units, 30_000n)
    const gift = {
      key: 'gift',
      asset: 'diamond',
      from: { user_id: boris.id },
      to: { house: 'conversion' },
      amount: 60_000n,
      what: 'gift',
      cause,
    } as const
    await rejects(
      testApp.app.transact((tx) => transfer(tx, gift)),
      {
        refusal: 'no_balance',
        additional: { missing: '0.5' },
      },
    )
  },
)

story('demo minutes are refused outside the demo installation', async ({ boris }) => {
  await boris.isRefused('not_found', () => boris.post('demo/minutes'))
  equal((await boris.post('balance')).balance, '0')
})

story.with({ env: { DEMO: 'on' } })(
  'the demo installation grants minutes once per idempotency key, and the amount is a setting',
  async ({ testApp, boris, anna }) => {
    await together(5, () => boris.post('demo/minutes', {}, { 'idempotency-key': 'press-1' }))
    equal((await boris.post('demo/minutes', {}, { 'idempotency-key': 'press-2' })).balance, '30')
    await testApp.setting('demo_grant', '2.5')
    equal((await boris.post('demo/minutes')).balance, '32.5')
    await boris.heard('new_balance_info', { reason: 'grant' }, { times: 3 })
    await anna.isRefused('role_forbidden', () => anna.post('demo/minutes'))
  },
)

story('an account has one id in SQL and in the code', async ({ testApp, boris }) => {
  for (const asset of ['diamond', 'message', 'coin', 'usd', 'usdt'] as const) {
    const column = accountColumn(sql`${boris.id}::bigint`, asset)
    const { rows } = await sql<{ id: string }>`select (${column})::text as id`.execute(
      testApp.app.db,
    )
    equal(rows[0]!.id, String(accountId({ user_id: boris.id }, asset)))
  }
})
