import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'

export type RemovalRow = Selectable<Tables['removals']>

export async function insertRemoval(tx: Tx, row: Insertable<Tables['removals']>): Promise<void> {
  await tx.insertInto('removals').values(row).execute()
}

/** The statements of removals of an upload that stand. */
export function standingRemovals(db: Db, media_id: string): Promise<RemovalRow[]> {
  return db
    .selectFrom('removals')
    .selectAll()
    .where('media_id', '=', media_id)
    .where('restored', 'is', null)
    .execute()
}

export function removalsByIds(db: Db, ids: readonly number[]): Promise<RemovalRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('removals').selectAll().where('statement_id', 'in', ids).execute()
}

/** The statements of a kind that a user has and that were not taken back. */
export function standingOfKind(db: Db, user_id: UserId, kind: string) {
  return db
    .selectFrom('statements')
    .select(['statement_id', 'user_id', 'kind', 'at'])
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('taken_back_at', 'is', null)
    .execute()
}

export async function endRemoval(tx: Tx, statement_id: number, restored: boolean): Promise<void> {
  await tx
    .updateTable('removals')
    .set({ restored })
    .where('statement_id', '=', statement_id)
    .where('restored', 'is', null)
    .execute()
}
