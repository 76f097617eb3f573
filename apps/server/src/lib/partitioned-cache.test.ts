import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createPartitionedCache } from './partitioned-cache.ts'

type Row = { readonly role: 'girl' | null } | undefined
const girl: Row = { role: 'girl' }
const guest: Row = { role: null }

function freshCache() {
  return createPartitionedCache<number, Row, 'members' | 'others'>({
    entries_max: { members: 3, others: 2 },
    partitionOf: (row) => (row?.role ? 'members' : 'others'),
  })
}

test('any number of guests and unknown ids push no member out', () => {
  const cache = freshCache()
  for (const id of [1, 2, 3]) cache.set(id, girl)
  for (let id = 100; id < 1_000; id += 1) cache.set(id, id % 2 ? guest : undefined)
  deepEqual(
    [1, 2, 3].map((id) => cache.get(id)?.value),
    [girl, girl, girl],
  )
  deepEqual(
    [997, 998, 999].map((id) => cache.get(id)),
    [undefined, { value: undefined }, { value: guest }],
  )
})

test('a full partition drops the value that was not read for the longest time', () => {
  const cache = freshCache()
  for (const id of [1, 2, 3]) cache.set(id, girl)
  cache.get(1)
  cache.set(4, girl)
  deepEqual(
    [1, 2, 3, 4].map((id) => cache.get(id) !== undefined),
    [true, false, true, true],
  )
})

test('a guest who becomes a member changes the partition', () => {
  const cache = freshCache()
  cache.set(1, guest)
  cache.set(1, girl)
  for (let id = 100; id < 110; id += 1) cache.set(id, guest)
  equal(cache.get(1)?.value, girl)
  cache.delete(1)
  equal(cache.get(1), undefined)
})
