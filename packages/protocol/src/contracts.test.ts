import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Action, Endpoint, Event, ContractSchema } from './kernel/contract.ts'
import { createExample } from './reference/example.ts'
import { errorEvent, everyCall, refusals, signalHeard, signalSent } from './index.ts'
import { type JsonSchema, getJsonSchema, namedSchemas } from './reference/schema-reference.ts'
import { actions, endpoints, events, wire } from './wire.ts'

const allActions = Object.entries<Action>(actions)
const allEvents = Object.entries<Event>(events)
const allEndpoints = Object.entries<Endpoint>(endpoints)
const calls: (Action | Endpoint)[] = [
  ...allActions.map(([, call]) => call),
  ...allEndpoints.map(([, call]) => call),
]
const signals = [...Object.values<Event>(signalSent), ...Object.values<Event>(signalHeard)]

const schemas: [string, ContractSchema][] = [
  ...allActions.flatMap(([name, { data, ack }]): [string, ContractSchema][] => [
    [`${name} data`, data],
    [`${name} ack`, ack],
  ]),
  ...allEvents.map(([name, { payload }]): [string, ContractSchema] => [name, payload]),
  ...signals.map(({ name, payload }): [string, ContractSchema] => [`signal ${name}`, payload]),
  ...allEndpoints.flatMap(([name, { query, body, data }]): [string, ContractSchema][] => [
    [`${name} query`, query],
    [`${name} body`, body],
    [`${name} answer`, data],
  ]),
]

test('every action, event and endpoint is listed once, under its own name', () => {
  for (const [key, { name }] of [...allActions, ...allEvents]) equal(key, name)
  for (const [key, { method, path }] of allEndpoints) equal(key, `${method} ${path}`)
  const listed = Object.values(wire).flatMap((module) => [
    ...Object.keys(module.actions),
    ...Object.keys(module.events).map((name) => `event ${name}`),
    ...Object.keys(module.endpoints),
  ])
  equal(new Set(listed).size, listed.length)
})

test('no name or alias belongs to two actions', () => {
  const names = allActions.flatMap(([name, { method, aliases = [] }]) => [name, method, ...aliases])
  equal(new Set(names).size, names.length)
})

test('every call has a sentence as its summary, and lists each refusal once', () => {
  for (const { summary } of [...calls, ...allEvents.map(([, event]) => event), ...signals])
    match(summary, /^[A-Z].*[.;?]$/s)
  for (const { refuses, summary } of calls) equal(new Set(refuses).size, refuses.length, summary)
})

test('an action that reads or writes many rows has a rate of its own', () => {
  for (const name of [
    'MATCH_AWAIT',
    'OUT_FROM_SEARCH',
    'SEARCH_PAIR_ACCEPT',
    'SEARCH_PAIR_REJECT',
    'SUBSCRIBE',
    'GET_CHANGES',
  ] as const)
    ok((actions[name] as Action).rate, name)
})

test('every refusal is given by a call', () => {
  const given = new Set<string>([...everyCall, ...calls.flatMap(({ refuses }) => refuses)])
  deepEqual(
    Object.keys(refusals).filter((name) => !given.has(name)),
    [],
  )
})

test('exactly the events that a user must receive after being away are durable', () => {
  const durable = allEvents.filter(([, event]) => event.durable).map(([name]) => name)
  deepEqual(durable.toSorted(), [
    'add_favourite_success',
    'added_your_favorites',
    'banned',
    'close_session',
    'date_update',
    'dialog_update',
    'give_gift_success',
    'got_gift',
    'messenger_message',
    'messenger_message_removed',
    'messenger_read_message',
    'new_balance_info',
    'notice',
    'notices_read',
    'pay_success',
    'penalty',
    'refill_balance',
    'remove_favourite_success',
    'statement',
    'unbanned',
  ])
})

test('a durable payload carries its place in the change log, a transient one does not', () => {
  for (const [name, { payload, durable }] of allEvents) {
    equal('change_id' in (getJsonSchema(payload).properties ?? {}), durable, name)
  }
  deepEqual(events.unbanned.payload.parse({ change_id: 7 }), { change_id: 7 })
})

test('the example of every schema is accepted by it, with all fields and with only the required ones', () => {
  for (const [name, schema] of schemas) {
    for (const fields of ['all', 'required'] as const) {
      const { success, error } = schema.safeParse(createExample(schema, fields))
      ok(success, `${name}, ${fields} fields: ${error?.message}`)
    }
  }
})

