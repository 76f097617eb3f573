import { sql } from 'kysely'
import type { ReportKind } from '@duet/protocol/contracts/reports.ts'
import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { CountedRole, WaitingCases } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import { REPORTED_REASON } from '../media/index.ts'
import { CHILD_REASON, kindsFor, SEVERE_REASONS, URGENT_REASONS } from './rules.ts'
import { IS_STILL_SHOWN, type ReportRow } from './store.ts'
import { medianAnswer } from '../../platform/database/statements/median-answer.ts'

const IS_URGENT = sql<boolean>`reason = any(${URGENT_REASONS}::text[])`
/** `isSevere` of rules.ts, for a row. Who has had many severe cases does not list them. */
const isFor = (is_limited: boolean) =>
  sql<boolean>`(not ${is_limited}::boolean or (kind <> 'intimate_image' and coalesce(reason, '') <> all(${SEVERE_REASONS}::text[])))`
const IS_NOT_REJECTED = sql<boolean>`decision is distinct from 'rejected'`

export function reportById(db: Db, report_id: number): Promise<ReportRow | undefined> {
  return db.selectFrom('reports').selectAll().where('report_id', '=', report_id).executeTakeFirst()
}

export function reportBySecret(db: Db, secret_hash: Buffer): Promise<ReportRow | undefined> {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('secret_hash', '=', secret_hash)
    .executeTakeFirst()
}

interface ReportsPart {
  readonly offset: number
  readonly limit: number
  readonly kinds: readonly ReportKind[]
  readonly is_limited: boolean
}

/**
 * The open reports: those about children first, then those about lives, of both the ones that stand back last, then those with a picture that is shown still, then the first to be
 * answered; or the decided ones, the newest first.
 */
export function readReports(
  db: Db,
  state: 'open' | 'decided',
  { offset, limit, kinds, is_limited }: ReportsPart,
): Promise<ReportRow[]> {
  const rows = db
    .selectFrom('reports')
    .selectAll()
    .where('kind', 'in', kinds)
    .offset(offset)
    .limit(limit)
  return state === 'open'
    ? rows
        .where('decided_at', 'is', null)
        .where(isFor(is_limited))
        .orderBy(sql`reason = ${CHILD_REASON}`, 'desc')
        .orderBy(IS_URGENT, 'desc')
        .orderBy('stands_back')
        .orderBy(IS_STILL_SHOWN, 'desc')
        .orderBy('answer_until')
        .orderBy('report_id')
        .execute()
    : rows
        .where('decided_at', 'is not', null)
        .orderBy('decided_at', 'desc')
        .orderBy('report_id', 'desc')
        .execute()
}

/** Reports whose pictures are still watched or treated, after this one. */
export function unsettledReports(db: Db, after: number, limit: number): Promise<ReportRow[]> {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('settled_at', 'is', null)
    .where('kind', '=', 'intimate_image')
    .where('report_id', '>', after)
    .orderBy('report_id')
    .limit(limit)
    .execute()
}

export function countLate(db: Db, now: Temporal.Instant): Promise<{ late: number }> {
  return db
    .selectFrom('reports')
    .select((all) => all.cast<number>(all.fn.countAll(), 'integer').as('late'))
    .where('decided_at', 'is', null)
    .where('answer_until', '<', now)
    .executeTakeFirstOrThrow()
}

/** The pictures of a report that are stored still, and those that are gone. */
export function readPictures(db: Db, report_id: number, limit: number) {
  return db
    .selectFrom('report_pictures')
    .leftJoin('media', 'media.id', 'report_pictures.media_id')
    .select(['report_pictures.media_id', 'status_before', 'media.owner_id', 'media.status'])
    .select('media.reason')
    .where('report_id', '=', report_id)
    .orderBy('report_pictures.media_id')
    .limit(limit)
    .execute()
}

export async function belongsToReport(
  db: Db,
  report_id: number,
  media_id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('report_pictures')
    .select('media_id')
    .where('report_id', '=', report_id)
    .where('media_id', '=', media_id)
    .executeTakeFirst()
  return row !== undefined
}

/** The owners of the pictures of a report, and the member who reported inside the product. */
export async function readSides(db: Db, report_id: number): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select owner_id as id from report_pictures join media on media.id = media_id
    where report_id = ${report_id}
    union
    select complainer_id from reports join complaints using (complaint_id)
    where report_id = ${report_id} and complainer_id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** The queue of the back office, without what the role may not open. */
