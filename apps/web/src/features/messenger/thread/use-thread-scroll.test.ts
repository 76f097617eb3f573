import { expect, test } from 'vitest'
import type { ThreadItem } from './thread-items.ts'
import { isAtNewest, lastOwnKey } from './use-thread-scroll.ts'

test.each([
  ['at the very end', 600, true],
  ['a line above the end', 530, true],
  ['further up', 500, false],
])('a reader %s: newer messages are followed or not', (_, offset, isFollowed) => {
  expect(isAtNewest({ offset, scrollSize: 1000, viewportSize: 400 })).toBe(isFollowed)
})

test('a thread shorter than its window is at its end', () => {
  expect(isAtNewest({ offset: 0, scrollSize: 300, viewportSize: 400 })).toBe(true)
})

const row = (key: string, isOwn: boolean) => ({ kind: 'message', key, is_own: isOwn }) as ThreadItem

test('an own message moves to the end, one of the interlocutor does not', () => {
  const before = [row('a', true), row('b', false)]
  expect(lastOwnKey([...before, row('c', false)])).toBe(lastOwnKey(before))
  expect(lastOwnKey([...before, { kind: 'unsent', key: 'd' } as ThreadItem])).toBe('d')
})
