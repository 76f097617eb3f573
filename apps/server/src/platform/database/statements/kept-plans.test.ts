import { deepEqual, equal } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { systemClock } from '../../../lib/clock.ts'
import { silentLog } from '../log.ts'
import { attach, type Database } from '../open.ts'
import { createOutbox } from '../outbox.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'
import { createTransact } from '../transact.ts'

let owner: Database
/** One connection, so that a test knows which plans it has. */
let database: Database

before(async () => {
  owner = await freshDatabase()
  database = attach(owner.connection, { pool_max: 1 })
  await runAsOwner(owner, 'create table words (word text primary key, at integer)')
  await runAsOwner(owner, `insert into words values ('one', 1), ('two', 2)`)
})
after(async () => {
  await database.stop()
  await owner.stop()
})

const wordsFrom = async (at: number) =>
  (await sql`select * from words where at >= ${at}`.execute(database.db)).rows
const keptPlans = async () =>
  (
    await sql<{ statement: string }>`select statement from pg_prepared_statements
      where statement like '%from words%' order by statement`.execute(database.db)
  ).rows.map(({ statement }) => statement)

/** So often that its plan is kept. */
async function manyTimes(run: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 30; time += 1) await run()
}

test('a statement that runs often is parsed once on a connection, whatever its values', async () => {
  equal((await wordsFrom(1)).length, 2)
  deepEqual(await keptPlans(), [])
  await manyTimes(() => wordsFrom(1))
  equal((await wordsFrom(2)).length, 1)
  deepEqual(await keptPlans(), ['select * from words where at >= $1'])
})

test('a page, and a list of values or rows, get a plan of their own each time', async () => {
  const { db } = database
  await manyTimes(() => sql`select word from words where at > ${0} limit ${1}`.execute(db))
  await manyTimes(() => sql`select word from words where at in (${1}, ${2})`.execute(db))
  await manyTimes(() =>
    sql`insert into words (word, at) values (${'one'}, ${1}), (${'two'}, ${2})
      on conflict do nothing returning (select max(at) from words)`.execute(db),
  )
  deepEqual(await keptPlans(), ['select * from words where at >= $1'])
})

test('after a change of the table a statement is repeated, and a transaction too', async () => {
  const { db } = database
  await wordsFrom(1)
  await runAsOwner(owner, 'alter table words add column spoken boolean')
  deepEqual(await wordsFrom(2), [{ word: 'two', at: 2, spoken: null }])
  await wordsFrom(1)
  await runAsOwner(owner, 'alter table words add column sung boolean')
  const transact = createTransact({
    db,
    clock: systemClock,
    log: silentLog,
    outbox: createOutbox({ db, log: silentLog, clock: systemClock }),
    extend: () => ({}),
  })
  let attempts = 0
  const rows = await transact(async (tx) => {
    attempts += 1
    return (await sql`select * from words where at >= ${2}`.execute(tx)).rows
  })
  deepEqual(rows, [{ word: 'two', at: 2, spoken: null, sung: null }])
  equal(attempts, 2)
  deepEqual(await keptPlans(), ['select * from words where at >= $1'], 'no plan of before is kept')
})
