import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { batchedRead } from './batched-read.ts'
import type { Db } from '../../core/db.ts'

const pool = { isTransaction: false } as Db
const transaction = { isTransaction: true } as Db

/** Reads that answer when the test says so. */
function reads() {
  const asked: { reader: Db; keys: readonly number[]; answer(): void }[] = []
  const read = batchedRead<number, string>(
    (db, keys) =>
      new Promise((resolve) => {
        const found = new Map(keys.filter((key) => key > 0).map((key) => [key, `row ${key}`]))
        asked.push({ reader: db, keys, answer: () => resolve(found) })
      }),
  )
  return { asked, read, keys: () => asked.map(({ keys }) => keys) }
}

const turn = () => new Promise((done) => setImmediate(done))

test('whoever asks while statements are under way shares the next one, and each gets his own', async () => {
  const { asked, read, keys } = reads()
  const first = [read(pool, 1)]
  await turn()
  first.push(read(pool, 2))
  await turn()
  const crowd = [read(pool, 3), read(pool, 4), read(pool, 3), read(pool, -1)]
  await turn()
  deepEqual(keys(), [[1], [2]])
  asked[0]!.answer()
  await turn()
  deepEqual(keys(), [[1], [2], [3, 4, -1]])
  for (const one of asked) one.answer()
  deepEqual(await Promise.all(first), ['row 1', 'row 2'])
  deepEqual(await Promise.all(crowd), ['row 3', 'row 4', 'row 3', undefined])
})

test('nobody is answered by a statement that began before he asked', async () => {
  const { asked, read, keys } = reads()
  const before = read(pool, 1)
  await turn()
  const after = read(pool, 1)
  await turn()
  deepEqual(keys(), [[1], [1]])
  for (const one of asked) one.answer()
  deepEqual(await Promise.all([before, after]), ['row 1', 'row 1'])
})

test('inside a transaction the question is asked there, alone and at once', async () => {
  const { asked, read } = reads()
  const one = read(transaction, 1)
  const other = read(transaction, 2)
  equal(asked.length, 2)
  equal(
    asked.every(({ reader }) => reader === transaction),
    true,
  )
  for (const { answer } of asked) answer()
  deepEqual(await Promise.all([one, other]), ['row 1', 'row 2'])
})
