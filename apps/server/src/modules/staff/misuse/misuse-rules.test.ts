import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { mostItems } from './misuse-rules.ts'

const CASES: readonly [string, readonly [number, string][], number][] = [
  ['no look', [], 0],
  [
    'pages of one dialog are one item',
    [
      [0, 'a'],
      [1, 'a'],
      [2, 'a'],
    ],
    1,
  ],
  [
    'different items within the window',
    [
      [0, 'a'],
      [5, 'b'],
      [9, 'c'],
    ],
    3,
  ],
  [
    'a look one window earlier does not count',
    [
      [0, 'a'],
      [10, 'b'],
      [11, 'c'],
    ],
    2,
  ],
  [
    'the fullest window counts, not the last',
    [
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
      [40, 'd'],
    ],
    3,
  ],
  [
    'an item that was seen twice leaves with its last look',
    [
      [0, 'a'],
      [8, 'a'],
      [12, 'b'],
    ],
    2,
  ],
]

for (const [name, looks, most] of CASES)
  test(name, () => {
    equal(
      mostItems(
        looks.map(([at_ms, item]) => ({ at_ms, item })),
        10,
      ),
      most,
    )
  })
