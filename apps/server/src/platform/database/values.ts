import type { EventEmitter } from 'node:events'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { AMOUNT_COLUMNS } from '../../core/tables.gen.ts'

const { builtins, arrayParser, getTypeParser } = pg.types as typeof pg.types & {
  arrayParser: ArrayParser
}
interface ArrayParser {
  create(text: string, parse: (text: string) => unknown): { parse(): unknown[] }
}

const ARRAYS = { int8: 1016, timestamptz: 1185, date: 1182 }
/** Our own type numbers for an amount and for an array of amounts: PostgreSQL has no types with these numbers. */
const AMOUNT_OIDS = new Map<number, number>([
  [builtins.INT8, -builtins.INT8],
  [ARRAYS.int8, -ARRAYS.int8],
])

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  [-builtins.INT8, BigInt],
  [-ARRAYS.int8, createArrayParser(BigInt)],
  [builtins.TIMESTAMPTZ, instantFrom],
  [builtins.DATE, dateFrom],
  [ARRAYS.int8, createArrayParser(safeInteger)],
  [ARRAYS.timestamptz, createArrayParser(instantFrom)],
  [ARRAYS.date, createArrayParser(dateFrom)],
])

/** The parsers of column values, set for one pool of `pg`: libraries with their own pools keep the defaults. */
export const typesOfColumns: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    getTypeParser(oid, format as 'text')) as typeof getTypeParser,
}

/**
 * Makes a connection read amounts as bigints and all other int8 values (ids, counts) as numbers. The server
 * sends the same type for both and no name of the domain, so the name of the column decides.
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
    throw new RangeError(
      `${text} is not an id: select amounts under the name of a column of amounts`,
    )
  return value
}

// `pg` calls this method of a parameter. PostgreSQL stores microseconds and would round nanoseconds up into the future.
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

/**
 * A value for a jsonb column. An object can be passed directly. `pg` would convert an array, a string or
 * null to an SQL value.
 */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`
}

function instantFrom(text: string): Temporal.Instant {
  return Temporal.Instant.from(text)
}

function dateFrom(text: string): Temporal.PlainDate {
  return Temporal.PlainDate.from(text)
}

function createArrayParser(parse: (text: string) => unknown): (text: string) => unknown[] {
  return (text) => arrayParser.create(text, parse).parse()
}
