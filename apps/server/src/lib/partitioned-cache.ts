import { LRUCache } from 'lru-cache'

interface Entry<Value> {
  readonly value: Value
}

/**
 * A cache whose values belong to partitions. Each partition has its own limit. A full partition drops its
 * least recently read value, never a value of another partition. So a client that can create many values of
 * one partition cannot evict the values of others. `undefined` is a value like any other.
 */
export interface PartitionedCache<Key extends string | number, Value> {
  get(key: Key): Entry<Value> | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

export function createPartitionedCache<
  Key extends string | number,
  Value,
  Partition extends string,
>({
  entries_max,
  partitionOf,
}: {
  readonly entries_max: Readonly<Record<Partition, number>>
  readonly partitionOf: (value: Value) => Partition
}): PartitionedCache<Key, Value> {
  const caches = new Map<string, LRUCache<Key, Entry<Value>>>()
  for (const partition in entries_max)
    caches.set(partition, new LRUCache({ max: entries_max[partition] }))

  function remove(key: Key): void {
    for (const cache of caches.values()) cache.delete(key)
  }
  return {
    get(key) {
      for (const cache of caches.values()) {
        const entry = cache.get(key)
        if (entry) return entry
      }
      return undefined
    },
    set(key, value) {
      remove(key)
      caches.get(partitionOf(value))!.set(key, { value })
    },
    delete: remove,
  }
}
