import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Action, ContractSchema, Endpoint, Event } from './kernel/contract.ts'
import { limits } from './kernel/limits.ts'
import { notes, boundedText, withKeysUpTo } from './kernel/primitives.ts'
import { signalSent } from './index.ts'
import { actions, endpoints } from './wire.ts'

/** Every schema that a client fills, by the name of its request. */
const requests: [string, ContractSchema][] = [
  ...Object.values<Action>(actions).map((call): [string, ContractSchema] => [call.name, call.data]),
  ...Object.values<Event>(signalSent).map((signal): [string, ContractSchema] => [
    `signal ${signal.name}`,
    signal.payload,
  ]),
  ...Object.entries<Endpoint>(endpoints).flatMap(([name, call]): [string, ContractSchema][] => [
    [`${name} query`, call.query],
    [`${name} body`, call.body],
  ]),
]

interface JsonPart {
  readonly [key: string]: unknown
}

/** A pattern of fixed length: no repetition without an upper bound. */
function isBoundedPattern(pattern: unknown): boolean {
  return (
    typeof pattern === 'string' &&
    !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\.|\[(?:[^\]\\]|\\.)*\]/g, 'x'))
  )
}

/** Formats that zod checks by a pattern with a fixed length. */
const FIXED_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'email'])

/** The paths of arrays, texts and objects with keys of the sender whose size the schema does not limit. */
function unbounded(part: JsonPart, path: string): string[] {
  if ('enum' in part || 'const' in part || '$ref' in part) return []
  const found: string[] = []
  if (part.type === 'array' && part.maxItems === undefined) found.push(`${path}[]`)
  if (part.additionalProperties !== undefined && part.maxProperties === undefined)
    found.push(`${path}{}`)
  if (
    part.type === 'string' &&
    part.maxLength === undefined &&
    !FIXED_FORMATS.has(part.format) &&
    !isBoundedPattern(part.pattern)
  )
    found.push(path)
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== 'object' || value === null) continue
    found.push(...unbounded(value as JsonPart, `${path}.${key}`))
  }
  return found
}

function json(schema: ContractSchema): JsonPart {
  return z.toJSONSchema(schema, {
    metadata: notes,
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonPart
}

test('every list, text and object with chosen keys of a request has an upper bound', () => {
  const found = requests.flatMap(([name, schema]) => unbounded(json(schema), name))
  deepEqual(found, [])
})

test('an unbounded schema is found', () => {
  const open = z.object({ a: z.string(), b: z.array(z.int()), c: z.string().regex(/^\d+$/) })
  deepEqual(unbounded(json(open), 'x'), ['x.properties.a', 'x.properties.b[]', 'x.properties.c'])
  deepEqual(unbounded(json(z.object({ a: z.string().max(3), b: z.uuid() })), 'x'), [])
  const chosen = z.object({ a: z.record(z.uuid(), z.int()), b: z.looseObject({}) })
  deepEqual(unbounded(json(chosen), 'x'), ['x.properties.a{}', 'x.properties.b{}'])
})

test('an object with too many keys is refused before one of them is looked at', () => {
  const looked: string[] = []
  const key = z.string().refine((name) => looked.push(name) > 0)
  const schema = withKeysUpTo(2, z.record(key, z.int()))
  deepEqual(schema.parse({ a: 1, b: 2 }), { a: 1, b: 2 })
  deepEqual(looked.splice(0), ['a', 'b'])
  const { error } = schema.safeParse({ a: 1, b: 2, c: 3 })
  equal(error?.issues[0]?.message, 'At most 2 keys')
  deepEqual(looked, [])
  equal(schema.safeParse(null).success, false)
})

test('a text with long runs of marks is refused before it is normalised', () => {
  const text = boundedText(limits.ticket_characters)
  const marks = '\u0315\u0300'
  equal(text.safeParse(`a${marks.repeat(limits.marks_in_a_row / 2)}`).success, true)
  const { error } = text.safeParse(`a${marks.repeat(limits.marks_in_a_row)}`)
  ok(error?.issues[0]?.message.includes('marks'))
  equal(error?.issues.length, 1, 'the text is not counted, because counting normalises it')
})

test('a text that is needed has characters that can be seen', () => {
  const needed = boundedText(8, 1)
  for (const blank of ['', ' ', '\n\t', '\u00a0', '\u200b', '\u2800', '\u3164', ' \u2060 '])
    equal(needed.safeParse(blank).success, false, JSON.stringify(blank))
  for (const text of ['x', ' x ', '\u{1f600}', '\u2764\ufe0f']) equal(needed.parse(text), text)
  equal(boundedText(8, 2).safeParse(' x ').success, false)
  equal(boundedText(8).parse(' '), ' ')
})

test('half of a surrogate pair is repaired, and the text is not lost', () => {
  equal(boundedText(8).parse('half \ud83d'), 'half \ufffd')
  equal(boundedText(8).parse('one \u{1f600}'), 'one \u{1f600}')
})
