import { type RawBuilder, sql } from 'kysely'
import { groupCommit, type GroupCommit } from './group-commit.ts'
import type { Db } from '../../core/db.ts'

const BATCH_MAX_KEYS = 500
const QUEUE_MAX_KEYS = 100_000

/**
 * A read of one thing by its key, that strangers share: whoever asks while a statement is under way joins the next one,
 * so a crowd that comes back at once costs the database a few statements instead of one each. Inside a transaction it
 * reads there, alone. Either way the statement begins after the question.
 *
 * `read` answers what it found by key; the key must be one that a Map can compare. `every_ms`: statements leave at
 * least so far apart, for the first question of a long row of them: those who leave it together stay together.
 */
export function batchedRead<K, V>(
  read: (db: Db, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  { every_ms = 0 }: { every_ms?: number } = {},
): (db: Db, key: K) => Promise<V | undefined> {
  const crowds = new WeakMap<Db, (key: K) => Promise<V | undefined>>()
  const crowdOf = (db: Db) => {
    let crowd = crowds.get(db)
    if (!crowd) {
      const flush = async (keys: K[]) => {
        const found = await read(db, [...new Set(keys)])
        return keys.map((key) => found.get(key))
      }
      crowd = together(
        groupCommit({ flush, max_batch: BATCH_MAX_KEYS, max_queue: QUEUE_MAX_KEYS }),
        every_ms,
      )
      crowds.set(db, crowd)
    }
    return crowd
  }
  return async (db, key) => (db.isTransaction ? (await read(db, [key])).get(key) : crowdOf(db)(key))
}

/** Packets of many sockets are read in one turn of the event loop: their questions leave together at its end. */
function together<K, V>(group: GroupCommit<K, V>, everyMs: number): (key: K) => Promise<V> {
  let asked: { key: K; resolve: (answer: Promise<V>) => void }[] = []
  let lastSentMs = -everyMs
  const leave = () => {
    const leaving = asked
    asked = []
    lastSentMs = performance.now()
    for (const { key, resolve } of leaving) resolve(group.submit(key))
  }
  return (key) => {
    const { promise, resolve } = Promise.withResolvers<V>()
    if (asked.push({ key, resolve }) > 1) return promise
    const waitMs = lastSentMs + everyMs - performance.now()
    if (waitMs > 0) setTimeout(leave, waitMs)
    else setImmediate(leave)
    return promise
  }
}

/** `where('id', '=', anyOf(ids))`: one statement text, whatever the number of keys. */
export function inKeys<K>(keys: readonly K[]): RawBuilder<K> {
  return sql<K>`any(${[...keys]})`
}
