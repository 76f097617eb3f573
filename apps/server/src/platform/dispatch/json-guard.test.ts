import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isModest, nulIn } from './json-guard.ts'

const nested = (depth: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const keyed = (keys: number) =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]))

test('accepts twelve levels of nesting and rejects thirteen', () => {
  equal(isModest(nested(12)), true)
  equal(isModest(nested(13)), false)
  equal(isModest(JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)), false)
})

test('accepts 1,000 keys and array elements in all, at any depth', () => {
  equal(isModest(keyed(1000)), true)
  equal(isModest(keyed(1001)), false)
  equal(isModest({ a: keyed(500), b: keyed(499) }), false)
  equal(isModest({ a: Array(998).fill('') }), true)
  equal(isModest({ a: Array(21_000).fill('') }), false)
  equal(isModest({ user_ids: Array(16_000).fill([]) }), false)
  equal(isModest({ a: Array(499).fill([0]) }), true)
  equal(isModest({ a: Array(500).fill([0]) }), false)
})

test('removes a key that would replace the prototype', () => {
  const value = JSON.parse('{"a":{"__proto__":{"poisoned":true}}}') as { a: object }
  equal(isModest(value), true)
  equal(Object.hasOwn(value.a, '__proto__'), false)
})

test('finds a NUL at any depth', () => {
  equal(nulIn({ data: { texts: ['good', 'b\0d'] } }), 'data.texts.1')
  equal(nulIn({ data: ['good', 1, null, undefined, 0n] }), undefined)
})
