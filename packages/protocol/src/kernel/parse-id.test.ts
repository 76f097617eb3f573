import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { parseId } from './parse-id.ts'

test('reads every id up to the largest, and nothing else', () => {
  equal(parseId('12'), 12)
  equal(parseId('8856030171023751'), 8_856_030_171_023_751)
  for (const text of ['', '0', '-1', '1.5', '1e3', ' 12', '9999999999999999', '12345678901234567'])
    equal(parseId(text), undefined, text)
})
