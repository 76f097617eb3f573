import type { ContractSchema } from '../kernel/contract.ts'
import { type JsonSchema, getJsonSchema, namedSchemas } from './schema-reference.ts'

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T09:30:00Z',
  date: '2000-04-17',
  uuid: 'f3b1c9d2-7a54-4e0b-9a63-2d8c5e1f4a70',
  uri: 'https://push.example/send/1',
}

const components = namedSchemas()

/** A value that a schema accepts, always the same: what the reference prints, and the valid input of generated tests. */
export function createExample(schema: ContractSchema, fields: 'all' | 'required' = 'all'): unknown {
  return build(getJsonSchema(schema), fields)
}

function build(schema: JsonSchema, fields: 'all' | 'required'): unknown {
  if (schema.$ref)
    return build(components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, fields)
  if (schema.examples?.length) return schema.examples[0]
  if ('default' in schema) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  return choice ? build(choice, fields) : exampleOfType(schema, fields)
}

function exampleOfType(schema: JsonSchema, fields: 'all' | 'required'): unknown {
  switch ([schema.type].flat()[0]) {
    case 'object':
      return createObject(schema, fields)
    case 'array':
      return schema.items && (fields === 'all' || schema.minItems)
        ? [build(schema.items, fields)]
        : []
    case 'string':
      return schema.format ? formats[schema.format] : 'text'.slice(0, schema.maxLength)
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'null':
      return null
    default:
      return {}
  }
}

function createObject({ properties = {}, required = [] }: JsonSchema, fields: 'all' | 'required') {
  const wanted = Object.entries(properties).filter(
    ([name]) => fields === 'all' || required.includes(name),
  )
  return Object.fromEntries(wanted.map(([name, field]) => [name, build(field, fields)]))
}
