import type { Answer, Body, Query } from '@duet/protocol'
import type { PersonPicture } from '@duet/protocol/contracts/media-desk.ts'
import type { App } from '../../core/app.ts'
import type { RawResponse } from '../../core/raw-response.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { userById } from '../identity/index.ts'
import { requireOtherPerson } from '../staff/index.ts'
import { pictureOfPerson, picturesOfPerson, type StaffMedia } from './queries.ts'
import { auditReview, reviewMedia } from './review-media.ts'
import { playToStaff, showToStaff } from './show-to-staff.ts'

/** GET v2/manager/users/{id}/pictures. Refuses not_found. */
export async function personPictures(
  app: App,
  _staff: Staff,
  request: Query<'GET v2/manager/users/{id}/pictures'>,
): Promise<Answer<'GET v2/manager/users/{id}/pictures'>> {
  if (!(await userById(app.db, request.id))) refuse('not_found')
  const rows = await picturesOfPerson(app.db, request.id, offsetAndLimit(request))
  const items = rows.map(({ owner_id: _, created_at, kind, ...row }): PersonPicture => ({
    ...row,
    kind: kind as PersonPicture['kind'],
    create_time: wireTime(created_at),
  }))
  return paginate(request, items)
}

type OnePicture = Query<'GET v2/manager/users/{id}/pictures/{media_id}/picture'>

async function findPicture(app: App, { id, media_id }: OnePicture): Promise<StaffMedia> {
  return (await pictureOfPerson(app.db, id, media_id)) ?? refuse('not_found')
}

/** GET v2/manager/users/{id}/pictures/{media_id}/picture. Refuses not_found, role_forbidden. */
export async function personPicture(
  app: App,
  staff: Staff,
  request: OnePicture,
): Promise<RawResponse> {
  return showToStaff(app, staff, await findPicture(app, request), 'person')
}

/** GET v2/manager/users/{id}/pictures/{media_id}/video. Refuses not_found, role_forbidden. */
export async function personVideo(
  app: App,
  staff: Staff,
  request: OnePicture,
  context: RequestContext,
): Promise<RawResponse> {
  return playToStaff(app, staff, await findPicture(app, request), context, 'person')
}

/** POST v2/manager/users/{id}/pictures/{media_id}/remove. Refuses not_found, role_forbidden, decided, bulk_stopped. */
export async function removePersonPicture(
  app: App,
  staff: Staff,
  {
    verdict,
    reason: comment,
    ...request
  }: OnePicture & Body<'POST v2/manager/users/{id}/pictures/{media_id}/remove'>,
): Promise<Answer<'POST v2/manager/users/{id}/pictures/{media_id}/remove'>> {
  const { id } = await findPicture(app, request)
  const given = { by: staff.email, actor: staff }
  const removal = { id, status: 'removed', reason: verdict, comment, ...given } as const
  await reviewMedia(app, removal, async (tx, media) => {
    if (!media) refuse('not_found')
    // A picture that waits is decided at the desk, where it has a claim.
    if (media.status !== 'ready') refuse('decided')
    await requireOtherPerson(tx, staff, [media.owner_id])
    await auditReview(tx, staff, media, { reason: verdict, words: comment })
  })
  return {}
}
