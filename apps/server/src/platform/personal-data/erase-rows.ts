import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Module } from '../../core/module.ts'
import { ERASED_ROWS_MAX } from './personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

/**
 * One step of the erasure of a user. Dependent modules erase first, so that a row is deleted before the row
 * it refers to. `more`: a table had more rows than one step deletes, and the step must be repeated.
 */
export async function eraseUser(
  modules: readonly Module[],
  tx: Tx,
  user_id: UserId,
): Promise<'done' | 'more'> {
  for (const { personalData } of modules.toReversed()) {
    if ((await personalData?.erase?.(tx, user_id)) === 'more') return 'more'
    for (const table of personalData?.tables ?? [])
      if ((await deleteUserRows(tx, table, user_id)) === 'more') return 'more'
  }
  return 'done'
}

/** A row is identified by its partition too: a ctid is unique in one partition only. */
async function deleteUserRows(
  tx: Tx,
  { table, users, erasure }: PersonalTable,
  user_id: UserId,
): Promise<'done' | 'more'> {
  if (erasure !== 'deleted') return 'done'
  const isTheirs = sql.join(
    users.map((column) => sql`${sql.ref(column)} = ${user_id}`),
    sql` or `,
  )
  const { numAffectedRows = 0n } = await sql`
    with theirs as materialized (
      select tableoid, ctid from ${sql.table(table)} where ${isTheirs} limit ${ERASED_ROWS_MAX})
    delete from ${sql.table(table)} as rows using theirs
    where rows.ctid = theirs.ctid and rows.tableoid = theirs.tableoid`.execute(tx)
  return Number(numAffectedRows) < ERASED_ROWS_MAX ? 'done' : 'more'
}
