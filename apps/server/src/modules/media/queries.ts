import { sql } from 'kysely'
import { photoVerdicts } from '@duet/protocol/kernel/rule-names.ts'
import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { createPort } from '../../core/port.ts'
import { REPORTED_REASON } from './checks/rules.ts'
import { readMediaViewer, type PictureIds } from './media-url.ts'
import { accessInDialog, accessTo, isBlurredPublic, type MediaAccess } from './rules.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isMediaId(id: string): boolean {
  return UUID.test(id)
}

/** Those of these uploads that a message in the viewer's own view of a dialog carries. Reads on `db` and nowhere else. */
export const mediaOfDialogs = createPort<
  (
    db: Db,
    viewerId: UserId,
    ids: readonly string[],
    context: AppContext,
  ) => Promise<ReadonlySet<string>>
>('the uploads in dialogs', async () => new Set())

/** Documents and evidence are shown in the back office only. */
const SHOWN_PRODUCTS = ['avatar', 'gallery', 'messenger', 'support']

export interface VisibleMedia extends PictureIds {
  readonly kind: string
  readonly access: Exclude<MediaAccess, 'none'>
}

function shownMedia(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('media')
    .select(['id', 'blurred_id', 'owner_id', 'kind', 'status', 'audience'])
    .where('id', 'in', [...ids])
    .where('product', 'in', SHOWN_PRODUCTS)
    .execute()
}

