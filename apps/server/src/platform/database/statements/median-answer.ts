import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { Tables } from '../../../core/tables.gen.ts'

const ANSWER_DAYS = 7

interface AnswerTimes<Table extends keyof Tables> {
  readonly table: Table
  /** When a case came, and when it was decided. */
  readonly asked: keyof Tables[Table] & string
  readonly answered: keyof Tables[Table] & string
}

/** The median time in which the cases of a queue were answered in the last seven days; null where none was. */
export async function medianAnswer<Table extends keyof Tables>(
  db: Db,
  { table, asked, answered }: AnswerTimes<Table>,
  now: Temporal.Instant,
): Promise<number | null> {
  const since = now.subtract({ hours: 24 * ANSWER_DAYS })
  const { rows } = await sql<{ seconds: number | null }>`
    select round(percentile_cont(0.5) within group (
      order by extract(epoch from ${sql.ref(answered)} - ${sql.ref(asked)})::double precision))::integer as seconds
    from ${sql.table(table)} where ${sql.ref(answered)} >= ${since}`.execute(db)
  return rows[0]!.seconds
}
