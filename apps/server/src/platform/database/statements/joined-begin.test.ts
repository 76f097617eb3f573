import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { attach, type Database } from '../open.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'

let owner: Database
/** One connection, so that a test knows what it has sent. */
let database: Database
/** The packets that the connection wrote: one is one system call. */
let packets: string[]

before(async () => {
  owner = await freshDatabase()
  await runAsOwner(owner, 'create table words (word text primary key)')
  database = attach(owner.connection, { pool_max: 1 })
  const client = await database.pool.connect()
  const { stream } = (client as unknown as { connection: { stream: Stream } }).connection
  for (const name of ['_write', '_writev'] as const) {
    const write = stream[name]!.bind(stream)
    stream[name] = (...given: unknown[]) => {
      packets.push(getText(given[0]))
      return write(...given)
    }
  }
  client.release()
})
after(async () => {
  await database.stop()
  await owner.stop()
})
beforeEach(() => {
  packets = []
})

interface Stream {
  _write(...given: unknown[]): void
  _writev?(...given: unknown[]): void
}

function getText(written: unknown): string {
  const chunks = Array.isArray(written) ? written.map((one) => one.chunk as Buffer) : [written]
  return Buffer.concat(chunks as Buffer[]).toString('latin1')
}

const getKinds = (packet: string) => packet.match(/begin|commit|rollback|select|insert/g)

test('a transaction begins with its first statement, in one packet', async () => {
  await database.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    await sql`select 2`.execute(tx)
  })
  deepEqual(packets.map(getKinds), [['begin', 'select'], ['select'], ['commit']])
})

test('a transaction without a statement sends nothing, whether it ends well or not', async () => {
  await database.db.transaction().execute(async () => {})
  await rejects(
    database.db.transaction().execute(async () => {
      throw new Error('no')
    }),
    /^Error: no$/,
  )
  deepEqual(packets, [])
})

test('a first statement that fails is rolled back, and the next transaction begins', async () => {
  const insert = (word: string | null) =>
    database.db.transaction().execute((tx) => sql`insert into words values (${word})`.execute(tx))
  await rejects(insert(null), { code: '23502' })
  await insert('one')
  const { rows } = await sql<{ word: string }>`select word from words`.execute(database.db)
  deepEqual(rows, [{ word: 'one' }])
  deepEqual(packets.map(getKinds), [
    ['begin', 'insert'],
    ['rollback'],
    ['begin', 'insert'],
    ['commit'],
    ['select'],
  ])
})

test('a statement after a transaction is in none', async () => {
  await database.db.transaction().execute((tx) => sql`select 1`.execute(tx))
  const inTransaction = sql<{ same: boolean }>`select now() = statement_timestamp() as same`
  equal((await inTransaction.execute(database.db)).rows[0]!.same, true)
  deepEqual(packets.map(getKinds), [['begin', 'select'], ['commit'], ['select']])
})
