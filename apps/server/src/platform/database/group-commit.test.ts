import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { groupCommit, Overloaded } from './group-commit.ts'

/** A flush whose batches the test completes. */
function controlledFlushes() {
  const started: { items: number[]; complete(): void }[] = []
  const flush = (items: number[]) =>
    new Promise<number[]>((resolve) =>
      started.push({ items, complete: () => resolve(items.map((item) => item * 10)) }),
    )
  return { started, flush, items: () => started.map(({ items }) => items) }
}

const nextIteration = () => new Promise((done) => setImmediate(done))

test('a single caller is flushed immediately, later callers share the next flush', async () => {
  const { started, flush, items } = controlledFlushes()
  const group = groupCommit({ flush, max_batch: 100, max_queue: 100 })
  const answers = [group.submit(1)]
  await nextIteration()
  answers.push(group.submit(2))
  await nextIteration()
  answers.push(group.submit(3), group.submit(4))
  await nextIteration()
  assert.deepEqual(items(), [[1], [2]])
  assert.equal(group.queued, 2)
  started[1]?.complete()
  await nextIteration()
  assert.deepEqual(items(), [[1], [2], [3, 4]])
  for (const flush of started) flush.complete()
  assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40])
})

test('callers of the same moment share a flush', async () => {
  const { started, flush, items } = controlledFlushes()
  const group = groupCommit({ flush, max_batch: 3, max_queue: 100 })
  const answers = [1, 2, 3, 4].map((item) => group.submit(item))
  await nextIteration()
  assert.deepEqual(items(), [[1, 2, 3], [4]])
  for (const flush of started) flush.complete()
  assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40])
})

test('a full queue refuses new items and still answers the waiting ones', async () => {
  const { started, flush } = controlledFlushes()
  const group = groupCommit({ flush, max_batch: 1, max_queue: 2 })
  const waiting: Promise<number>[] = []
  for (const item of [1, 2]) {
    waiting.push(group.submit(item))
    await nextIteration()
  }
  waiting.push(group.submit(3), group.submit(4))
  await assert.rejects(group.submit(5), Overloaded)
  while (started.length > 0 || group.queued > 0) {
    started.shift()?.complete()
    await nextIteration()
  }
  assert.deepEqual(await Promise.all(waiting), [10, 20, 30, 40])
})

test('every caller gets its own answer or its own refusal, in any order and number', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(9), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      async (items, maxBatch) => {
        const refused = new Error('refused')
        let flying = 0
        const flush = async (batch: number[]) => {
          assert.ok(++flying <= 2)
          await nextIteration()
          flying--
          return batch.map((item) => (item < 3 ? refused : item))
        }
        const group = groupCommit<number, number>({ flush, max_batch: maxBatch, max_queue: 100 })
        const answers = await Promise.allSettled(items.map((item) => group.submit(item)))
        answers.forEach((answer, index) => {
          const item = items[index] as number
          assert.deepEqual(
            answer,
            item < 3
              ? { status: 'rejected', reason: refused }
              : { status: 'fulfilled', value: item },
          )
        })
      },
    ),
    { numRuns: 30, seed: testSeed() },
  )
})

test('an invalid item fails alone, a lost database fails the whole flush', async () => {
  let flushes = 0
  const flush = async (items: number[]) => {
    flushes++
    if (items.includes(13)) throw Object.assign(new Error('check violated'), { code: '23514' })
    if (items.includes(99))
      throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
    return items
  }
  const group = groupCommit({ flush, max_batch: 10, max_queue: 10 })
  const settled = async (items: number[]) =>
    (await Promise.allSettled(items.map((item) => group.submit(item)))).map(({ status }) => status)
  assert.deepEqual(await settled([1, 13, 2]), ['fulfilled', 'rejected', 'fulfilled'])
  flushes = 0
  assert.deepEqual(await settled([1, 99, 2]), ['rejected', 'rejected', 'rejected'])
  assert.equal(flushes, 1)
})

test('with `second_flush_after_ms`, a second flush starts after the first one has ended or has taken that long', async () => {
  const { started, flush, items } = controlledFlushes()
  const patient = groupCommit({
    flush,
    max_batch: 9,
    max_queue: 9,
    second_flush_after_ms: 1_000_000,
  })
  const answers = [patient.submit(1)]
  await nextIteration()
  answers.push(patient.submit(2))
  await nextIteration()
  answers.push(patient.submit(3))
  await nextIteration()
  assert.deepEqual(items(), [[1]])
  started[0]!.complete()
  await nextIteration()
  assert.deepEqual(items(), [[1], [2, 3]])
  started[1]!.complete()
  assert.deepEqual(await Promise.all(answers), [10, 20, 30])

  const slow = controlledFlushes()
  const hurried = groupCommit({
    flush: slow.flush,
    max_batch: 9,
    max_queue: 9,
    second_flush_after_ms: 1,
  })
  const first = hurried.submit(1)
  await nextIteration()
  const second = hurried.submit(2)
  while (slow.started.length < 2) await nextIteration()
  for (const one of slow.started) one.complete()
  assert.deepEqual(await Promise.all([first, second]), [10, 20])
})
