import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { isContestable, OF_COMPLAINT } from '../appeals/appeal-store.ts'
import { IS_SERIOUS } from './complaint-store.ts'

export type EvidenceRow = Selectable<Tables['evidence_files']>
/** A row without its bytes. */
export type EvidenceEntry = Omit<EvidenceRow, 'content'>

const ENTRY = [
  ...(['file_id', 'complaint_id', 'kind', 'source', 'user_id', 'sha256', 'bytes'] as const),
  ...(['is_sealed', 'at'] as const),
]

/** Writes a file with its encrypted bytes. False: there is such a file of the complaint already. */
export async function insertEvidence(
  tx: Tx,
  file: Omit<EvidenceRow, 'at' | 'is_sealed'>,
): Promise<boolean> {
  // The complaint may have become serious while the picture was encoded.
  const complaint = tx.selectFrom('complaints').where('complaint_id', '=', file.complaint_id)
  const is_sealed = complaint.select(sql<boolean>`${IS_SERIOUS}`.as('is_serious')).forShare()
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('evidence_files')
    .values({ ...file, is_sealed, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** The complaint has become serious: its evidence outlives every erasure and retention. */
export async function sealEvidence(tx: Tx, complaint_id: number): Promise<void> {
  await tx
    .updateTable('evidence_files')
    .set({ is_sealed: true })
    .where('complaint_id', '=', complaint_id)
    .execute()
}

/** The bytes of a file that are not in the storage yet. */
export async function unmovedContent(db: Db, file_id: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('evidence_files')
    .select('content')
    .where('file_id', '=', file_id)
    .executeTakeFirst()
  return row?.content ?? undefined
}

/** The storage has the bytes. False: the row is gone. */
export async function clearContent(tx: Tx, file_id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('evidence_files')
    .set({ content: null })
    .where('file_id', '=', file_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Files from before this moment whose bytes are not in the storage yet, the oldest first. */
export async function unmovedFiles(
  db: Db,
  before: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('evidence_files')
    .select('file_id')
    .where('content', 'is not', null)
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
    .execute()
  return rows.map(({ file_id }) => file_id)
}

export async function hasEvidence(db: Db, file_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('evidence_files')
    .select('file_id')
    .where('file_id', '=', file_id)
    .executeTakeFirst()
  return row !== undefined
}

export function newestEvidence(db: Db): Promise<EvidenceEntry | undefined> {
  return db
    .selectFrom('evidence_files')
    .select(ENTRY)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function evidenceFiles(db: Db, complaint_id: number): Promise<EvidenceEntry[]> {
  return db
    .selectFrom('evidence_files')
    .select(ENTRY)
    .where('complaint_id', '=', complaint_id)
    .orderBy('at')
    .orderBy('kind')
    .orderBy('source')
    .execute()
}

/** The copies of uploads that a case has. */
export async function countPictures(db: Db, complaint_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('evidence_files')
    .select((all) => all.cast<number>(all.fn.countAll(), 'integer').as('count'))
    .where('complaint_id', '=', complaint_id)
    .where('kind', '=', 'picture')
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the unsealed files of complaints that were decided before this moment, unless an appeal may need them; returns their ids. */
export async function deleteDecidedEvidence(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ file_id: string }>`
    delete from evidence_files where file_id = any(array(
      select file_id from evidence_files join complaints complaint using (complaint_id)
      where not is_sealed and decided_at < ${before} and not ${isContestable(tx, OF_COMPLAINT)} limit ${limit}))
    returning file_id`.execute(tx)
  return rows.map(({ file_id }) => file_id)
}
