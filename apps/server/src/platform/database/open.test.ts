import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { sql } from 'kysely'
import { type Database, openDatabase } from './open.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'
import { jsonb } from './values.ts'

let database: Database
before(async () => (database = await freshDatabase()))
after(() => database.stop())

test('an address of another kind than PostgreSQL is refused in one sentence', async () => {
  for (const url of ['', 'nonsense', 'mysql://localhost/duet', 'localhost:5432']) {
    await assert.rejects(openDatabase({ url }), {
      name: 'StartRefused',
      message: /^DATABASE_URL is not an address of PostgreSQL/,
    })
  }
})

test('a server that does not answer is refused with its address and without its password', async () => {
  await assert.rejects(
    openDatabase({ url: 'postgres://duet:hidden@127.0.0.1:1/duet' }),
    (error: Error) => {
      assert.equal(error.name, 'StartRefused')
      assert.match(
        error.message,
        /^The database of DATABASE_URL \(127\.0\.0\.1:1\/duet\) cannot be used: .*ECONNREFUSED/,
      )
      assert.doesNotMatch(error.message, /hidden/)
      return true
    },
  )
})

test('an amount is read back exactly, alone and in arrays', async () => {
  const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  await fc.assert(
    fc.asyncProperty(amount, fc.array(amount, { maxLength: 3 }), async (one, many) => {
      const { rows } = await sql<{
        amount: bigint
        held: bigint[]
      }>`select ${one}::int8 as amount, ${many}::int8[] as held`.execute(database.db)
      assert.deepEqual(rows, [{ amount: one, held: many }])
    }),
    { numRuns: 50, seed: testSeed() },
  )
})

test('an id of 53 bits is read back as a number, and a larger int8 fails the query', async () => {
  const id = Number.MAX_SAFE_INTEGER
  const { rows } = await sql<{
    id: number
    ids: number[]
  }>`select ${id}::int8 as id, ${[id, 1]}::int8[] as ids`.execute(database.db)
  assert.deepEqual(rows, [{ id, ids: [id, 1] }])
  await assert.rejects(sql`select ${2n ** 53n}::int8 as id`.execute(database.db), RangeError)
  await assert.rejects(sql`select ${[2n ** 53n]}::int8[] as ids`.execute(database.db), RangeError)
})

test('an instant is read back to the microsecond and is never rounded into the future', async () => {
  const range = { min: -2_208_988_800_000_000_000n, max: 4_102_444_800_000_000_000n }
  await fc.assert(
    fc.asyncProperty(fc.bigInt(range), async (nanoseconds) => {
      const at = Temporal.Instant.fromEpochNanoseconds(nanoseconds)
      const { rows } = await sql<{ at: Temporal.Instant; all: Temporal.Instant[] }>`
        select ${at}::timestamptz as at, ${[at]}::timestamptz[] as all`.execute(database.db)
      const kept = at.round({ smallestUnit: 'microsecond', roundingMode: 'floor' })
      assert.ok(rows[0]?.at.equals(kept))
      assert.ok(rows[0]?.all[0]?.equals(kept))
    }),
    { numRuns: 50, seed: testSeed() },
  )
})

test('a date is a day without a zone', async () => {
  const day = Temporal.PlainDate.from('2008-02-29')
  const { rows } = await sql<{ day: Temporal.PlainDate }>`select ${day}::date as day`.execute(
    database.db,
  )
  assert.equal(String(rows[0]?.day), '2008-02-29')
})

test('every JSON value is stored in jsonb unchanged', async () => {
  const json = fc
    .jsonValue()
    .map(
      (value) =>
        JSON.parse(
          JSON.stringify(value).replaceAll('\\u0000', '').replaceAll('-0', '0'),
        ) as unknown,
    )
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const { rows } = await sql<{ value: unknown }>`select ${jsonb(value)} as value`.execute(
        database.db,
      )
      assert.deepEqual(rows[0]?.value, value)
    }),
    { numRuns: 50, seed: testSeed() },
  )
})

test('a connection that the server closes is replaced', async () => {
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  await assert.rejects(database.pool.query('select pg_terminate_backend(pg_backend_pid())'))
  assert.notEqual(
    (await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid,
    rows[0]?.pid,
  )
})
