import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'

const { builtins, arrayParser, getTypeParser } = pg.types as typeof pg.types & {
  arrayParser: ArrayParser
}
type ArrayParser = {
  create(text: string, parse: (text: string) => unknown): { parse(): unknown[] }
}

const ARRAYS = { int8: 1016, timestamptz: 1185, date: 1182 }

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.TIMESTAMPTZ, instantFrom],
  [builtins.DATE, dateFrom],
  [ARRAYS.int8, arrayOf(BigInt)],
  [ARRAYS.timestamptz, arrayOf(instantFrom)],
  [ARRAYS.date, arrayOf(dateFrom)],
])

/** How columns become values, for `pg`: of one pool, so that libraries with pools of their own keep their habits. */
export const typesOfColumns: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    getTypeParser(oid, format as 'text')) as typeof getTypeParser,
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
