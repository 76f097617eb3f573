import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore } from './semaphore.ts'

test('runs up to the limit at once, in the order of the requests, and bounds the queue', async () => {
  const turns = createSemaphore({ at_once: 2, waiting_max: 3 })
  const began: number[] = []
  const ends: (() => void)[] = []
  const taken = Array.from({ length: 7 }, (_, index) =>
    turns.run(async () => {
      began.push(index)
      await new Promise<void>((end) => ends.push(end))
      return index
    }),
  )
  deepEqual(
    taken.map((one) => one === undefined),
    [false, false, false, false, false, true, true],
  )
  deepEqual(began, [0, 1])
  for (let ended = 0; ended < 5; ended += 1) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve))
    ends.shift()!()
  }
  deepEqual(await Promise.all(taken.flatMap((one) => one ?? [])), [0, 1, 2, 3, 4])
  deepEqual(began, [0, 1, 2, 3, 4])
})

test('work that fails releases its place', async () => {
  const turns = createSemaphore({ at_once: 1, waiting_max: 0 })
  await turns.run(() => Promise.reject(new Error('no')))!.catch(() => {})
  equal(await turns.run(async () => 'next'), 'next')
})

test('owners take turns, and one owner may fill only a part of the queue', async () => {
  const turns = createSemaphore({ at_once: 1, waiting_max: 5, waiting_owner_max: 3 })
  const began: string[] = []
  const ends: (() => void)[] = []
  const request = (owner: number | undefined, name: string) =>
    turns.run(async () => {
      began.push(name)
      await new Promise<void>((end) => ends.push(end))
    }, owner)
  const taken = [
    ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => request(1, name)),
    ...['b1'].map((name) => request(2, name)),
    ...['s1', 's2'].map((name) => request(undefined, name)),
  ]
  deepEqual(
    taken.map((one) => one === undefined),
    [false, false, false, false, true, false, false, true],
  )
  for (let ended = 0; ended < 6; ended += 1) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve))
    ends.shift()!()
  }
  await Promise.all(taken.flatMap((one) => one ?? []))
  deepEqual(began, ['a1', 'a2', 'b1', 's1', 'a3', 'a4'])
})

test('the owners of one group wait together up to a bound, and others beside them', async () => {
  const turns = createSemaphore({ at_once: 1, waiting_max: 9, waiting_group_max: 2 })
  const opened = Promise.withResolvers<void>()
  const work = () => opened.promise
  const running = [
    turns.run(work, 1, 'home'),
    turns.run(work, 2, 'home'),
    turns.run(work, 3, 'home'),
  ]
  equal(turns.run(work, 4, 'home'), undefined)
  running.push(turns.run(work, 4, 'office'))
  opened.resolve()
  await Promise.all(running.map(async (one) => one))
  const again = Promise.withResolvers<void>()
  const later = [5, 6, 7].map((owner) => turns.run(() => again.promise, owner, 'home'))
  equal(later.includes(undefined), false)
  again.resolve()
  await Promise.all(later.map(async (one) => one))
})

test('an owner has its own number of places at most, and leaves the others free', async () => {
  const turns = createSemaphore({ at_once: 3, at_once_owner: 2, waiting_max: 9 })
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const request = (owner: number, name: string) =>
    turns.run(async () => {
      began.push(name)
      await new Promise<void>((end) => ends.set(name, end))
    }, owner)
  const taken = [request(1, 'a1'), request(1, 'a2'), request(1, 'a3'), request(2, 'b1')]
  taken.push(request(2, 'b2'))
  deepEqual(began, ['a1', 'a2', 'b1'])
  for (const name of ['b1', 'a1', 'a2', 'b2', 'a3']) {
    while (!ends.has(name)) await new Promise((resolve) => setImmediate(resolve))
    ends.get(name)!()
  }
  await Promise.all(taken.flatMap((one) => one ?? []))
  deepEqual(began, ['a1', 'a2', 'b1', 'b2', 'a3'])
})
