import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/**
 * Whether at least this many rows of this kind wait for their first attempt. A caller that adds many rows
 * waits until it is false. Failed rows are not counted: a service that is down must not block the caller.
 */
export async function hasBacklog(db: Db, kind: string, count: number): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from (
      select from outbox
      where kind = ${kind} and done_at is null and dead_at is null and last_error is null
      limit ${count}) as unattempted`.execute(db)
  return Number(rows[0]!.waiting) >= count
}
