import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { ANSWERS_MAX, medianAnswer, selectMedian } from './median-answer.ts'

const TIMES = {
  table: 'payment_callbacks',
  asked: 'received_at',
  answered: 'settled_at',
  by: 'settled_by',
} as const

const read = ({ app }: TestApp) => medianAnswer(app, app.db, TIMES)

/** Callbacks that waited as long, and were settled one second after the other before this moment. */
async function settle(
  { app, database }: TestApp,
  { by, count, waited }: { readonly by: string; readonly count: number; readonly waited: string },
): Promise<void> {
  const at = app.clock.now().toString()
  await runAsOwner(
    database,
    `insert into payment_callbacks
       (method, request_method, query, headers, body, address, verdict, received_at, settled_at, settled_by, settled_why)
     select 'verotel', 'GET', '', '{}', '', '', 'refused', settled_at - interval '${waited}', settled_at, '${by}', 'a test'
     from (select timestamptz '${at}' - number * interval '1 second' as settled_at
       from generate_series(1, ${count}) as number) settled`,
    'analyze payment_callbacks',
  )
}

async function staffEmail({ app }: TestApp): Promise<string> {
  const row = await app.db.selectFrom('staff_members').select('email').executeTakeFirstOrThrow()
  return row.email
}

story('a median counts what staff answered, and not what settled itself', async ({ testApp }) => {
  await openStaff(testApp, 'finance')
  await settle(testApp, { by: 'verotel', count: 50, waited: '3 seconds' })
  equal(await read(testApp), null)
  await settle(testApp, { by: await staffEmail(testApp), count: 3, waited: '400 seconds' })
  await testApp.advance('61 s')
  equal(await read(testApp), 400)
})

story('all who poll share a median for a minute', async ({ testApp }) => {
  await openStaff(testApp, 'finance')
  const by = await staffEmail(testApp)
  await settle(testApp, { by, count: 1, waited: '100 seconds' })
  const first = await Promise.all([read(testApp), read(testApp)])
  await settle(testApp, { by, count: 5, waited: '900 seconds' })
  await testApp.advance('55 s')
  deepEqual([...first, await read(testApp)], [100, 100, 100])
  await testApp.advance('6 s')
  equal(await read(testApp), 900)
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const nodes = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

story('a median reads the latest answers only, however many there are', async ({ testApp }) => {
  const { app } = testApp
  await settle(testApp, { by: 'verotel', count: 20 * ANSWERS_MAX, waited: '3 seconds' })
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
    explain (analyze, format json) ${selectMedian(TIMES, app.clock.now())}`.execute(app.db)
  const read = nodes(rows[0]!['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'payment_callbacks',
  )
  equal(read.length, 1)
  for (const node of read) {
    const inLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    ok(inLoop * node['Actual Loops'] <= ANSWERS_MAX, JSON.stringify(node))
  }
})
