import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Job } from '../../core/job.ts'

/**
 * Creates the partitions of this month and the next, and of months whose rows are in a default partition.
 * Moving many rows may take longer than a statement of a request. A table that fails does not stop the
 * others.
 * @throws AggregateError of the tables that failed, after all of them
 */
async function createMonthPartitions(app: App): Promise<void> {
  const tables = await app.db
    .selectFrom('partitioned_tables')
    .select('name')
    .orderBy('name')
    .execute()
  const errors: unknown[] = []
  await app.onDedicatedConnection(async (db) => {
    for (const { name } of tables)
      await createOfTable(app, db, name!).catch((error: unknown) => errors.push(error))
  })
  if (errors.length > 0) throw new AggregateError(errors, 'monthly partitions were not created')
}

async function createOfTable(app: App, db: Db, table: string): Promise<void> {
  const { rows } = await sql<{ months: Temporal.PlainDate[] }>`
    select create_month_partitions(${table}, ${app.clock.now()}) as months`.execute(db)
  for (const month of rows[0]!.months)
    app.log.info({ table, month: month.toString() }, 'a monthly partition was created')
}

export const monthPartitionJobs: Readonly<Record<string, Job>> = {
  'month partitions': {
    summary: 'Creates the next month’s partitions of the tables that only grow.',
    cron: '10 1 * * *',
    run: createMonthPartitions,
  },
}
