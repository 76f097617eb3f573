import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase } from '@duet/testkit/database/template.ts'

const database = await freshDatabase()
after(() => database.stop())

const refused = (text: string) =>
  assert.rejects(sql.raw(text).execute(database.db), { code: '42501' }, text)

test('a query of the server cannot switch off a trigger, change a table or become the owner', async () => {
  await refused('alter table transfers disable trigger user')
  await refused('alter table users add column note text')
  await refused('drop table users')
  await refused('truncate transfers')
  await refused('set session_replication_role = replica')
  await refused('set role duet')
  await refused('create table notes (id int8)')
  await refused("insert into schema_migrations (number, name, checksum) values (9999, 'x', 'x')")
  await refused("copy users to program 'cat'")
})

test('the server can create the partitions of the next month', async () => {
  const { rows } = await sql<{ months: unknown[] }>`
    select create_month_partitions('transfers', now() + interval '3 months') as months`.execute(
    database.db,
  )
  assert.equal(rows[0]?.months.length, 2)
})
