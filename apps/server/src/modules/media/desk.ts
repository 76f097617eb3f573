import { sql } from 'kysely'
import type { Answer, Body, Query } from '@duet/protocol'
import type { DeskPhoto } from '@duet/protocol/contracts/media-desk.ts'
import type { App, AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { CountedRole, QueuedCase, QueueViewer, WaitingCases } from '../../core/hooks.ts'
import type { RawResponse } from '../../core/raw-response.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Staff } from '../../core/viewer.ts'
import type { UserId } from '../../core/ids.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { setting } from '../settings/index.ts'
import {
  endClaim,
  isLimited,
  readClaims,
  readDeskPeople,
  requireOtherPerson,
} from '../staff/index.ts'
import { REPORTED_REASON } from './checks/rules.ts'
import { mediaKey } from './media-key.ts'
import { isBelow, mediaOfDesk, readDeskMedia, WAITS_FOR_DESK } from './queries.ts'
import { auditReview, reviewMedia } from './review-media.ts'
import { playToStaff, shownJpeg, showToStaff } from './show-to-staff.ts'
import { medianAnswer } from '../../platform/database/statements/median-answer.ts'

/** GET v2/manager/photos. */
export async function photoQueue(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/photos'>,
): Promise<Answer<'GET v2/manager/photos'>> {
  const below = shownBelow(app, await isLimited(app, staff))
  const rows = await readDeskMedia(app.db, request.state, { ...offsetAndLimit(request), below })
  const person = await readDeskPeople(
    app.db,
    rows.map(({ owner_id }) => owner_id),
  )
  const ids = rows.map(({ id }) => id)
  const claims = await readClaims(app.db, 'photos', ids, app.clock.now())
  const photos = rows.map(({ owner_id, created_at, kind, ...row }): DeskPhoto => ({
    ...row,
    kind: kind as DeskPhoto['kind'],
    user: person(owner_id),
    create_time: wireTime(created_at),
    claim: claims.get(row.id) ?? null,
  }))
  return paginate(request, photos)
}

/** A member of staff with too many severe cases decides no pictures that may show nudity for a while. */
function shownBelow(context: AppContext, is_limited: boolean): number | null {
  return is_limited ? setting(context, 'upload_review') : null
}

export async function countPending(
  db: Db,
  { is_limited }: CountedRole,
  context: AppContext,
): Promise<readonly WaitingCases[]> {
  const row = await db
    .selectFrom('media')
    .select([
      sql<number>`count(*)::integer`.as('waiting'),
      (fn) => fn.fn.min('queued_at').as('oldest'),
    ])
    .where(WAITS_FOR_DESK)
    .where(isBelow(shownBelow(context, is_limited)))
    .executeTakeFirstOrThrow()
  const times = { table: 'media', asked: 'queued_at', answered: 'reviewed_at' } as const
  return [{ queue: 'photos', ...row, median_seconds: await medianAnswer(context, db, times) }]
}

/** GET v2/manager/photos/{id}/tile. */
export async function tileOfDesk(
  app: App,
  _staff: Staff,
  { id }: Query<'GET v2/manager/photos/{id}/tile'>,
): Promise<RawResponse> {
  const media = (await mediaOfDesk(app.db, id)) ?? refuse('not_found')
  const picture = (await app.storage.get(mediaKey(media.id, 'small'))) ?? refuse('not_found')
  return shownJpeg(await app.images.blur(picture))
}

/** GET v2/manager/photos/{id}/picture. */
export async function photoOfDesk(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/photos/{id}/picture'>,
): Promise<RawResponse> {
  return showToStaff(app, staff, (await mediaOfDesk(app.db, id)) ?? refuse('not_found'))
}

/** GET v2/manager/photos/{id}/video. */
export async function videoOfDesk(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/photos/{id}/video'>,
  context: RequestContext,
): Promise<RawResponse> {
  return playToStaff(app, staff, (await mediaOfDesk(app.db, id)) ?? refuse('not_found'), context)
}

/** POST v2/manager/photos/{id}/decide. */
export async function decideOnPhoto(
  app: App,
  staff: Staff,
  {
    id,
    approve,
    verdict,
    reason: comment,
  }: Query<'POST v2/manager/photos/{id}/decide'> & Body<'POST v2/manager/photos/{id}/decide'>,
): Promise<Answer<'POST v2/manager/photos/{id}/decide'>> {
  if (!approve && !verdict)
    refuse('invalid', { fields: [{ path: 'verdict', message: 'A removal needs a verdict' }] })
  await reviewMedia(
    app,
    {
      id,
      status: approve ? 'ready' : 'removed',
      reason: approve ? null : verdict!,
      comment,
      by: staff.email,
      actor: staff,
    },
    async (tx, media) => {
      if (!media) refuse('not_found')
      if (media.status !== 'pending') refuse('decided')
      // A report decides what it hides.
      if (media.reason === REPORTED_REASON) refuse('not_found')
      await requireOtherPerson(tx, staff, [media.owner_id])
      await endClaim(tx, staff, 'photos', id)
      await auditReview(tx, staff, media, { reason: approve ? null : verdict!, words: comment })
    },
  )
  return {}
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The owner of an upload that waits. */
export async function mediaOwners(
  db: Db,
  { queue, id }: QueuedCase,
  { is_limited }: QueueViewer,
  context: AppContext,
): Promise<UserId[] | undefined> {
  if (queue !== 'photos' || !UUID.test(id)) return undefined
  const row = await db
    .selectFrom('media')
    .select(['owner_id', isBelow(shownBelow(context, is_limited)).as('is_shown')])
    .where('id', '=', id)
    .where(WAITS_FOR_DESK)
    .executeTakeFirst()
  if (row?.is_shown === false) refuse('role_forbidden')
  return row && [row.owner_id]
}