/** Those of the given uploads that the viewer may see, and how much of each, checked at every request. */
export async function visibleMedia(
  app: App,
  db: Db,
  viewerId: UserId | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VisibleMedia>> {
  if (ids.length === 0) return new Map()
  const rows = await shownMedia(db, ids)
  const viewer = await readMediaViewer(app, db, viewerId)
  const owners = [...new Set(rows.map((row) => row.owner_id))]
  // The blurred form is public: for a viewer who gets nothing else it does not matter which owners hide.
  const hidden = viewer.age_confirmed
    ? await app.hooks.hiddenUsers(db, { id: viewerId }, owners)
    : new Set<UserId>()
  const inDialogs = rows.filter(({ audience }) => audience === 'dialog').map(({ id }) => id)
  const inOwnDialogs =
    viewerId === null || inDialogs.length === 0
      ? new Set<string>()
      : await mediaOfDialogs.get(app)(db, viewerId, inDialogs, app)
  return new Map(
    rows.flatMap((row) => {
      const access = inOwnDialogs.has(row.id)
        ? accessInDialog(row, viewer)
        : accessTo(row, viewer, hidden.has(row.owner_id))
      const { id, blurred_id, kind } = row
      return access === 'none' ? [] : [[id, { id, blurred_id, kind, access }] as const]
    }),
  )
}

/** The upload whose blurred form has this id and is public. */
export async function mediaOfBlurred(db: Db, blurred_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('media')
    .select(['id', 'owner_id', 'status', 'audience'])
    .where('blurred_id', '=', blurred_id)
    .where('product', 'in', SHOWN_PRODUCTS)
    .executeTakeFirst()
  return row && isBlurredPublic(row) ? row.id : undefined
}

/** The number and the bytes of a user's uploads. Those in dialogs count for a day. */
export async function readUploads(
  db: Db,
  owner_id: UserId,
  now: Temporal.Instant,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from media
    where owner_id = ${owner_id} and (audience <> 'dialog' or created_at > ${now}::timestamptz - interval '24 hours')`.execute(
    db,
  )
  return rows[0]!
}

/** A picture that a report hides is decided with the report. */
export const WAITS_FOR_DESK = sql<boolean>`status = 'pending' and reason is distinct from ${REPORTED_REASON}`

/** A picture that a report removed is seen with the report. */
const DECIDED_AT_DESK = sql<boolean>`status = 'removed' and reason = any(${photoVerdicts.filter((one) => one !== REPORTED_REASON)}::text[])`

/** The uploads that wait for review, the oldest first. */
export function pendingMedia(db: Db, limit: number) {
  return selectScored(db)
    .select('audience')
    .where(WAITS_FOR_DESK)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** The score of nudity is below this; null: every upload. */
export function isBelow(nudity: number | null) {
  return sql<boolean>`(${nudity}::real is null or not exists (select from image_checks
    where image_checks.media_id = media.id and image_checks.nudity >= ${nudity}::real))`
}

/** A page of the desk: what waits, the oldest first, or what was removed, the latest first. */
export function readDeskMedia(
  db: Db,
  state: 'waiting' | 'decided',
  { offset, limit, below }: { offset: number; limit: number; below: number | null },
) {
  const media = selectScored(db).select(['width', 'height', 'status']).offset(offset).limit(limit)
  return state === 'waiting'
    ? media.where(WAITS_FOR_DESK).where(isBelow(below)).orderBy('created_at').execute()
    : media.where(DECIDED_AT_DESK).orderBy('reviewed_at', 'desc').execute()
}

/** An upload that staff may look at. */
export interface StaffMedia {
  readonly id: string
  readonly owner_id: UserId
}

/** An upload that the desk lists. */
export async function mediaOfDesk(db: Db, id: string): Promise<StaffMedia | undefined> {
  if (!isMediaId(id)) return undefined
  return db
    .selectFrom('media')
    .select(['id', 'owner_id'])
    .where('id', '=', id)
    .where((check) => check.or([WAITS_FOR_DESK, DECIDED_AT_DESK]))
    .executeTakeFirst()
}

/** The pictures of a dialog are read with the dialog, and those that a report hides with the report. */
const ON_PAGE_OF_OWNER = sql<boolean>`product in ('avatar', 'gallery')
  and (status = 'ready' or ${WAITS_FOR_DESK} or ${DECIDED_AT_DESK})`

/** A page of the uploads of a user, the newest first. */
export function picturesOfPerson(
  db: Db,
  owner_id: UserId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  return selectScored(db)
    .select(['width', 'height', 'status'])
    .where('owner_id', '=', owner_id)
    .where(ON_PAGE_OF_OWNER)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** One of them. */
export async function pictureOfPerson(
  db: Db,
  owner_id: UserId,
  id: string,
): Promise<StaffMedia | undefined> {
  if (!isMediaId(id)) return undefined
  return db
    .selectFrom('media')
    .select(['id', 'owner_id'])
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .where(ON_PAGE_OF_OWNER)
    .executeTakeFirst()
}

/** Uploads with the latest score of nudity, from 0 to 1. */
function selectScored(db: Db) {
  return db
    .selectFrom('media')
    .select(['id', 'owner_id', 'product', 'kind', 'reason', 'created_at'])
    .select((check) =>
      check
        .selectFrom('image_checks')
        .select('nudity')
        .whereRef('image_checks.media_id', '=', 'media.id')
        .orderBy('image_checks.id', 'desc')
        .limit(1)
        .as('nudity'),
    )
}

/** Drafts older than `before`: their uploads ended without a row. */
export async function oldDrafts(
  db: Db,
  before: Temporal.Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('media_drafts')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function isDraft(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('media_drafts')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Those of these uploads that are the shown portrait of a user, and that staff have approved. */
export async function approvedPortraits(
  db: Db,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .innerJoin('users', 'users.avatar_id', 'media.id')
    .select('media.id')
    .where('media.id', 'in', [...ids])
    .where('media.status', '=', 'ready')
    .where('media.reviewed_at', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** All pictures of a user by id, whatever their state; those after an id for the next page. */
export function readMedia(
  db: Db,
  owner_id: UserId,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ id: string; product: string; kind: string }[]> {
  return db
    .selectFrom('media')
    .select(['id', 'product', 'kind'])
    .where('owner_id', '=', owner_id)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Those of the ids that have a row. */
export async function mediaAmong(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The videos of a user that wait for their conversion. */
export async function readWaitingVideos(db: Db, owner_id: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('media')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner_id)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow()
  return Number(count)
}
