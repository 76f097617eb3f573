import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { AppContext, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { WaitingCases } from '../../../core/hooks.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { setting } from '../../settings/index.ts'
import { medianAnswer } from '../../../platform/database/statements/median-answer.ts'

export type AppealRow = Selectable<Tables['appeals']>

/** Writes an appeal. Undefined: the statement has one. */
export function insertAppeal(
  tx: Tx,
  appeal: Pick<AppealRow, 'statement_id' | 'user_id' | 'text'>,
): Promise<AppealRow | undefined> {
  return tx
    .insertInto('appeals')
    .values({ ...appeal, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function appealById(db: Db, appeal_id: number): Promise<AppealRow | undefined> {
  return db.selectFrom('appeals').selectAll().where('appeal_id', '=', appeal_id).executeTakeFirst()
}

export function lockAppeal(tx: Tx, appeal_id: number): Promise<AppealRow | undefined> {
  return tx
    .selectFrom('appeals')
    .selectAll()
    .where('appeal_id', '=', appeal_id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Before a user is locked whose acts are taken back. A decision about an appeal locks the appeal before the user: another
 * order could end in a deadlock.
 */
export async function lockWaitingAppeals(tx: Tx, user_id: UserId): Promise<void> {
  await tx
    .selectFrom('appeals')
    .select('appeal_id')
    .where('user_id', '=', user_id)
    .where('state', '=', 'waiting')
    .orderBy('appeal_id')
    .forUpdate()
    .execute()
}

/** The act of the statement was taken back without a decision about its appeal. */
export async function upholdWaiting(tx: Tx, statement_id: number, by: string): Promise<void> {
  await tx
    .updateTable('appeals')
    .set({ state: 'upheld', decided_by: by, decided_at: tx.now })
    .where('statement_id', '=', statement_id)
    .where('state', '=', 'waiting')
    .execute()
}

export async function closeAppeal(
  tx: Tx,
  appeal_id: number,
  decision: { state: 'upheld' | 'rejected'; answer: string | null; decided_by: string },
): Promise<AppealRow> {
  return tx
    .updateTable('appeals')
    .set({ ...decision, decided_at: tx.now })
    .where('appeal_id', '=', appeal_id)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The statement of an appeal, with who imposed it and what a penalty took. */
export function statementById(db: Db, statement_id: number) {
  return db
    .selectFrom('statements')
    .leftJoin('penalties', 'penalties.statement_id', 'statements.statement_id')
    .selectAll('statements')
    .select(['penalties.amount', 'penalties.place'])
    .where('statements.statement_id', '=', statement_id)
    .executeTakeFirst()
}

export function appealsOfStatements(db: Db, ids: readonly number[]): Promise<AppealRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('appeals').selectAll().where('statement_id', 'in', ids).execute()
}

/** The acts of staff whose evidence stays while the user may appeal. */
const CONTESTABLE = ['ban', 'penalty', 'warning', 'call_end']

/** The statement by which a `complaint` was decided. */
export const OF_COMPLAINT = sql<boolean>`statement.statement_id = complaint.statement_id`

/** SQL of a condition on a `statement`: an appeal waits against it, or the user may still appeal. */
export function isContestable(tx: Tx, condition: RawBuilder<boolean>) {
  const since = tx.now.subtract({ hours: 24 * setting(tx.app, 'appeal_days') })
  return sql<boolean>`exists (
    select from statements statement left join appeals appeal using (statement_id)
    where ${condition} and (appeal.state = 'waiting'
      or (appeal.appeal_id is null and statement.taken_back_at is null
        and statement.kind = any(${CONTESTABLE}) and statement.at >= ${since})))`
}

/** The complaint by whose decision each of these statements was made. */
export async function complaintsOfStatements(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('complaints')
    .select(['statement_id', 'complaint_id'])
    .where('statement_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ statement_id, complaint_id }) => [statement_id!, complaint_id]))
}

interface Part {
  readonly offset: number
  readonly limit: number
}

export function ownAppeals(db: Db, user_id: UserId, { offset, limit }: Part): Promise<AppealRow[]> {
  return db
    .selectFrom('appeals')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('appeal_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

export function readAppealQueue(
  db: Db,
  state: 'waiting' | 'decided',
  { offset, limit, own }: Part & { readonly own?: UserId | undefined },
): Promise<AppealRow[]> {
  const appeals = db
    .selectFrom('appeals')
    .selectAll()
    .$if(own !== undefined, (all) => all.where('user_id', '!=', own!))
    .offset(offset)
    .limit(limit)
  return state === 'waiting'
    ? appeals.where('state', '=', 'waiting').orderBy('created_at').execute()
    : appeals.where('state', '!=', 'waiting').orderBy('appeal_id', 'desc').execute()
}

export async function countAppeals(db: Db, context: AppContext): Promise<readonly WaitingCases[]> {
  const row = await db
    .selectFrom('appeals')
    .select([
      sql<number>`count(*)::integer`.as('waiting'),
      (fn) => fn.fn.min('created_at').as('oldest'),
    ])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const median_seconds = await medianAnswer(context, db, {
    table: 'appeals',
    asked: 'created_at',
    answered: 'decided_at',
    by: 'decided_by',
  })
  return [{ queue: 'appeals', ...row, median_seconds }]
}
