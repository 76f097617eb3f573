import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isModest, nulIn } from './json-guard.ts'

const nested = (depth: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const keyed = (keys: number) =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]))

test('twelve levels are enough for every call, thirteen are a bomb', () => {
  equal(isModest(nested(12)), true)
  equal(isModest(nested(13)), false)
  equal(isModest(JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)), false)
})

test('256 keys in all, wherever they are', () => {
  equal(isModest(keyed(256)), true)
  equal(isModest(keyed(257)), false)
  equal(isModest({ a: keyed(128), b: keyed(127) }), false)
})

test('a key that is a prototype is taken out', () => {
  const value = JSON.parse('{"a":{"__proto__":{"poisoned":true}}}') as { a: object }
  equal(isModest(value), true)
  equal(Object.hasOwn(value.a, '__proto__'), false)
})

test('a NUL is found wherever it hides', () => {
  equal(nulIn({ data: { texts: ['good', 'b\0d'] } }), 'data.texts.1')
  equal(nulIn({ data: ['good', 1, null, undefined, 0n] }), undefined)
})
