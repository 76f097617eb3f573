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

test('accepts 256 keys in all, at any depth', () => {
  equal(isModest(keyed(256)), true)
  equal(isModest(keyed(257)), false)
  equal(isModest({ a: keyed(128), b: keyed(127) }), false)
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
