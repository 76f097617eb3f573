/**
 * Makes an entry the newest one. Above `entriesMax` the oldest one is dropped: a flood of new keys can make the server
 * forget, never make it grow.
 */
export function setNewest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  entriesMax: number,
): void {
  // A Map keeps the order of insertion.
  map.delete(key)
  map.set(key, value)
  if (map.size > entriesMax) map.delete(map.keys().next().value!)
}
