import type { Insertable, Selectable } from 'kysely'
import type { SanctionKind } from '@duet/protocol/kernel/sanctions.ts'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { assert } from '../../../lib/assert.ts'
import type { ProcessStamp } from '../../../platform/process/process.ts'
import { upholdWaiting } from '../appeals/appeal-store.ts'
import type { Sanction } from './sanction-rules.ts'

export type StatementRow = Selectable<Tables['statements']>

/** The kinds that are shown until they are read. A ban and a penalty are shown in ways of their own. */
const SHOWN: readonly string[] = ['warning', 'photo', 'text', 'gifts']

/** A program warns inside of a call, where its user sees it. */
function isShown({ kind, automatic }: { readonly kind: string; readonly automatic: boolean }) {
  return SHOWN.includes(kind) && !automatic
}

/** Writes a statement and returns its number. */
export async function insertStatement(
  tx: Tx,
  statement: Omit<Insertable<Tables['statements']>, 'at' | 'statement_id' | 'read_at'>,
): Promise<number> {
  const { statement_id } = await tx
    .insertInto('statements')
    .values({ ...statement, at: tx.now, read_at: isShown(statement) ? null : tx.now })
    .returning('statement_id')
    .executeTakeFirstOrThrow()
  return statement_id
}

/** Keeps the texts of the user that a statement is about. */
export async function insertTexts(
  tx: Tx,
  statement: Pick<Insertable<Tables['statement_texts']>, 'statement_id' | 'user_id'>,
  texts: readonly Pick<Insertable<Tables['statement_texts']>, 'place' | 'text' | 'at'>[],
): Promise<void> {
  if (texts.length === 0) return
  const rows = texts.map((text, number) => Object.assign({ number }, statement, text))
  await tx.insertInto('statement_texts').values(rows).execute()
}

/** The act of a statement is over, as if it had not been. A waiting appeal is upheld. */
export async function markTakenBack(tx: Tx, statement_id: number, by: string): Promise<void> {
  await tx
    .updateTable('statements')
    .set({ taken_back_at: tx.now, taken_back_by: by })
    .where('statement_id', '=', statement_id)
    .where('taken_back_at', 'is', null)
    .execute()
  await upholdWaiting(tx, statement_id, by)
}

/** False: the user has no such statement. */
export async function markRead(tx: Tx, user_id: UserId, statement_id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('statements')
    .set((at) => ({ read_at: at.fn.coalesce('read_at', at.val(tx.now)) }))
    .where('statement_id', '=', statement_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The oldest statement that its user has not read. One that was taken back needs no reader. */
export async function firstUnread(db: Db, user_id: UserId): Promise<number | null> {
  const row = await db
    .selectFrom('statements')
    .select('statement_id')
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .where('taken_back_at', 'is', null)
    .orderBy('statement_id')
    .limit(1)
    .executeTakeFirst()
  return row?.statement_id ?? null
}

function toSanction(row: Selectable<Tables['sanctions']>): Sanction {
  const { statement_id, user_id, kind, until, ended_at, lifted_by, lift_comment } = row
  return {
    statement_id,
    user_id,
    kind: kind as SanctionKind,
    until,
    ended_at,
    lifted_by,
    lift_comment,
  }
}

export async function sanctionById(db: Db, id: number): Promise<Sanction | undefined> {
  return (await sanctionsByIds(db, [id]))[0]
}

export async function sanctionsByIds(db: Db, ids: readonly number[]): Promise<Sanction[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('sanctions')
    .selectAll()
    .where('statement_id', 'in', [...ids])
    .execute()
  return rows.map(toSanction)
}

/** The sanctions of a user that have not ended. */
export async function openSanctions(db: Db, user_id: UserId): Promise<Sanction[]> {
  const rows = await db
    .selectFrom('sanctions')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .execute()
  return rows.map(toSanction)
}

/** The sanctions of a user that have not ended, with their reasons. */
export function openWithReasons(db: Db, user_id: UserId) {
  return db
    .selectFrom('sanctions')
    .innerJoin('statements', 'statements.statement_id', 'sanctions.statement_id')
    .select(['sanctions.statement_id', 'sanctions.kind', 'sanctions.until', 'statements.reason'])
    .where('sanctions.user_id', '=', user_id)
    .where('sanctions.ended_at', 'is', null)
    .execute()
}

export async function insertSanction(
  tx: Tx,
  sanction: Sanction,
  stamp: ProcessStamp,
): Promise<boolean> {
  await tx
    .insertInto('sanctions')
    .values({ ...sanction, wake_at: sanction.until, ...stamp })
    .execute()
  return true
}

/** The runtime holds the lock of the row. A sanction that has ended stays ended, and an outdated fence writes nothing. */
export async function updateSanction(
  tx: Tx,
  { statement_id, ended_at, lifted_by, lift_comment }: Sanction,
  { fence, version }: Pick<ProcessStamp, 'fence' | 'version'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('sanctions')
    .set({ ended_at, lifted_by, lift_comment, version, ...(ended_at && { wake_at: null }) })
    .where('statement_id', '=', statement_id)
    .where('fence', '=', fence)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  assert(numUpdatedRows === 1n, 'the row of an open sanction is updated by its owner')
}
