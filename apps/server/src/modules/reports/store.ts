import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'
import type { PictureHashes } from '../../integrations/images/picture-hash.ts'
import { DISTANCE_MAX, type PictureCopy } from '../media/index.ts'
import type { AlarmTimes, OverdueCases } from '../moderation/index.ts'
import { CHILD_REASON } from './rules.ts'

export type ReportRow = Selectable<Tables['reports']>
export type NewReportRow = Insertable<Tables['reports']>

/** One of the pictures is not hidden: only a person decides about it, and everybody sees it until then. */
export const IS_STILL_SHOWN = sql<boolean>`exists (
  select from report_pictures join media on media.id = media_id
  where report_pictures.report_id = reports.report_id and media.status = 'ready')`

/** Undefined: this secret has a report already. */
export function insertReport(tx: Tx, report: NewReportRow): Promise<ReportRow | undefined> {
  return (
    tx
      .insertInto('reports')
      .values(report)
      // The receipt is made of the secret: at the same time either may be the one that is there.
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
  )
}

export function lockReport(tx: Tx, report_id: number): Promise<ReportRow | undefined> {
  return tx
    .selectFrom('reports')
    .selectAll()
    .where('report_id', '=', report_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The reports that this user made inside the product. */
export function reportsFrom(
  tx: Tx,
  reporter_id: UserId,
  limit: number,
): Promise<Pick<ReportRow, 'report_id' | 'sealed'>[]> {
  return tx
    .selectFrom('reports')
    .select(['report_id', 'sealed'])
    .where('reporter_id', '=', reporter_id)
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function clearReporter(tx: Tx, report_id: number, sealed: string): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ sealed, reporter_id: null })
    .where('report_id', '=', report_id)
    .execute()
}

export async function storeDecision(
  tx: Tx,
  report_id: number,
  decided: { readonly decision: string; readonly decided_by: string; readonly answer: string },
): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ ...decided, decided_at: tx.now, settled_at: null })
    .where('report_id', '=', report_id)
    .execute()
}

export async function markSettled(tx: Tx, report_id: number): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ settled_at: tx.now })
    .where('report_id', '=', report_id)
    .execute()
}

/** A picture that was found before keeps the state that it had then. */
export async function addPictures(
  tx: Tx,
  report_id: number,
  copies: readonly PictureCopy[],
): Promise<void> {
  if (copies.length === 0) return
  const rows = copies.map(({ media_id, status }) => ({
    report_id,
    media_id,
    status_before: status,
    found_at: tx.now,
  }))
  await tx
    .insertInto('report_pictures')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Staff took the removal of an upload back. Returns the upheld reports that removed it, if none of it waits. */
export async function markLetStay(tx: Tx, media_id: string): Promise<number[]> {
  const { rows } = await sql<{ report_id: number }>`
    update report_pictures own set let_stay_at = ${tx.now}
    from reports where reports.report_id = own.report_id and media_id = ${media_id} and decision = 'upheld'
    returning own.report_id`.execute(tx)
  const waiting = await tx
    .selectFrom('report_pictures')
    .innerJoin('reports', 'reports.report_id', 'report_pictures.report_id')
    .select('media_id')
    .where('media_id', '=', media_id)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return waiting ? [] : rows.map(({ report_id }) => report_id)
}

/** These reports search copies of an upload no more. Returns the hashes by which they found them. */
export async function forgetHashes(
  tx: Tx,
  ids: readonly number[],
  media_id: string,
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    delete from report_hashes own using picture_hashes stored
    where own.report_id = any(${[...ids]}::bigint[]) and stored.media_id = ${media_id}
      and least(bit_count(('x' || own.hash)::bit(256) # stored.hash),
        bit_count(('x' || own.mirrored)::bit(256) # stored.hash)) <= ${DISTANCE_MAX}
    returning own.hash`.execute(tx)
  return rows.map(({ hash }) => hash)
}

export async function addHashes(
  tx: Tx,
  report_id: number,
  hashes: readonly PictureHashes[],
): Promise<void> {
  if (hashes.length === 0) return
  await tx
    .insertInto('report_hashes')
    .values(hashes.map(({ hash, mirrored }) => ({ report_id, hash, mirrored })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Marks the reports about children from before `before`, if one of them had no alarm since `again`, and none of them was
 * alarmed after `quiet`. Returns their numbers, at most `limit`, and how many wait.
 */
export async function markAlarmed(
  tx: Tx,
  { before, again, quiet, limit }: AlarmTimes & { readonly limit: number },
): Promise<OverdueCases> {
  const overdue = sql`decided_at is null and reason = ${CHILD_REASON} and filed_at <= ${before}`
  const { rows } = await sql<{ report_id: number; waiting: number }>`
    update reports set alarmed_at = ${tx.now} where report_id = any(array(
      select report_id from reports where ${overdue}
        and exists (select from reports where ${overdue} and (alarmed_at is null or alarmed_at <= ${again}))
        and not exists (select from reports where alarmed_at > ${quiet} and reason = ${CHILD_REASON})
      order by alarmed_at nulls first, filed_at limit ${limit} for update skip locked))
    returning report_id, (select count(*)::integer from reports where ${overdue}) as waiting`.execute(
    tx,
  )
  const ids = rows.map(({ report_id }) => report_id).toSorted((one, other) => one - other)
  return { ids, waiting: rows[0]?.waiting ?? 0 }
}

/** The same for the reports with a picture that is shown still. */
export async function markShownAlarmed(
  tx: Tx,
  { before, again, quiet, limit }: AlarmTimes & { readonly limit: number },
): Promise<number[]> {
  const isPicture = sql`kind = 'intimate_image' and reason is distinct from ${CHILD_REASON}`
  const { rows } = await sql<{ report_id: number }>`
    update reports set alarmed_at = ${tx.now} where report_id = any(array(
      select report_id from reports
      where decided_at is null and ${isPicture} and filed_at <= ${before}
        and ${IS_STILL_SHOWN} and (alarmed_at is null or alarmed_at <= ${again})
        and not exists (select from reports where alarmed_at > ${quiet} and ${isPicture})
      order by filed_at limit ${limit} for update skip locked))
    returning report_id`.execute(tx)
  return rows.map(({ report_id }) => report_id).toSorted((one, other) => one - other)
}
