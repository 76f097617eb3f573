import { deepEqual, doesNotMatch } from 'node:assert/strict'
import { test } from 'node:test'
import { hostileTexts } from '@duet/testkit/hostile/hostile-texts.ts'
import { printedAnswer } from './printed-answer.ts'

test('a text of a user neither steers the terminal nor is lost to a program that reads the answer', () => {
  for (const text of hostileTexts()) {
    const answer = { nick: text, [text]: [text] }
    const printed = printedAnswer(answer)
    doesNotMatch(printed.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\u2028\u2029]/u, text)
    deepEqual(JSON.parse(printed), answer)
  }
})