export async function countWaiting(
  db: Db,
  { staff_role, is_limited }: CountedRole,
  context: AppContext,
): Promise<readonly WaitingCases[]> {
  const row = await db
    .selectFrom('reports')
    .select((all) => [
      all.cast<number>(all.fn.countAll(), 'integer').as('waiting'),
      all.fn.min('filed_at').as('oldest'),
    ])
    .where('decided_at', 'is', null)
    .where('kind', 'in', kindsFor(staff_role))
    .where(isFor(is_limited))
    .executeTakeFirstOrThrow()
  const median_seconds = await medianAnswer(context, db, {
    table: 'reports',
    asked: 'filed_at',
    answered: 'decided_at',
    by: 'decided_by',
  })
  return [{ queue: 'reports', ...row, median_seconds }]
}

/** How many pictures of a report are hidden or removed, and how many everybody sees. */
export async function countPictures(
  db: Db,
  report_id: number,
): Promise<{ out_of_view: number; shown: number }> {
  const { rows } = await sql<{ out_of_view: number; shown: number }>`
    select (count(*) filter (where media.id is null or status in ('pending', 'removed')))::integer as out_of_view,
      (count(*) filter (where status = 'ready'))::integer as shown
    from report_pictures left join media on media.id = media_id where report_id = ${report_id}`.execute(
    db,
  )
  return rows[0]!
}

/** The owners of uploads. */
export async function ownersOfUploads(db: Db, ids: readonly string[]): Promise<UserId[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .select('owner_id')
    .distinct()
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(({ owner_id }) => owner_id)
}

export function readReportHashes(
  db: Db,
  report_id: number,
): Promise<{ readonly hash: string; readonly mirrored: string }[]> {
  return db
    .selectFrom('report_hashes')
    .select(['hash', 'mirrored'])
    .where('report_id', '=', report_id)
    .execute()
}

/** Other reports, which were not rejected, of the same pictures. */
export function readOtherReports(db: Db, report_id: number) {
  return db
    .selectFrom('report_hashes')
    .innerJoin('reports', 'reports.report_id', 'report_hashes.report_id')
    .select(['reports.report_id', 'hash'])
    .where('hash', 'in', (own) =>
      own.selectFrom('report_hashes').select('hash').where('report_id', '=', report_id),
    )
    .where('reports.report_id', '<>', report_id)
    .where(IS_NOT_REJECTED)
    .execute()
}

/** Uploads that a rejected report hid or removed, and no other report keeps so. */
export async function uploadsToShow(
  db: Db,
  report_id: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('report_pictures as own')
    .innerJoin('media', 'media.id', 'own.media_id')
    .select('own.media_id')
    .where('own.report_id', '=', report_id)
    .where('own.status_before', '=', 'ready')
    .where('media.status', 'in', ['pending', 'removed'])
    .where('media.reason', '=', REPORTED_REASON)
    .where(
      sql<boolean>`not exists (
        select from report_pictures join reports using (report_id)
        where report_pictures.media_id = own.media_id and report_id <> own.report_id and ${IS_NOT_REJECTED})`,
    )
    .orderBy('own.media_id')
    .limit(limit)
    .execute()
  return rows.map(({ media_id }) => media_id)
}

export interface CountedReport {
  readonly kind: string
  readonly decision: string | null
  readonly filed_at: Temporal.Instant
  readonly answer_until: Temporal.Instant
  readonly decided_at: Temporal.Instant | null
  readonly pictures: number
}

/** The reports of a month by their number, after this one. */
export function countedReports(
  db: Db,
  {
    from,
    to,
    after,
    limit,
  }: {
    readonly from: Temporal.Instant
    readonly to: Temporal.Instant
    readonly after: number
    readonly limit: number
  },
) {
  return db
    .selectFrom('reports')
    .select(['report_id', 'kind', 'decision', 'filed_at', 'answer_until', 'decided_at'])
    .select(
      sql<number>`(select count(*)::integer from report_pictures where report_id = reports.report_id)`.as(
        'pictures',
      ),
    )
    .where('filed_at', '>=', from)
    .where('filed_at', '<', to)
    .where('report_id', '>', after)
    .orderBy('report_id')
    .limit(limit)
    .execute()
}
