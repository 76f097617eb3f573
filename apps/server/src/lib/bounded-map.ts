/**
 * Makes an entry the newest entry. Above `entriesMax` the oldest entry is dropped: a flood of new keys must
 * not make the server's memory grow.
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
