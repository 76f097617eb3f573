import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { decideOnFrames, isMissing } from './frame-rules.ts'

const cases = [
  ['no judged frame', [], false, 'none'],
  ['a frame below the score', [0.91], false, 'none'],
  ['the first frame at the score', [0.92], false, 'warn'],
  ['a call that has just been warned', [0.95], true, 'none'],
  ['two frames in a row after the warning', [0.95, 0.93], true, 'none'],
  ['three frames in a row', [0.95, 0.93, 0.92], true, 'end'],
  ['three frames that a calm frame interrupts', [0.99, 0.1, 0.99], true, 'none'],
  ['a calm frame after three', [0.1, 0.99, 0.99], true, 'none'],
  ['three frames without a warning: the warning is first', [0.95, 0.93, 0.92], false, 'warn'],
] as const

for (const [name, scores, is_warned, decision] of cases)
  test(`${name}: ${decision}`, () => {
    equal(decideOnFrames({ scores, is_warned }, 0.92), decision)
  })

test('a few lost frames are not recorded, many are', () => {
  for (const [asked, received, expected] of [
    [0, 0, false],
    [3, 0, false],
    [4, 0, true],
    [30, 27, false],
    [30, 26, true],
  ] as const)
    equal(isMissing({ asked, received }), expected, `${received} of ${asked}`)
})
