import { deepEqual, equal, match } from 'node:assert/strict'
import type { PersonMovement } from '@duet/protocol'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { transfer } from '../ledger/index.ts'
import { WALKED_MAX } from '../ledger/movements.ts'
import { EXPORTED_MAX } from './movements.ts'

/** More movements than one page reads. */
const MANY = WALKED_MAX + 2000
const NO_FILTERS = { asset: null, purpose: null, from: null, to: null }

story('finance reads the movements of a balance with their signs', async ({ testApp, boris }) => {
  await testApp.duet('grant', String(boris.id), '10', 'diamond', '--reason', 'a test')
  const finance = await openStaff(testApp, 'finance')
  const { items } = (await finance.get(`v2/manager/users/${boris.id}/movements`)) as unknown as {
    items: { asset: string; amount: string; note: string }[]
  }
  deepEqual([items.length, items[0]!.asset, items[0]!.amount], [1, 'diamond', '10'])
  await finance.get(`v2/manager/users/${boris.id}/movements`, { page: 2, asset: 'diamond' })
  const looks = await testApp.duet<{ act: string; facts: object }[]>('audit', 'list')
  deepEqual(
    looks.filter(({ act }) => act === 'user_view').map(({ facts }) => facts),
    [
      { list: 'movements', page: 2, ...NO_FILTERS, asset: 'diamond' },
      { list: 'movements', page: 1, ...NO_FILTERS },
    ],
  )
  await finance.isRefused('role_forbidden', () =>
    finance.post(`v2/manager/users/${boris.id}/dialogs/1`, { reason: 'curious' }),
  )
})

const DIAMOND = 60_000n
const give = (testApp: TestApp, { id }: TestUser, amount: number, asset: string, reason: string) =>
  testApp.duet('grant', String(id), String(amount), asset, '--reason', reason)

interface MovementsAnswer {
  readonly items: readonly PersonMovement[]
  readonly next: boolean
  readonly after?: string
}

async function read(staff: TestUser, { id }: TestUser, query: Record<string, string>) {
  const answer = await staff.get(`v2/manager/users/${id}/movements`, query)
  return answer as unknown as MovementsAnswer
}

const line = ({ asset, amount, balance }: PersonMovement) => `${asset} ${amount} ${balance}`

/** The movements page by page. */
async function byPages(staff: TestUser, user: TestUser, query: Record<string, string>) {
  let page = await read(staff, user, query)
  const found = page.items.map(line)
  while (page.next) {
    page = await read(staff, user, { ...query, after: page.after! })
    found.push(...page.items.map(line))
  }
  return found
}

const movements = async (staff: TestUser, user: TestUser, query: Record<string, string> = {}) =>
  (await read(staff, user, query)).items.map(line)

story(
  'each movement has the balance behind it, also where filters leave others out',
  async ({ testApp, boris }) => {
    await give(testApp, boris, 10, 'diamond', 'one')
    await give(testApp, boris, 7, 'message', 'one')
    await testApp.leap('24 h')
    await testApp.app.transact((tx) =>
      transfer(tx, {
        key: 'gift:1',
        asset: 'diamond',
        from: { user_id: boris.id },
        to: { house: 'sales' },
        amount: 4n * DIAMOND,
        what: 'gift',
        cause: { kind: 'gift', id: 1 },
      }),
    )
    const day = testApp.clock.now().toString()
    await testApp.leap('24 h')
    await give(testApp, boris, 2.5, 'diamond', 'two')
    await give(testApp, boris, 3, 'message', 'two')
    const finance = await openStaff(testApp, 'finance')
    const all = ['message 3 10', 'diamond 2.5 8.5', 'diamond -4 6', 'message 7 7', 'diamond 10 10']
    deepEqual(await movements(finance, boris), all)
    const filters: Record<string, string>[] = [
      {},
      { purpose: 'grant' },
      { from: day },
      { to: day },
      { asset: 'diamond' },
    ]
    for (const filter of filters)
      deepEqual(
        await byPages(finance, boris, { ...filter, 'per-page': '2' }),
        await movements(finance, boris, filter),
      )
    deepEqual(await movements(finance, boris, { asset: 'message' }), [
      'message 3 10',
      'message 7 7',
    ])
    deepEqual(await movements(finance, boris, { purpose: 'gift' }), ['diamond -4 6'])
    deepEqual(await movements(finance, boris, { purpose: 'refund' }), [])
    deepEqual(await movements(finance, boris, { from: day }), all.slice(0, 3))
    deepEqual(await movements(finance, boris, { to: day }), all.slice(3))
    deepEqual(await movements(finance, boris, { from: day, purpose: 'grant', asset: 'diamond' }), [
      'diamond 2.5 8.5',
    ])
    await finance.isRefused('invalid', () => movements(finance, boris, { asset: 'usdt' }))
  },
)

