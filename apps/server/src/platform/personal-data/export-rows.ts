import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Module } from '../../core/module.ts'
import { EXPORT_PAGE_ROWS } from './personal-data.ts'
import type { ExportedRows, ExportPart, PersonalTable } from '../../core/personal-data.ts'

/**
 * Everything that the modules hand out of a user's own data, page by page. A table without rows has one empty part. With the
 * names of tables, other tables and the files are not read.
 */
export async function* exportUser(
  modules: readonly Module[],
  app: App,
  user_id: UserId,
  wanted?: ReadonlySet<string>,
): AsyncGenerator<ExportPart> {
  for (const { personalData } of modules) {
    const tables = (personalData?.tables ?? []).filter(({ table }) => wanted?.has(table) ?? true)
    for (const { table, exported } of tables)
      if (typeof exported === 'object' && 'of' in exported)
        yield* exportedRows(app.db, { table, exported }, user_id)
    if (!personalData?.exportData) continue
    if (!wanted) yield* personalData.exportData(app.db, user_id, app)
    else if (tables.some(({ exported }) => exported === 'own'))
      for await (const part of personalData.exportData(app.db, user_id, app))
        if ('table' in part && wanted.has(part.table)) yield part
  }
}

async function* exportedRows(
  db: Db,
  { table, exported }: Pick<PersonalTable, 'table'> & { readonly exported: ExportedRows },
  user_id: UserId,
): AsyncGenerator<ExportPart> {
  const { of, columns, by } = exported
  const isTheirs = sql.join(
    of.map((column) => sql`${sql.ref(column)} = ${user_id}`),
    sql` or `,
  )
  yield* readPages<Record<string, unknown>>(table, by, async (after) => {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join([...new Set([by, ...columns])].map((column) => sql.ref(column)))}
      from ${sql.table(table)}
      where (${isTheirs}) and ${after === undefined ? sql`true` : sql`${sql.ref(by)} > ${after}`}
      order by ${sql.ref(by)} limit ${EXPORT_PAGE_ROWS}`.execute(db)
    return rows
  })
}

/** The pages of one table: `read` returns the rows after the given value of the column `by`, in its order. */
export async function* readPages<Row extends object>(
  table: string,
  by: keyof Row,
  read: (after: unknown) => Promise<readonly Row[]>,
): AsyncGenerator<ExportPart> {
  let after: unknown
  for (;;) {
    const rows = await read(after)
    if (rows.length > 0 || after === undefined) yield { table, rows }
    if (rows.length < EXPORT_PAGE_ROWS) return
    after = rows.at(-1)![by]
  }
}
