import type { TestApp } from '@duet/testkit/test-app.ts'

const COUNTS = 3

/** The pages of the database that a work reads: the least of some runs, because the database also works by itself. */
export async function countPages(testApp: TestApp, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let count = 0; count < COUNTS; count += 1) {
    const before = await pagesRead(testApp)
    await work()
    counts.push((await pagesRead(testApp)) - before)
  }
  return Math.min(...counts)
}

/** A connection adds to the figures of the database when it is told to, so each connection of the pool is told. */
async function pagesRead(testApp: TestApp): Promise<number> {
  await testApp.settle()
  const { pool } = testApp.database
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of clients) await client.query('select pg_stat_force_next_flush()')
  for (const client of clients) client.release()
  const { rows } = await pool.query<{ pages: number }>(
    `select (blks_hit + blks_read)::float8 as pages from pg_stat_database where datname = current_database()`,
  )
  return rows[0]!.pages
}