story(
  'a page of a rare purpose reads a limited part of a long ledger, and the next pages find it',
  async ({ testApp, boris }) => {
    await give(testApp, boris, 10, 'diamond', 'one')
    await testApp.app.transact((tx) =>
      transfer(tx, {
        key: 'gift:1',
        asset: 'diamond',
        from: { user_id: boris.id },
        to: { house: 'sales' },
        amount: 4n * DIAMOND,
        what: 'gift',
        cause: { kind: 'gift', id: 1 },
      }),
    )
    await runAsOwner(
      testApp.database,
      `insert into transfers (at, debit_id, credit_id, amount, asset, what, cause, key)
       select at, debit_id, credit_id, 60000, asset, what, cause, 'copy:' || number
       from transfers, generate_series(1, ${MANY}) as number where what = 'grant'`,
      `update accounts set balance = balance + ${MANY}::bigint * 60000 where user_id = ${boris.id} and asset = 'diamond'`,
    )
    const finance = await openStaff(testApp, 'finance')
    const first = await read(finance, boris, { purpose: 'gift' })
    deepEqual([first.items, first.next], [[], true])
    deepEqual(await byPages(finance, boris, { purpose: 'gift' }), ['diamond -4 6'])
    const file = await download(testApp, finance, `${boris.id}/movements/export?purpose=gift`)
    match((await file.text()).split('\r\n')[1]!, /,diamond,-4,6,gift,/)
    await finance.isRefused('invalid', () => read(finance, boris, { after: '1:2' }))
  },
)

const download = (testApp: TestApp, staff: TestUser, path: string) =>
  fetch(`${testApp.origin}/api/v2/manager/users/${path}`, { headers: { cookie: staff.cookie! } })

story(
  'an export is recorded with its filters, and a note cannot run in it',
  async ({ testApp, boris }) => {
    await give(testApp, boris, 10, 'diamond', '=HYPERLINK("https://evil.example")')
    await give(testApp, boris, 5, 'message', 'plain, with a comma')
    const finance = await openStaff(testApp, 'finance')
    const answer = await download(testApp, finance, `${boris.id}/movements/export?asset=diamond`)
    match(answer.headers.get('content-disposition')!, /attachment; filename="ledger-\d+\.csv"/)
    const [head, row, ...rest] = (await answer.text()).split('\r\n')
    equal(head, 'id,at,asset,amount,balance,purpose,cause,cause_id,note')
    match(
      row!,
      /^\d+,[^,]+,diamond,10,10,grant,\w+,\d*,"'=HYPERLINK\(""https:\/\/evil\.example""\)"$/,
    )
    deepEqual(rest, [''])
    const [act] = await testApp.duet<{ act: string; user_id: number; facts: object }[]>(
      ...(['audit', 'list'] as const),
    )
    deepEqual(
      [act!.act, act!.user_id, act!.facts],
      ['ledger_export', boris.id, { asset: 'diamond', purpose: null, from: null, to: null }],
    )
    const absent = await download(testApp, finance, '999999/movements/export')
    equal(absent.status, 404)
    const manager = await openStaff(testApp, 'manager')
    equal((await download(testApp, manager, `${boris.id}/movements/export`)).status, 403)
  },
)

story(
  'an export of more movements than a file may have asks for fewer days',
  async ({ testApp, boris }) => {
    await give(testApp, boris, 10, 'diamond', 'a test')
    await runAsOwner(
      testApp.database,
      `insert into transfers (at, debit_id, credit_id, amount, asset, what, cause, key)
       select at, debit_id, credit_id, amount, asset, what, cause, 'copy:' || number
       from transfers, generate_series(1, ${EXPORTED_MAX}) as number where what = 'grant'`,
    )
    const finance = await openStaff(testApp, 'finance')
    const answer = await download(testApp, finance, `${boris.id}/movements/export`)
    equal(answer.status, 400)
    match(await answer.text(), /choose fewer days/)
    const later = testApp.clock.now().add({ hours: 1 }).toString()
    const none = await download(testApp, finance, `${boris.id}/movements/export?from=${later}`)
    equal((await none.text()).split('\r\n').length, 2)
  },
)
