import { type RawBuilder, sql } from 'kysely'
import { groupCommit, groupPerTick } from '../group-commit.ts'
import type { Db } from '../../../core/db.ts'

const BATCH_MAX_KEYS = 500
const QUEUE_MAX_KEYS = 100_000

/**
 * A read of one row by its key that concurrent callers share: a call that arrives while a statement is running joins the
 * next statement, so a large number of clients that reconnect at once costs the database a few statements instead of one each. Inside
 * a transaction it reads in that transaction, without sharing. In both cases the statement starts after the call.
 *
 * `read` returns its results by key; a Map must be able to compare the keys. `every_ms` is the minimum time between two
 * statements. It is meant for the first of several reads in a row: callers that share the first one share the next ones.
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
