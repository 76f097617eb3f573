import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/job.ts'

/** Creates the partitions of this month and the next, and of months whose rows are in a default partition. */
async function createMonthPartitions(app: App): Promise<void> {
  const tables = await app.db
    .selectFrom('partitioned_tables')
    .select('name')
    .orderBy('name')
    .execute()
  for (const { name } of tables) {
    const { rows } = await sql<{ months: Temporal.PlainDate[] }>`
      select create_month_partitions(${name}, ${app.clock.now()}) as months`.execute(app.db)
    for (const month of rows[0]!.months)
      app.log.info({ table: name, month: month.toString() }, 'a monthly partition was created')
  }
}

export const monthPartitionJobs: Readonly<Record<string, Job>> = {
  'month partitions': {
    summary: 'Creates the next month’s partitions of the tables that only grow.',
    cron: '10 1 * * *',
    run: createMonthPartitions,
  },
}
