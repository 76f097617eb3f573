import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { lockAffordable } from '../../ledger/index.ts'
import type { Tables } from '../../../core/tables.gen.ts'

export type PenaltyRow = Selectable<Tables['penalties']>

export async function insertPenalty(
  tx: Tx,
  penalty: Pick<
    PenaltyRow,
    'statement_id' | 'girl_id' | 'place' | 'amount' | 'paid' | 'refundable_until'
  >,
): Promise<void> {
  await tx
    .insertInto('penalties')
    .values({ ...penalty, at: tx.now })
    .execute()
}

/**
 * The penalties of a girl that were not returned, the oldest first, locked. Her balance is locked before them: an earning
 * has locked it already when it comes here, and two transactions must not wait for each other.
 */
export async function lockPenalties(tx: Tx, girl_id: UserId): Promise<PenaltyRow[]> {
  await lockAffordable(tx, girl_id, 'coin')
  return tx
    .selectFrom('penalties')
    .selectAll()
    .where('girl_id', '=', girl_id)
    .where('returned_at', 'is', null)
    .orderBy('statement_id')
    .forUpdate()
    .execute()
}

export function penaltyById(db: Db, statement_id: number): Promise<PenaltyRow | undefined> {
  return db
    .selectFrom('penalties')
    .selectAll()
    .where('statement_id', '=', statement_id)
    .executeTakeFirst()
}

export async function changePenalty(
  tx: Tx,
  statement_id: number,
  change: Partial<Pick<PenaltyRow, 'paid' | 'earned' | 'returned_at'>>,
): Promise<void> {
  await tx
    .updateTable('penalties')
    .set(change)
    .where('statement_id', '=', statement_id)
    .where('returned_at', 'is', null)
    .execute()
}

export async function markAllRead(tx: Tx, girl_id: UserId): Promise<void> {
  await tx
    .updateTable('penalties')
    .set({ read_at: tx.now })
    .where('girl_id', '=', girl_id)
    .where('read_at', 'is', null)
    .execute()
}

/** The penalties that a girl has had, without those that staff took back. */
export async function countPenalties(db: Db, girl_id: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('penalties')
    .innerJoin('statements', 'statements.statement_id', 'penalties.statement_id')
    .where('statements.taken_back_at', 'is', null)
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('girl_id', '=', girl_id)
    .executeTakeFirstOrThrow()
  return count
}

/** A page of a girl's penalties, the newest first. */
export function readPenalties(
  db: Db,
  girl_id: UserId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  return selectPenalties(db)
    .where('penalties.girl_id', '=', girl_id)
    .orderBy('penalties.statement_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

export function penaltiesByIds(db: Db, ids: readonly number[]) {
  return selectPenalties(db).where('penalties.statement_id', 'in', ids).execute()
}

function selectPenalties(db: Db) {
  return db
    .selectFrom('penalties')
    .innerJoin('statements', 'statements.statement_id', 'penalties.statement_id')
    .leftJoin('penalty_pictures', 'penalty_pictures.statement_id', 'penalties.statement_id')
    .selectAll('penalties')
    .select(['statements.reason', 'statements.comment', 'penalty_pictures.picture_id'])
}
