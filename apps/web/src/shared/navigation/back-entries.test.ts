import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackEntries } from './back-entries.ts'

/** The number of history entries above the page, as `pushState` and `back` change it. */
let depth: number
let entries: ReturnType<typeof createBackEntries>

/** The browser reports a step back later, as an event. */
const pressBack = () => {
  depth -= 1
  entries.onPopState()
}

beforeEach(() => {
  depth = 0
  entries = createBackEntries()
  vi.spyOn(history, 'pushState').mockImplementation(() => void (depth += 1))
  vi.spyOn(history, 'back').mockImplementation(() => queueMicrotask(pressBack))
})
afterEach(() => vi.restoreAllMocks())

function entryOf(name: string, closed: string[]) {
  return { onBack: () => void closed.push(name) }
}

test('Back closes the entry that was added last, and only that one', async () => {
  const closed: string[] = []
  await entries.add(entryOf('call', closed))
  await entries.add(entryOf('dialog', closed))
  pressBack()
  expect(closed).toEqual(['dialog'])
  pressBack()
  expect(closed).toEqual(['dialog', 'call'])
})

test('Back without an entry closes nothing', () => {
  expect(() => entries.onPopState()).not.toThrow()
})

test('an entry that closed in another way leaves the history and is not closed again', async () => {
  const closed: string[] = []
  const dialog = entryOf('dialog', closed)
  await entries.add(dialog)
  expect(depth).toBe(1)
  await entries.remove(dialog)
  expect(depth).toBe(0)
  expect(closed).toEqual([])
})

test('a removed entry below another leaves one history entry, which closes the other', async () => {
  const closed: string[] = []
  const sheet = entryOf('sheet', closed)
  await entries.add(sheet)
  await entries.add(entryOf('dialog', closed))
  await entries.remove(sheet)
  expect(depth).toBe(1)
  pressBack()
  expect(closed).toEqual(['dialog'])
})

test('an entry that is added while a removal steps back is added after the step', async () => {
  const closed: string[] = []
  const first = entryOf('first', closed)
  await entries.add(first)
  const removed = entries.remove(first)
  const added = entries.add(entryOf('second', closed))
  await Promise.all([removed, added])
  expect(depth).toBe(1)
  pressBack()
  expect(closed).toEqual(['second'])
})

test('two entries that are removed at once leave the history one after the other', async () => {
  const closed: string[] = []
  const [call, sheet, dialog] = ['call', 'sheet', 'dialog'].map((name) => entryOf(name, closed))
  for (const entry of [call!, sheet!, dialog!]) await entries.add(entry)
  await Promise.all([entries.remove(dialog!), entries.remove(sheet!)])
  expect([depth, closed]).toEqual([1, []])
  pressBack()
  expect(closed).toEqual(['call'])
})

test('an entry that is removed before it was added never enters the history', async () => {
  const entry = entryOf('dialog', [])
  const added = entries.add(entry)
  await entries.remove(entry)
  await added
  expect(depth).toBe(0)
})

test('adding an entry twice adds one history entry', async () => {
  const entry = entryOf('dialog', [])
  await entries.add(entry)
  await entries.add(entry)
  expect(depth).toBe(1)
})
