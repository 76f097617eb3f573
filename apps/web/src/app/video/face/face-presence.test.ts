import { expect, test } from 'vitest'
import { isFace } from './face-size.ts'
import { createFacePresence, type PresenceReport } from './face-presence.ts'

/** The reports when a picture every two seconds shows a face (x) or none (.); `|` is the end of a search. */
function reported(pictures: string): PresenceReport[] {
  const said: PresenceReport[] = []
  const presence = createFacePresence(20_000, (report) => said.push(report))
  let nowMs = 1000
  for (const picture of pictures) {
    if (picture === '|') presence.reset()
    else presence.saw(picture === 'x', nowMs)
    nowMs += 2000
  }
  return said
}

const gone = (since_ms: number) => ({ present: false, since_ms })

test.each([
  ['nothing while a face is seen', 'x'.repeat(30), []],
  ['nothing before 20 seconds are over', `x${'.'.repeat(10)}x`, []],
  [
    'an absence after 20 seconds, and the return',
    `x${'.'.repeat(11)}x`,
    [gone(20_000), { present: true, since_ms: 0 }],
  ],
  ['a longer absence again', '.'.repeat(21), [gone(20_000), gone(40_000)]],
  ['nothing when a face is seen in between', `${'.'.repeat(9)}x${'.'.repeat(9)}`, []],
  ['nothing across two searches', `${'.'.repeat(9)}|${'.'.repeat(9)}`, []],
])('reports %s', (_, pictures, expected) => {
  expect(reported(pictures)).toEqual(expected)
})

test.each([
  ['a drawn portrait', { score: 0.78, width: 0.64 }, true],
  ['a face in the dark', { score: 0.35, width: 0.3 }, true],
  ['a face at the other end of the room', { score: 0.8, width: 0.08 }, true],
  ["a test picture's clock", { score: 0.59, width: 0.1 }, false],
  ["a test picture's edge", { score: 0.24, width: 0.13 }, false],
])('%s', (_, found, expected) => {
  expect(isFace(found)).toBe(expected)
})
