import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackEntries } from './back-entries.ts'

/** The states of the history entries above the page, as `pushState` and `back` change them. */
let states: object[]
let entries: ReturnType<typeof createBackEntries>

/** The browser reports a step back later, as an event. */
const pressBack = () => {
  states.pop()
  entries.onPopState()
}

beforeEach(() => {
  states = []
  entries = createBackEntries()
  vi.spyOn(history, 'state', 'get').mockImplementation(() => states.at(-1) ?? null)
  vi.spyOn(history, 'pushState').mockImplementation((state: object) => void states.push(state))
  vi.spyOn(history, 'back').mockImplementation(() => queueMicrotask(pressBack))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function toEntry(name: string, closed: string[]) {
  return { onBack: () => void closed.push(name) }
}

test('Back closes the entry that was added last, and only that one', async () => {
  const closed: string[] = []
  await entries.add(toEntry('call', closed))
  await entries.add(toEntry('dialog', closed))
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
  const dialog = toEntry('dialog', closed)
  await entries.add(dialog)
  expect(states.length).toBe(1)
  await entries.remove(dialog)
  expect(states.length).toBe(0)
  expect(closed).toEqual([])
})

test('a removed entry below another leaves one history entry, which closes the other', async () => {
  const closed: string[] = []
  const sheet = toEntry('sheet', closed)
  await entries.add(sheet)
  await entries.add(toEntry('dialog', closed))
  await entries.remove(sheet)
  expect(states.length).toBe(1)
  pressBack()
  expect(closed).toEqual(['dialog'])
})

test('an entry that is added while a removal steps back is added after the step', async () => {
  const closed: string[] = []
  const first = toEntry('first', closed)
  await entries.add(first)
  const removed = entries.remove(first)
  const added = entries.add(toEntry('second', closed))
  await Promise.all([removed, added])
  expect(states.length).toBe(1)
  pressBack()
  expect(closed).toEqual(['second'])
})

test('two entries that are removed at once leave the history one after the other', async () => {
  const closed: string[] = []
  const [call, sheet, dialog] = ['call', 'sheet', 'dialog'].map((name) => toEntry(name, closed))
  for (const entry of [call!, sheet!, dialog!]) await entries.add(entry)
  await Promise.all([entries.remove(dialog!), entries.remove(sheet!)])
  expect([states.length, closed]).toEqual([1, []])
  pressBack()
  expect(closed).toEqual(['call'])
})

test('an entry that is removed before it was added never enters the history', async () => {
  const entry = toEntry('dialog', [])
  const added = entries.add(entry)
  await entries.remove(entry)
  await added
  expect(states.length).toBe(0)
})

test('adding an entry twice adds one history entry', async () => {
  const entry = toEntry('dialog', [])
  await entries.add(entry)
  await entries.add(entry)
  expect(states.length).toBe(1)
})

test('a page that adds its entry while the browser still reports the Back to it is not closed', async () => {
  const closed: string[] = []
  states.push({}, {})
  // The router renders the page before our listener receives the event.
  states.pop()
  await entries.add(toEntry('call', closed))
  entries.onPopState()
  expect(closed).toEqual([])
  pressBack()
  expect(closed).toEqual(['call'])
})

test('a marked history entry of the page before a reload does not hide the Back to it', async () => {
  const closed: string[] = []
  states.push({ back_depth: 1 })
  await entries.add(toEntry('call', closed))
  pressBack()
  expect(closed).toEqual(['call'])
})

test('after a removal below it an entry above still closes alone', async () => {
  const closed: string[] = []
  const sheet = toEntry('sheet', closed)
  await entries.add(sheet)
  await entries.add(toEntry('dialog', closed))
  await entries.remove(sheet)
  await entries.add(toEntry('menu', closed))
  pressBack()
  expect(closed).toEqual(['menu'])
})

test('a step back moves the page, not a frame in it that has history entries of its own', async () => {
  vi.spyOn(history, 'back').mockImplementation(() => {})
  const settled = Promise.resolve()
  const back = vi.fn(() => {
    queueMicrotask(pressBack)
    return { committed: settled, finished: settled }
  })
  vi.stubGlobal('navigation', { canGoBack: true, back })
  const dialog = toEntry('dialog', [])
  await entries.add(dialog)
  await entries.remove(dialog)
  expect(back).toHaveBeenCalledOnce()
  expect(states).toEqual([])
})

test('a step that the browser never reports lets the next entry be added and removed', async () => {
  vi.useFakeTimers()
  vi.spyOn(history, 'back').mockImplementationOnce(() => {})
  const closed: string[] = []
  const [lost, next] = [toEntry('lost', closed), toEntry('next', closed)]
  await entries.add(lost)
  const removed = entries.remove(lost)
  const added = entries.add(next)
  await vi.advanceTimersByTimeAsync(2_000)
  await Promise.all([removed, added])
  await entries.remove(next)
  expect(closed).toEqual([])
})

test('removing an entry does not undo a navigation that happened meanwhile', async () => {
  const closed: string[] = []
  const call = toEntry('call', closed)
  await entries.add(call)
  // The router opens another page over it.
  history.pushState({ idx: 1 }, '')
  await entries.remove(call)
  expect(states.at(-1)).toEqual({ idx: 1 })
  expect(closed).toEqual([])
})

test('Back from such a page skips the history entry that was left behind, also when the page below adds one again', async () => {
  const closed: string[] = []
  const call = toEntry('call', closed)
  history.pushState({ idx: 0 }, '')
  await entries.add(call)
  history.pushState({ idx: 1 }, '')
  await entries.remove(call)
  pressBack()
  await entries.add(call)
  expect(states).toEqual([{ idx: 0 }, { idx: 0, back_depth: 1 }])
  pressBack()
  expect(closed).toEqual(['call'])
  expect(states).toEqual([{ idx: 0 }])
})

test('Back to the page of before a reload asks there, and the next step leaves it', async () => {
  const closed: string[] = []
  states.push({ idx: 0 }, { idx: 0, back_depth: 1 })
  await entries.add(toEntry('call', closed))
  expect(states).toEqual([{ idx: 0 }, { idx: 0, back_depth: 1 }])
  pressBack()
  expect([closed, states]).toEqual([['call'], [{ idx: 0 }]])
})
