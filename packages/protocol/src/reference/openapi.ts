import type { Endpoint } from '../kernel/contract.ts'
import { everyCall, type RefusalName, refusals } from '../kernel/refusals.ts'
import { type JsonSchema, getJsonSchema, namedSchemas } from './schema-reference.ts'
import { type ModuleName, wire } from '../wire.ts'

const securitySchemes = {
  token: { type: 'apiKey', in: 'header', name: 'Chat-Token' },
  files: { type: 'apiKey', in: 'header', name: 'User-Access-Token' },
  project: { type: 'apiKey', in: 'header', name: 'Public-Key' },
  peer: { type: 'apiKey', in: 'header', name: 'Peer-Token' },
  staff: { type: 'apiKey', in: 'cookie', name: '__Host-duet_staff' },
} as const

/** The whole HTTP interface as an OpenAPI 3.1 document. */
export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [module, { endpoints }] of Object.entries(wire)) {
    for (const endpoint of Object.values<Endpoint>(endpoints)) {
      const path = (paths[getAddress(endpoint)] ??= {})
      path[endpoint.method.toLowerCase()] = getOperation(module as ModuleName, endpoint)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Duet', version: '2.0.0', description: 'Generated from packages/protocol.' },
    tags: Object.keys(wire).map((name) => ({ name })),
    paths,
    components: { schemas: namedSchemas(), securitySchemes },
  }
}

/** Where an endpoint stands on the server: below `/api`, or at a root of its own. */
export function getAddress({ path }: Pick<Endpoint, 'path'>): string {
  return path.startsWith('/') ? path : `/api/${path}`
}

function getOperation(module: ModuleName, endpoint: Endpoint) {
  const who = [endpoint.who].flat()
  return {
    tags: [module],
    summary: endpoint.summary,
    description: [
      `Who: ${who.join(', ')}${endpoint.banned ? ', also banned' : ''}.`,
      ...(endpoint.rate ? [`Rate: ${endpoint.rate}.`] : []),
    ].join(' '),
    operationId: `${endpoint.method} ${endpoint.path}`,
    ...getSecurity(endpoint),
    parameters: getParameters(endpoint),
    ...getBody(endpoint),
    responses: { 200: getAnswer(endpoint), ...getFailures(endpoint) },
  }
}

function getSecurity({ who, credential = 'token' }: Endpoint) {
  if (credential === 'project') return { security: [{ project: [], peer: [] }] }
  if (!(credential in securitySchemes)) return {}
  const named = { [credential]: [] }
  return {
    security: [who].flat().includes('any') && credential === 'token' ? [{}, named] : [named],
  }
}

function getParameters({ path, query, idempotent }: Endpoint) {
  const { properties = {}, required = [] } = getJsonSchema(query)
  const fields = Object.entries(properties).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`)
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || (required.includes(name) && !('default' in schema)),
      schema,
    }
  })
  const key = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }
  return idempotent ? [...fields, key] : fields
}

const contentTypes = {
  multipart: ['multipart/form-data'],
  form: ['application/json', 'application/x-www-form-urlencoded'],
  text: ['text/plain'],
  raw: ['application/octet-stream'],
} as const

function getBody({ method, body, takes, files = [] }: Endpoint) {
  const schema = getJsonSchema(body)
  const hasFields = Object.keys(schema.properties ?? {}).length > 0 || schema.anyOf !== undefined
  if (method === 'GET' || !(hasFields || takes)) return {}
  const whole = files.length > 0 ? withFiles(schema, files) : schema
  const types: readonly string[] = takes ? contentTypes[takes] : ['application/json']
  return {
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: whole }])) },
  }
}

function withFiles(schema: JsonSchema, files: readonly string[]): JsonSchema {
  const fields = files.map((name) => [name, { type: 'string', format: 'binary' }] as const)
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(fields) } }
}

function getAnswer({ data, gives }: Endpoint) {
  const schema = getJsonSchema(data)
  const whole =
    gives === 'raw' ? schema : { type: 'object', properties: { data: schema }, required: ['data'] }
  return { description: 'Success', content: { 'application/json': { schema: whole } } }
}

/** One entry a status: its description lists the refusals, the shared failure shape is a reference. */
function getFailures({ refuses }: Endpoint) {
  const byStatus = new Map<number, string[]>()
  for (const name of new Set<RefusalName>([...refuses, ...everyCall])) {
    const { code, http, message } = refusals[name]
    byStatus.set(http, [...(byStatus.get(http) ?? []), `${name} (${code}): ${message}`])
  }
  const schema = { $ref: '#/components/schemas/Failure' }
  const entries = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, lines]) => [
      status,
      { description: lines.join('; '), content: { 'application/json': { schema } } },
    ]),
  )
}
