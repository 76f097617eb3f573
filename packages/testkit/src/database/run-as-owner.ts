import pg from 'pg'
import type { Database } from '@duet/server/platform/database/open.ts'

/**
 * For tests and benches: runs statements that only the owner of the tables may run, on a separate
 * connection. Returns the rows of the last statement.
 */
export async function runAsOwner(
  { connection }: Pick<Database, 'connection'>,
  ...statements: string[]
): Promise<unknown[]> {
  const owner = new pg.Client(connection)
  await owner.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) ({ rows } = await owner.query(statement))
    return rows
  } finally {
    await owner.end()
  }
}
