import { type RawBuilder, sql } from 'kysely'
import type { RetentionRule } from '../../core/retention-rule.ts'
import type { Tables } from '../../core/tables.gen.ts'

/**
 * The rule for a table whose rows are deleted when the time or day in `column` is `keepDays` ago. Rows with
 * null in `column` and the rows of `isKept` stay. A row is identified by its partition too, because a ctid
 * is unique only in its partition.
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
