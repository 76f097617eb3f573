import type { AppContext, Tx } from './app.ts'

/** The place of a run of one rule: a rule that walks by time goes on from here, past rows that it has kept. */
export interface RetentionWalk {
  from: Temporal.Instant
}

/** Rows that a module deletes after a number of days; the job `retention` enforces all rules. */
export interface RetentionRule {
  /** The table, and its affected part where it is not all rows: `session_texts: originals`. */
  readonly name: string
  /** The column with the age of a row, where the rule is `deleteRows`: the leading column of an index. */
  readonly column?: string
  readonly keepDays: (context: AppContext) => number
  /** The rows of one batch, where a row costs much. */
  readonly batchRows?: number
  /** Deletes at most `limit` rows, or whole months, that are older than `before`; returns how many. */
  readonly purge: (
    tx: Tx,
    before: Temporal.Instant,
    limit: number,
    walk: RetentionWalk,
  ) => Promise<number>
}
