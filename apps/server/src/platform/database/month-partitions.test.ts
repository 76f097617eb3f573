import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { story } from '@duet/testkit/test-app.ts'
import { bareDatabase, freshDatabase } from '@duet/testkit/database/template.ts'
import { migrate } from './migrate.ts'

const { pool, stop } = await freshDatabase()
after(stop)

async function apply(key: string, amount: number, at: string): Promise<unknown> {
  const step = {
    g: 0,
    op: 'move',
    key,
    debit: -64,
    credit: 800,
    amount,
    what: 'test',
    cause: 'test',
  }
  const { rows } = await pool.query<{ answers: unknown }>(
    'select ledger_apply($1, $2) as answers',
    [JSON.stringify([step]), at],
  )
  return rows[0]!.answers
}

async function hold(key: string, at: string): Promise<{ outcome: string; answers: unknown }> {
  const step = { g: 0, op: 'open', key, debit: 800, amount: 1, what: 'test', cause: 'test' }
  const { rows } = await pool.query<{ answers: [{ outcome: string; answers: unknown }] }>(
    'select ledger_apply($1, $2) as answers',
    [JSON.stringify([step]), at],
  )
  return rows[0]!.answers[0]
}

async function partitions(table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}

/** The partitions that were created, as `transfers 2031-02-01`. */
async function create(at: string): Promise<string[]> {
  const tables = await pool.query<{ name: string }>('select name from partitioned_tables')
  const created: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ months: string[] }>(
      'select create_month_partitions($1, $2)::text[] as months',
      [name, at],
    )
    created.push(...rows[0]!.months.map((month) => `${name} ${month}`))
  }
  return created
}

test('a key used in one month moves nothing in any later month', async () => {
  deepEqual(await apply('once', 5, '2031-01-31T23:59:59Z'), [])
  await create('2031-02-01T00:00:00Z')
  deepEqual(await apply('once', 5, '2031-02-01T00:00:01Z'), [
    { g: 0, outcome: 'repeated', answers: [null] },
  ])
  deepEqual(await apply('once', 6, '2031-03-01T00:00:01Z'), [{ g: 0, outcome: 'key_reused' }])
  const { rows } = await pool.query('select balance from accounts where id = 800')
  deepEqual(rows, [{ balance: 5n }])
})

test('a step of a hold repeated in a later month returns its first answer', async () => {
  const first = await hold('held once', '2031-02-28T23:59:59Z')
  await create('2031-03-01T00:00:00Z')
  const again = await hold('held once', '2031-03-01T00:00:01Z')
  deepEqual([first.outcome, again.outcome], ['applied', 'repeated'])
  deepEqual(again.answers, first.answers)
})

test('this month and the next have partitions, and creating them again changes nothing', async () => {
  await create('2033-12-31T23:30:00Z')
  const names = await partitions('transfers')
  for (const month of ['2033_12', '2034_01']) equal(names.includes(`transfers_${month}`), true)
  deepEqual(await create('2033-12-31T23:30:00Z'), [])
})

test('rows of a month without a partition move out of the default partition, and stay unchangeable', async () => {
  await apply('stray', 1, '2036-05-05T00:00:00Z')
  const stray = `select tableoid::regclass::text as part from transfers where key = 'stray'`
  deepEqual((await pool.query(stray)).rows, [{ part: 'transfers_default' }])
  await create('2033-12-31T23:30:00Z')
  deepEqual((await pool.query(stray)).rows, [{ part: 'transfers_2036_05' }])
  for (const table of ['transfers_2036_05', 'transfers_default', 'transfer_keys'])
    await rejects(pool.query(`delete from ${table}`), { code: '23000' }, table)
})

test('processes that start at the same time create each partition once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => create('2038-01-01T00:00:00Z')))
  equal((await partitions('changes')).filter((name) => name === 'changes_2038_01').length, 1)
})

test('a database of before the dropped months keeps its changes over the upgrade, and then drops old months', async () => {
  const old = await bareDatabase()
  const client = new pg.Client(old.connection)
  try {
    await migrate(old.connection, { up_to: 199 })
    await client.connect()
    await client.query(`select create_month_partitions('changes', '2020-01-15')`)
    const stored = ['2020-01-31T12:00:00Z', '2020-02-01T12:00:00Z', new Date().toISOString()]
    for (const [at, time] of stored.entries())
      await client.query(`insert into changes values (7, $1, 'notice', '{}', $2)`, [at + 1, time])
    await migrate(old.connection)
    const kept = async () =>
      (await client.query('select change_id from changes order by 1')).rows.map(
        ({ change_id: id }) => Number(id),
      )
    deepEqual(await kept(), [1, 2, 3])
    const drop = `select drop_month_partitions('changes', $1) as dropped`
    deepEqual((await client.query(drop, ['2020-02-28T00:00:00Z'])).rows, [{ dropped: 1 }])
    deepEqual(await kept(), [2, 3])
  } finally {
    await client.end().catch(() => {})
    await old.drop()
  }
})

story(
  'a table that is locked does not keep the others from their next month',
  async ({ testApp }) => {
    const { app } = testApp
    await testApp.leap(`${62 * 24} h`)
    const { year, month } = app.clock.now().toZonedDateTimeISO('UTC')
    const name = `transfers_${year}_${String(month).padStart(2, '0')}`
    await app.onDedicatedConnection(async (db) => {
      await db.transaction().execute(async (tx) => {
        await sql`lock table changes in access exclusive mode`.execute(tx)
        await rejects(app.jobs.run('month partitions'))
      })
    })
    const { rows } = await sql`select to_regclass(${name})::text as name`.execute(app.db)
    deepEqual(rows, [{ name }])
  },
)
