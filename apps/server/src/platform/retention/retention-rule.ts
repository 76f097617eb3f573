import { type RawBuilder, sql } from 'kysely'
import type { AppContext, Tx } from '../../core/app.ts'
import type { Tables } from '../database/tables.gen.ts'

/** Rows that a module deletes after a number of days; the job `retention` enforces all rules. */
export interface RetentionRule {
  /** The table, and its affected part where it is not all rows: `session_texts: originals`. */
  readonly name: string
  /** The column with the age of a row, where the rule is `deleteRows`: the leading column of an index. */
  readonly column?: string
  readonly keepDays: (context: AppContext) => number
  /** Deletes at most `limit` rows that are older than `before`; returns how many. */
  readonly purge: (tx: Tx, before: Temporal.Instant, limit: number) => Promise<number>
}

/**
 * The rule for a table whose rows are deleted when the time or day in `column` is `keepDays` ago. Rows in which the
 * column is null stay, and those of `isKept`. A row is identified by its partition too: a ctid is unique in one partition only.
 */
export function deleteRows<T extends keyof Tables & string>(
  table: T,
  column: keyof Tables[T] & string,
  keepDays: RetentionRule['keepDays'],
  isKept: RawBuilder<boolean> = sql<boolean>`false`,
): RetentionRule {
  return {
    name: table,
    column,
    keepDays,
    async purge(tx, before, limit) {
      const { numAffectedRows = 0n } = await sql`
        with aged as materialized (
          select tableoid, ctid from ${sql.table(table)}
          where ${sql.ref(column)} < ${before} and not ${isKept} limit ${limit})
        delete from ${sql.table(table)} as rows using aged
        where rows.ctid = aged.ctid and rows.tableoid = aged.tableoid`.execute(tx)
      return Number(numAffectedRows)
    },
  }
}
