import { type RawBuilder, sql } from 'kysely'
import { groupCommit, type GroupCommit } from './group-commit.ts'
import type { Db } from './open.ts'

const batch_max = 500
const queue_max = 100_000

/**
 * A read of one thing by its key, that strangers share: whoever asks while a statement is under way joins the next one,
 * so a crowd that comes back at once costs the database a few statements instead of one each. Inside a transaction it
 * reads there, alone. Either way the statement begins after the question.
 *
 * `read` answers what it found by key; the key must be one that a Map can compare.
 */
export function gathered<K, V>(
  read: (reader: Db, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (reader: Db, key: K) => Promise<V | undefined> {
  const crowds = new WeakMap<Db, GroupCommit<K, V | undefined>>()
  const crowdOf = (reader: Db) => {
    let crowd = crowds.get(reader)
    if (!crowd) {
      const flush = async (keys: K[]) => {
        const found = await read(reader, [...new Set(keys)])
        return keys.map((key) => found.get(key))
      }
      crowds.set(reader, (crowd = groupCommit({ flush, max_batch: batch_max, max_queue: queue_max })))
    }
    return crowd
  }
  return async (reader, key) =>
    reader.isTransaction ? (await read(reader, [key])).get(key) : crowdOf(reader).submit(key)
}

/** `where('id', '=', anyOf(ids))`: one statement text, whatever the number of keys. */
export function anyOf<K>(keys: readonly K[]): RawBuilder<K> {
  return sql<K>`any(${[...keys]})`
}
