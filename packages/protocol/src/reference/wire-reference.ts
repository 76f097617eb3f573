import type { Action, Endpoint, Event, ContractSchema } from '../kernel/contract.ts'
import { createExample } from './example.ts'
import { limits } from '../kernel/limits.ts'
import { getAddress } from './openapi.ts'
import { everyCall, type RefusalName, refusals } from '../kernel/refusals.ts'
import { type JsonSchema, getJsonSchema, namedSchemas } from './schema-reference.ts'
import { signalHeard, signalSent } from '../contracts/signaling.ts'
import { whoSays } from '../kernel/who.ts'
import { wire } from '../wire.ts'

/** The page `docs/wire.gen.md`: every endpoint, action, event and entity of the contracts. */
export function wireReference(): string {
  return page([
    '# The wire, call by call',
    'Generated from `packages/protocol` by `npm run gen`; never edited. `docs/wire.md` explains the terms.',
    ...Object.entries(wire).flatMap(([name, { actions, events, endpoints }]) => [
      `## ${name}`,
      ...Object.values<Endpoint>(endpoints).map(endpointPart),
      ...Object.values<Action>(actions).map(actionPart),
      ...Object.values<Event>(events).map((event) => eventPart(event, 'event')),
    ]),
    '## Signaling socket',
    ...Object.values<Event>(signalSent).map((event) => eventPart(event, 'sent')),
    ...Object.values<Event>(signalHeard).map((event) => eventPart(event, 'heard')),
    '## Entities',
    ...Object.entries(namedSchemas()).map(thingPart),
    '## Limits',
    rows(
      ['limit', 'value'],
      Object.entries(limits).map(([name, value]) => [`\`${name}\``, String(value)]),
    ),
  ])
}

function endpointPart(endpoint: Endpoint): string {
  const files = (endpoint.files ?? []).map((name) => [`\`${name}\``, 'file', ''])
  return block(
    `### ${endpoint.method} ${getAddress(endpoint)}`,
    endpoint.summary,
    guardLine(endpoint, [
      ...(endpoint.credential && endpoint.credential !== 'token'
        ? [`known by: ${endpoint.credential}`]
        : []),
      ...(endpoint.idempotent ? ['honours Idempotency-Key'] : []),
      ...(endpoint.takes ? [`body: ${endpoint.takes}`] : []),
    ]),
    fieldTable('Query', endpoint.query),
    fieldTable('Body', endpoint.body, files),
    `Answers ${answerText(endpoint)}.`,
    refusalLine(endpoint.refuses),
  )
}

function answerText({ data, gives }: Endpoint): string {
  return gives === 'raw' ? 'in a format of its own' : typeText(getJsonSchema(data))
}

function actionPart(action: Action): string {
  const names = [action.method, ...(action.aliases ?? [])]
  return block(
    `### ${action.name}`,
    action.summary,
    guardLine(action, [`method: ${names.map((name) => `\`${name}\``).join(', ')}`]),
    fieldTable('Data', action.data),
    action.silent
      ? 'Without an acknowledgement.'
      : `Acknowledged by ${typeText(getJsonSchema(action.ack))}.`,
    refusalLine(action.refuses),
  )
}

function eventPart(event: Event, what: string): string {
  return block(
    `### ${what} ${event.name}`,
    event.summary,
    event.durable ? 'Durable: a row of the change log; the payload carries `change_id`.' : '',
    fieldTable('Payload', event.payload),
    example(event.payload),
  )
}

function thingPart([name, schema]: [string, JsonSchema]): string {
  return block(`### ${name}`, schema.properties ? fieldRows(schema, []) : typeText(schema))
}

function guardLine(guard: Action | Endpoint, more: readonly string[]): string {
  const who = [guard.who].flat().map((name) => `${name} (${whoSays[name]})`)
  const parts = [
    `who: ${who.join(' or ')}`,
    ...(guard.banned ? ['also banned'] : []),
    ...(guard.rate ? [`rate: ${guard.rate}`] : []),
    ...more,
  ]
  return parts.join(' · ')
}

function refusalLine(names: readonly RefusalName[]): string {
  if (names.length === 0) return ''
  return `Refuses: ${names.map((name) => `${refusals[name].code} \`${name}\``).join(', ')}.`
}

function fieldTable(title: string, schema: ContractSchema, more: readonly string[][] = []): string {
  const json = getJsonSchema(schema)
  if (!json.properties) return `${title}: ${typeText(json)}`
  if (Object.keys(json.properties).length + more.length === 0) return ''
  return fieldRows(json, more, title)
}

function fieldRows(
  { properties = {}, required = [] }: JsonSchema,
  more: readonly string[][],
  title = 'Field',
): string {
  const fields = Object.entries(properties).map(([name, field]) => [
    `\`${name}\`${required.includes(name) && !('default' in field) ? '' : '?'}`,
    typeText(field),
    boundText(field),
  ])
  return rows([title, 'type', ''], [...fields, ...more])
}

/** A type in one line: a thing by its name, a choice by its words, an inner object by its fields. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(' / ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeText))].join(' or ')
  if (schema.type === 'array')
    return `list of ${schema.items ? typeText(schema.items) : 'anything'}`
  if (schema.properties) return objectText(schema)
  if (schema.type === 'object') return 'object'
  if (schema.type === 'string') return schema.format ?? 'text'
  return [schema.type ?? 'anything'].flat().join(' or ')
}

function objectText({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(field)}`,
  )
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '`{}`'
}

function boundText(schema: JsonSchema): string {
  const bounds = [
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ...(schema.minLength ? [`at least ${schema.minLength} characters`] : []),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.maxItems === undefined ? [] : [`at most ${schema.maxItems}`]),
    ...(schema.maximum === undefined ? [] : [`at most ${schema.maximum}`]),
  ]
  return bounds.join(', ')
}

function example(schema: ContractSchema): string {
  const text = JSON.stringify(createExample(schema, 'required'))
  return text === '{}' ? '' : `\`\`\`json\n${text}\n\`\`\``
}

/** The page `docs/errors.gen.md`: code, name, status of every refusal, and the calls that give it. */
export function errorsReference(): string {
  const givers = Object.values(wire).flatMap(({ actions, endpoints }) => [
    ...Object.values<Action>(actions),
    ...Object.values<Endpoint>(endpoints),
  ])
  const body = Object.entries(refusals).map(([name, { code, http, message }]) => {
    const always = (everyCall as readonly string[]).includes(name)
    const by = givers
      .filter((giver) => (giver.refuses as readonly string[]).includes(name))
      .map(callName)
    return [
      String(code),
      `\`${name}\``,
      String(http),
      message,
      [...(always ? ['every call'] : []), ...by].join(', '),
    ]
  })
  return page([
    '# Errors',
    'Generated from `packages/protocol/src/kernel/refusals.ts`; never edited. `message` is English; clients branch by `name` and show their own text for it.',
    rows(['code', 'name', 'HTTP', 'message', 'given by'], body),
  ])
}

export function callName(call: Action | Endpoint): string {
  return call.kind === 'action' ? call.name : `${call.method} ${call.path}`
}

const block = (...parts: readonly string[]) => parts.filter(Boolean).join('\n\n')
export const page = (parts: readonly string[]) => `${parts.filter(Boolean).join('\n\n')}\n`

/** A Markdown table. */
export function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}
