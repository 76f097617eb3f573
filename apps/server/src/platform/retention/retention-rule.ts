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

/**
 * The rule for a table whose months are dropped when all of their rows are `keepDays` old, so that no row is
 * searched and the disk gets the space back. A row lives up to a month longer than `keepDays`. A run records
 * how many months it dropped.
 */
export function dropMonths(
  table: keyof Tables & string,
  keepDays: RetentionRule['keepDays'],
): RetentionRule {
  return {
    name: table,
    keepDays,
    async purge(tx, before) {
      const { rows } = await sql<{ dropped: number }>`
        select drop_month_partitions(${table}, ${before}) as dropped`.execute(tx)
      return rows[0]!.dropped
    },
  }
}
