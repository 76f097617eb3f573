import type { EventEmitter } from 'node:events'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { AMOUNT_COLUMNS } from './tables.gen.ts'

const { builtins, arrayParser, getTypeParser } = pg.types as typeof pg.types & {
  arrayParser: ArrayParser
}
interface ArrayParser {
  create(text: string, parse: (text: string) => unknown): { parse(): unknown[] }
}

const ARRAYS = { int8: 1016, timestamptz: 1185, date: 1182 }
/** Stand for an int8 that is an amount, and a list of them: PostgreSQL has no types of these numbers. */
const AMOUNT_OIDS = new Map<number, number>([
  [builtins.INT8, -builtins.INT8],
  [ARRAYS.int8, -ARRAYS.int8],
])

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  [-builtins.INT8, BigInt],
  [-ARRAYS.int8, arrayOf(BigInt)],
  [builtins.TIMESTAMPTZ, instantFrom],
  [builtins.DATE, dateFrom],
  [ARRAYS.int8, arrayOf(safeInteger)],
  [ARRAYS.timestamptz, arrayOf(instantFrom)],
  [ARRAYS.date, arrayOf(dateFrom)],
])

/** How columns become values, for `pg`: of one pool, so that libraries with pools of their own keep their habits. */
export const typesOfColumns: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    getTypeParser(oid, format as 'text')) as typeof getTypeParser,
}

/**
 * Makes a connection read amounts as bigints and all other int8 values (ids, counts) as numbers. The server sends the
 * same type for both, since it does not send the name of a domain: the name of the column decides.
 */
export function distinguishAmounts(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: EventEmitter }
  connection.prependListener('rowDescription', ({ fields }: RowDescription) => {
    for (const field of fields) {
      if (AMOUNT_COLUMNS.has(field.name))
        field.dataTypeID = AMOUNT_OIDS.get(field.dataTypeID) ?? field.dataTypeID
    }
  })
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; dataTypeID: number }[]
}

/** @throws RangeError for an integer that a number does not hold exactly */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is no id: select amounts under the name of an amount's column`)
  return value
}

// `pg` asks a parameter for this method. PostgreSQL keeps microseconds and would round the rest up into the future.
Object.defineProperty(Temporal.Instant.prototype, 'toPostgres', {
  value(this: Temporal.Instant) {
    return this.toString({ smallestUnit: 'microsecond', roundingMode: 'floor' })
  },
})
Object.defineProperty(Temporal.PlainDate.prototype, 'toPostgres', {
  value(this: Temporal.PlainDate) {
    return this.toString()
  },
})

/** A value for a jsonb column. An object may be given as it is; an array, a string or null needs this, or `pg` takes it for SQL's own. */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`
}

function instantFrom(text: string): Temporal.Instant {
  return Temporal.Instant.from(text)
}

function dateFrom(text: string): Temporal.PlainDate {
  return Temporal.PlainDate.from(text)
}

function arrayOf(parse: (text: string) => unknown): (text: string) => unknown[] {
  return (text) => arrayParser.create(text, parse).parse()
}
