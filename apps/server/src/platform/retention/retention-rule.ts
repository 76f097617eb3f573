import { sql } from 'kysely'
import type { AppContext, Tx } from '../../core/app.ts'
import type { Tables } from '../database/tables.gen.ts'

/** Rows that a module deletes after a number of days; the job `retention` enforces all rules. */
export interface RetentionRule {
  /** The table, and its affected part where it is not all rows: `session_texts: originals`. */
  readonly name: string
  readonly keepDays: (context: AppContext) => number
  /** Deletes at most `limit` rows that are older than `before`; returns how many. */
  readonly purge: (tx: Tx, before: Temporal.Instant, limit: number) => Promise<number>
}

/**
 * The rule for a table whose rows are deleted when the time or day in `column` is `keepDays` ago. Rows in which the
 * column is null stay.
 */
export function deleteRows<T extends keyof Tables & string>(
  table: T,
  column: keyof Tables[T] & string,
  keepDays: RetentionRule['keepDays'],
): RetentionRule {
  return {
    name: table,
    keepDays,
    async purge(tx, before, limit) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before} limit ${limit}))`.execute(
        tx,
      )
      return Number(numAffectedRows)
    },
  }
}
