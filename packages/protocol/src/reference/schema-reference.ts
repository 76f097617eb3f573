import { z } from 'zod'
import type { ContractSchema } from '../kernel/contract.ts'
import * as contracts from '../index.ts'
import { notes } from '../kernel/primitives.ts'

/** A JSON Schema (draft 2020-12) as zod writes it: the parts that the reference pages read. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

const REF_PREFIX = '#/components/schemas/'

/** Every exported schema by its name; the first of two names counts. */
const named = new Map<ContractSchema, string>()
for (const [name, value] of Object.entries(contracts)) {
  if (/^(?!Query|Judged)[A-Z]/.test(name) && value instanceof z.ZodType && !named.has(value))
    named.set(value, name)
}
for (const [schema, id] of named) notes.add(schema, { ...notes.get(schema), id })

/** The JSON Schema of what comes out of a schema (numbers of a query as numbers); named parts are references. */
export function getJsonSchema(schema: ContractSchema): JsonSchema {
  const { $schema: _, $defs: __, ...whole } = converted(schema)
  return whole as JsonSchema
}

/** The named schemas by their names, for `components.schemas` of OpenAPI. */
export function namedSchemas(): Record<string, JsonSchema> {
  const entries = [...named].map(([schema, name]) => {
    const { $defs, ...rest } = converted(schema)
    const own =
      (rest as { $ref?: string }).$ref === REF_PREFIX + name
        ? ($defs as Record<string, object>)[name]
        : rest
    const { $schema: _, id: __, ...plain } = own as Record<string, unknown>
    return [name, plain as JsonSchema] as const
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function converted(schema: ContractSchema): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    metadata: notes,
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Unknown fields are ignored, not refused.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  const text = JSON.stringify(json).replaceAll('"#/$defs/', `"${REF_PREFIX}`)
  return JSON.parse(text) as Record<string, unknown>
}
