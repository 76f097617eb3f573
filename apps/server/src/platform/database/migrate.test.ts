import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { checkGenerated } from './generate.ts'
import { migrate, readMigrations } from './migrate.ts'
import { bareDatabase } from '@duet/testkit/database/template.ts'

const BASE = (await readMigrations())[0]?.sql ?? ''

async function stage(t: TestContext, files: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'duet-migrations-'))
  const { connection, drop } = await bareDatabase()
  t.after(async () => {
    await drop()
    await rm(folder, { recursive: true })
  })
  const put = (name: string, sql: string) => writeFile(join(folder, name), sql)
  await put('0001-base.sql', BASE)
  for (const [name, sql] of Object.entries(files)) await put(name, sql)
  const query = async (sql: string) => {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }
  return { put, query, folder, migrate: () => migrate(connection, { folder }) }
}

test('the generated tables and schema match the migrations', async () => {
  assert.deepEqual(await checkGenerated(), [])
})

test('migrations are applied once and in order, and new ones are added later', async (t) => {
  const { put, migrate, query } = await stage(t, {
    '0002-a.sql': 'create table a (n int4);',
    '0003-b.sql': 'alter table a add m int4;',
  })
  assert.deepEqual((await migrate()).applied, ['0001-base', '0002-a', '0003-b'])
  assert.deepEqual((await migrate()).applied, [])
  await put('0004-c.sql', 'insert into a values (1, 2);')
  assert.deepEqual((await migrate()).applied, ['0004-c'])
  assert.deepEqual(await query('select * from a'), [{ n: 1, m: 2 }])
})

test('processes that start together migrate once', async (t) => {
  const { migrate } = await stage(t, { '0002-a.sql': 'create table a (n int4);' })
  const done = await Promise.all(Array.from({ length: 4 }, migrate))
  assert.deepEqual(done.map(({ applied }) => applied.length).sort(), [0, 0, 0, 2])
})

test('a changed migration is refused, other line endings are not a change', async (t) => {
  const { put, migrate } = await stage(t, { '0002-a.sql': 'create table a (\n  n int4\n);\n' })
  await migrate()
  await put('0002-a.sql', 'create table a (\r\n  n int4\r\n);\r\n')
  assert.deepEqual((await migrate()).applied, [])
  await put('0002-a.sql', 'create table a (\n  n int8\n);\n')
  await assert.rejects(migrate(), {
    name: 'StartRefused',
    message: /^The migration 0002-a was changed after it had been applied/,
  })
})

test('a database of a newer version is refused', async (t) => {
  const { migrate, folder } = await stage(t, { '0002-later.sql': 'create table later ();' })
  await migrate()
  await rm(join(folder, '0002-later.sql'))
  await assert.rejects(migrate(), {
    name: 'StartRefused',
    message: /^The database is newer than this program \(it has the migration 0002-later\)/,
  })
})

test('a migration with a number below an applied one is refused', async (t) => {
  const { put, migrate } = await stage(t, { '0003-c.sql': 'create table c ();' })
  await migrate()
  await put('0002-b.sql', 'create table b ();')
  await assert.rejects(migrate(), {
    name: 'StartRefused',
    message: /^The migration 0002-b comes before 0003-c/,
  })
})

test('a migration that fails has no effect, and the error names the line', async (t) => {
  const { put, migrate, query } = await stage(t, {
    '0002-a.sql': 'create table a ();\n\ncreate table b (n nonsense);',
  })
  await assert.rejects(migrate(), {
    name: 'StartRefused',
    message: /^The migration 0002-a failed at line 3: type "nonsense" does not exist/,
  })
  assert.deepEqual(await query(`select to_regclass('a') as a`), [{ a: null }])
  await put('0002-a.sql', 'create table a ();')
  assert.deepEqual((await migrate()).applied, ['0002-a'])
})

test('two migrations with the same number and a malformed name are refused', async (t) => {
  const { put, migrate } = await stage(t, { '0002-a.sql': '', '0002-b.sql': '' })
  await assert.rejects(migrate(), {
    name: 'StartRefused',
    message: 'Two migrations have the number of 0002-b.',
  })
  await put('nonsense.sql', '')
  await assert.rejects(migrate(), {
    name: 'StartRefused',
    message: /^The migration nonsense.sql must be named like/,
  })
})
