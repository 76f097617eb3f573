import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { batchedRead } from './batched-read.ts'
import type { Db } from '../../../core/db.ts'

const pool = { isTransaction: false } as Db
const transaction = { isTransaction: true } as Db

/** Reads that the test completes. */
function controlledReads() {
  const started: { db: Db; keys: readonly number[]; answer(): void }[] = []
  const read = batchedRead<number, string>(
    (db, keys) =>
      new Promise((resolve) => {
        const found = new Map(keys.filter((key) => key > 0).map((key) => [key, `row ${key}`]))
        started.push({ db: db, keys, answer: () => resolve(found) })
      }),
  )
  return { started, read, keys: () => started.map(({ keys }) => keys) }
}

const nextIteration = () => new Promise((done) => setImmediate(done))

test('callers that arrive while statements run share the next one, and each gets its own row', async () => {
  const { started, read, keys } = controlledReads()
  const first = [read(pool, 1)]
  await nextIteration()
  first.push(read(pool, 2))
  await nextIteration()
  const concurrent = [read(pool, 3), read(pool, 4), read(pool, 3), read(pool, -1)]
  await nextIteration()
  deepEqual(keys(), [[1], [2]])
  started[0]!.answer()
  await nextIteration()
  deepEqual(keys(), [[1], [2], [3, 4, -1]])
  for (const one of started) one.answer()
  deepEqual(await Promise.all(first), ['row 1', 'row 2'])
  deepEqual(await Promise.all(concurrent), ['row 3', 'row 4', 'row 3', undefined])
})

test('a caller is never answered by a statement that began before its call', async () => {
  const { started, read, keys } = controlledReads()
  const before = read(pool, 1)
  await nextIteration()
  const after = read(pool, 1)
  await nextIteration()
  deepEqual(keys(), [[1], [1]])
  for (const one of started) one.answer()
  deepEqual(await Promise.all([before, after]), ['row 1', 'row 1'])
})

test('inside a transaction the read runs there, without sharing and without a delay', async () => {
  const { started, read } = controlledReads()
  const one = read(transaction, 1)
  const other = read(transaction, 2)
  equal(started.length, 2)
  equal(
    started.every(({ db }) => db === transaction),
    true,
  )
  for (const { answer } of started) answer()
  deepEqual(await Promise.all([one, other]), ['row 1', 'row 2'])
})