test('unknown fields are dropped, never stored', () => {
  for (const [name, schema] of schemas.filter(([what]) => !/ (ack|answer)$/.test(what))) {
    const example = createExample(schema, 'required')
    if (typeof example !== 'object' || example === null || Array.isArray(example)) continue
    const parsed = schema.parse({ ...example, is_admin: true }) as object
    ok(!('is_admin' in parsed), name)
  }
})

test('no event carries a fraction: amounts are text, counts are integers', () => {
  const components = namedSchemas()
  for (const { name, payload } of [...allEvents.map(([, event]) => event), ...signals]) {
    ok(!hasFraction(getJsonSchema(payload), components, new Set()), name)
  }
})

function hasFraction(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  seen: Set<string>,
): boolean {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    if (seen.has(name)) return false
    return hasFraction(components[name] ?? {}, components, seen.add(name))
  }
  const words = schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  if (words) return words.some((word) => typeof word === 'number' && !Number.isInteger(word))
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...Object.values(schema.properties ?? {}),
  ]
  if (schema.items) inner.push(schema.items)
  if (typeof schema.additionalProperties === 'object') inner.push(schema.additionalProperties)
  return (
    [schema.type].flat().includes('number') ||
    inner.some((part) => hasFraction(part, components, seen))
  )
}

test('every path parameter is a field of the query, and two calls never share an address', () => {
  for (const [name, { path, query }] of allEndpoints) {
    const fields = Object.keys(getJsonSchema(query).properties ?? {})
    for (const [, parameter] of path.matchAll(/\{(\w+)\}/g))
      ok(fields.includes(parameter ?? ''), name)
  }
  const addresses = allEndpoints.map(
    ([, { method, path }]) => `${method} ${path.toLowerCase().replaceAll(/\{\w+\}/g, '{}')}`,
  )
  equal(new Set(addresses).size, addresses.length)
})

test('only a POST moves money, and a GET has no body', () => {
  for (const [name, { method, body, idempotent, files, takes, upload }] of allEndpoints) {
    if (idempotent) equal(method, 'POST', name)
    if (method === 'GET') deepEqual(getJsonSchema(body).properties, {}, name)
    equal(files !== undefined, takes === 'multipart', name)
    equal(upload !== undefined, takes === 'multipart', name)
  }
})

test('a query arrives as text and leaves as numbers and flags', () => {
  const query = endpoints['GET girls'].query.parse({
    page: '2',
    'per-page': '50',
    offline: '1',
    top: 'false',
  })
  deepEqual(query, { page: 2, 'per-page': 50, offline: true, top: false, sort: 'best' })
  for (const bad of [
    { page: '0' },
    { page: 'NaN' },
    { page: '1e9' },
    { 'per-page': '51' },
    { page: '1.5' },
    { offline: 'maybe' },
  ]) {
    ok(!endpoints['GET girls'].query.safeParse(bad).success, JSON.stringify(bad))
  }
})

test('a field with a refusal of its own passes the schema, so that the handler refuses by name', () => {
  const { success } = actions.UPDATE_PROFILE.data.safeParse({
    nick: 'a',
    email: 'no',
    password: '1',
    birthday: 'x',
    about: 'b'.repeat(2001),
  })
  ok(success)
})

test('a text is counted in characters after normalising, not in code units', () => {
  const send = (text: string) =>
    actions.TEXT_CHAT_MESSAGE.data.safeParse({ session_id: 1, id: 'a', text }).success
  ok(send('😀'.repeat(1000)))
  ok(send('e\u0301'.repeat(1000)))
  ok(!send('😀'.repeat(1001)))
  ok(!send(''))
  ok(!send('a'.repeat(1_000_000)))
})

test('the events of errors are one family', () => {
  equal(errorEvent(307).name, 'error_307')
  for (const { name } of signals) doesNotMatch(name, /^error_/)
})

test('a signal belongs either to a call or to a preparation', () => {
  const { payload } = signalSent.WEBRTC_SIGNAL
  const guid = 'f3b1c9d2-7a54-4e0b-9a63-2d8c5e1f4a70'
  const signal = { session_guid: guid, type_signal: 'ice-candidate', data: null }
  ok(payload.safeParse({ ...signal, session_id: 1 }).success)
  ok(payload.safeParse({ ...signal, prepare_id: guid }).success)
  ok(!payload.safeParse(signal).success)
  ok(!payload.safeParse({ ...signal, session_id: 1, prepare_id: guid }).success)
})
