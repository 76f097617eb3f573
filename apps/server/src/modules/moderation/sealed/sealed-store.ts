import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { type ComplaintRow, IS_SERIOUS } from '../complaints/complaint-store.ts'

/** Sealed cases with the numbers of their files, the newest first. */
export interface SealedRow extends ComplaintRow {
  readonly files: number
  /** SHA-256 over the hashes of all files; null: no file. */
  readonly seal: string | null
  readonly is_held: boolean
}

function sealedCases() {
  return sql<SealedRow>`
    select complaints.*, sealed.files, sealed.seal,
      exists (select from evidence_holds hold
        where hold.hold_id = complaints.hold_id and hold.lifted_at is null) as is_held
    from complaints cross join lateral (
      select count(*)::integer as files, encode(sha256(convert_to(
        string_agg(kind || ' ' || source || ' ' || sha256, E'\n' order by kind collate "C", source collate "C"),
        'UTF8')), 'hex') as seal
      from evidence_files where evidence_files.complaint_id = complaints.complaint_id) sealed
    where ${IS_SERIOUS}`
}

export async function readSealed(
  db: Db,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    ${sealedCases()} order by complaints.complaint_id desc offset ${offset} limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function sealedById(db: Db, complaint_id: number): Promise<SealedRow | undefined> {
  const { rows } = await sql<SealedRow>`
    ${sealedCases()} and complaints.complaint_id = ${complaint_id}`.execute(db)
  return rows[0]
}

/** The hold of a case, also of a decided one. */
export async function setHold(tx: Tx, complaint_id: number, hold_id: number): Promise<void> {
  await tx
    .updateTable('complaints')
    .set({ hold_id })
    .where('complaint_id', '=', complaint_id)
    .execute()
}
