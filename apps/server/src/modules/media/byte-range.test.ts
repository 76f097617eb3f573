import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { parseRange } from './byte-range.ts'

test('a range is cut to the file and to a megabyte', () => {
  const megabyte = 1024 * 1024
  for (const [header, size, range] of [
    ['bytes=0-', 100, { start: 0, end: 99 }],
    ['bytes=10-19', 100, { start: 10, end: 19 }],
    ['bytes=-5', 100, { start: 95, end: 99 }],
    ['bytes=-500', 100, { start: 0, end: 99 }],
    ['bytes=90-500', 100, { start: 90, end: 99 }],
    ['bytes=0-', 5 * megabyte, { start: 0, end: megabyte - 1 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    ['bytes=20-10', 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    [undefined, 100, undefined],
    ['bytes=-', 100, undefined],
    ['bytes=0-1,5-6', 100, undefined],
    ['lines=0-1', 100, undefined],
    ['bytes=1e3-', 100, undefined],
  ] as const)
    deepEqual(parseRange(header, size), range, String(header))
})
