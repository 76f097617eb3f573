import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { type Entry, FIRST_HASH } from './chain.ts'

/** An advisory lock number that no other code uses in this database. */
const CHAIN_LOCK = 4_205_420

export const COLUMNS = [
  'entry_id',
  'at',
  'staff_id',
  'operator',
  'act',
  'user_id',
  'reason',
  'facts',
  'address',
  'words',
  'before',
  'after',
  'prev_hash',
  'hash',
] as const

/** The end of the chain, which stays the end until this transaction has ended. */
export async function lockHead(tx: Tx): Promise<{ entry_id: number; hash: string }> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK}::bigint)`.execute(tx)
  return readHead(tx)
}

export async function readHead(db: Db): Promise<{ entry_id: number; hash: string }> {
  const head = await db
    .selectFrom('audit_entries')
    .select(['entry_id', 'hash'])
    .orderBy('entry_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return head ?? { entry_id: 0, hash: FIRST_HASH }
}

const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value))

export async function insertEntry(
  tx: Tx,
  { facts, before, after, ...entry }: Entry,
): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({
      ...entry,
      facts: JSON.stringify(facts),
      before: toJson(before),
      after: toJson(after),
    })
    .execute()
}
