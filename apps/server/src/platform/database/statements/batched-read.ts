import { type RawBuilder, sql } from 'kysely'
import { groupCommit, groupPerTick } from '../group-commit.ts'
import type { Db } from '../../../core/db.ts'

const BATCH_MAX_KEYS = 500
const QUEUE_MAX_KEYS = 100_000

/**
 * A read of one row by its key that concurrent callers share. A call that arrives during a statement joins
 * the next statement. If a crowd of clients reconnects at once, the reads
 * cost a few statements. Inside a transaction
 * the read uses that transaction, without sharing. The statement always starts after the call.
 *
 * `read` returns its results by key. A Map must be able to compare the keys. `every_ms` is the minimum time
 * between two statements. Give it to the first of several reads in a row: callers that share the first read
 * share the following reads.
 */
export function batchedRead<K, V>(
  read: (db: Db, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  { every_ms = 0 }: { every_ms?: number } = {},
): (db: Db, key: K) => Promise<V | undefined> {
  const sharedReads = new WeakMap<Db, (key: K) => Promise<V | undefined>>()
  const getSharedRead = (db: Db) => {
    let sharedRead = sharedReads.get(db)
    if (!sharedRead) {
      const flush = async (keys: K[]) => {
        const found = await read(db, [...new Set(keys)])
        return keys.map((key) => found.get(key))
      }
      sharedRead = groupPerTick(
        groupCommit({ flush, max_batch: BATCH_MAX_KEYS, max_queue: QUEUE_MAX_KEYS }),
        every_ms,
      )
      sharedReads.set(db, sharedRead)
    }
    return sharedRead
  }
  return async (db, key) =>
    db.isTransaction ? (await read(db, [key])).get(key) : getSharedRead(db)(key)
}

/** `where('id', '=', inKeys(ids))`: one statement text, whatever the number of keys. */
export function inKeys<K>(keys: readonly K[]): RawBuilder<K> {
  return sql<K>`any(${[...keys]})`
}
