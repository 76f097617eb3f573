import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { sharedRead } from './shared-read.ts'

const ANSWER_DAYS = 7
/** Of a queue with more answers in these days, the latest ones count. */
export const ANSWERS_MAX = 1000
const READ_EVERY_MS = 60_000

interface AnswerTimes<Table extends keyof Tables> {
  readonly table: Table
  /** When a case came into the queue, and when it was decided. An index has the times of decisions. */
  readonly asked: keyof Tables[Table] & string
  readonly answered: keyof Tables[Table] & string
  /** The name of the person or part that decided. Absent: a row without a time in `asked` was not decided by staff. */
  readonly by?: keyof Tables[Table] & string
}

const medians = sharedRead<number | null>('database: median answers', READ_EVERY_MS)

/**
 * The median time in which staff answered the cases of a queue in the last seven days; null where staff answered none. All
 * who poll share it for a minute.
 */
export function medianAnswer<Table extends keyof Tables>(
  context: AppContext,
  db: Db,
  times: AnswerTimes<Table>,
): Promise<number | null> {
  return medians.get(context, times.table, async () => {
    const { rows } = await selectMedian(times, context.clock.now()).execute(db)
    return rows[0]!.seconds
  })
}

export function selectMedian<Table extends keyof Tables>(
  { table, asked, answered, by }: AnswerTimes<Table>,
  now: Temporal.Instant,
): RawBuilder<{ seconds: number | null }> {
  const since = now.subtract({ hours: 24 * ANSWER_DAYS })
  const isByStaff = by
    ? sql`exists (select from staff_members where email = decided_by)`
    : sql`true`
  return sql<{ seconds: number | null }>`
    select round(percentile_cont(0.5) within group (
      order by extract(epoch from answered - asked)::double precision))::integer as seconds
    from (
      select ${sql.ref(asked)} as asked, ${sql.ref(answered)} as answered, ${by ? sql.ref(by) : sql`null`} as decided_by
      from ${sql.table(table)}
      where ${sql.ref(answered)} >= ${since} and ${sql.ref(asked)} is not null and ${sql.ref(answered)} >= ${sql.ref(asked)}
      order by ${sql.ref(answered)} desc limit ${ANSWERS_MAX}) latest
    where ${isByStaff}`
}
