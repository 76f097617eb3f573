import type { App, AppContext, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { readEntries, writeAudit } from '../audit/index.ts'
import { requireOtherPerson } from '../staff/index.ts'
import { mediaUrl } from './media-url.ts'
import type { StaffMedia } from './queries.ts'
import { serveVideo } from './serve-media.ts'
import { storedPicture } from './store-files.ts'

/** A player asks for the parts of a video one after the other. */
const PLAYING_MINUTES = 10
const LOOKS_MAX = 100

/** Where staff look: at a picture that waits for a decision, or at the page of its owner. */
type LookPlace = 'queue' | 'person'

/** The picture with the name of its viewer. The look is recorded before anything is read. Refuses not_found, role_forbidden. */
export async function showToStaff(
  app: App,
  staff: Staff,
  media: StaffMedia,
  place: LookPlace = 'queue',
): Promise<RawResponse> {
  await app.transact((tx) => recordLook(tx, staff, media, { form: 'picture', place }))
  const picture = (await storedPicture(app, media.id)) ?? refuse('not_found')
  return markedJpeg(app, staff, picture, `picture ${media.id}`)
}

/** The picture with the name of its viewer, the time and the subject of the look on it. */
export async function markedJpeg(
  app: App,
  { email }: Staff,
  plain: Uint8Array,
  subject: string,
): Promise<RawResponse> {
  const mark = `${email} ${wireTime(app.clock.now())} ${subject}`
  return shownJpeg(await app.images.watermark(plain, mark))
}

export function shownJpeg(body: Buffer): RawResponse {
  return new RawResponse({
    body,
    content_type: 'image/jpeg',
    headers: { 'X-Content-Type-Options': 'nosniff' },
  })
}

/** The video, over which the office shows the name of its viewer. Refuses not_found, role_forbidden. */
export async function playToStaff(
  app: App,
  staff: Staff,
  media: StaffMedia,
  { headers = {} }: RequestContext,
  place: LookPlace = 'queue',
): Promise<RawResponse> {
  await app.transact(async (tx) => {
    if (!(await isPlaying(tx, staff, media)))
      await recordLook(tx, staff, media, { form: 'video', place })
  })
  return serveVideo(app, media.id, headers.range, 'no-store')
}

/** The avatars of users, each at the address that its owner has: others may see it blurred. */
export async function portraitsForStaff(
  app: AppContext,
  db: Db,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  if (users.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .innerJoin('media', 'media.id', 'users.avatar_id')
    .select(['users.id as user_id', 'media.id', 'media.blurred_id'])
    .where('users.id', 'in', users)
    .where('media.status', '=', 'ready')
    .execute()
  return new Map(
    rows.map(({ user_id, ...ids }) => [
      user_id,
      mediaUrl(app, { id: user_id, age_confirmed: true }, ids, 'small'),
    ]),
  )
}

async function recordLook(
  tx: Tx,
  staff: Staff,
  { id: media_id, owner_id }: StaffMedia,
  look: { readonly form: 'picture' | 'video'; readonly place: LookPlace },
): Promise<void> {
  await requireOtherPerson(tx, staff, [owner_id])
  const facts = { media_id, ...look }
  await writeAudit(tx, { staff, act: 'media_view', user_id: owner_id, facts })
}

async function isPlaying(
  tx: Tx,
  { id: staff_id }: Staff,
  { id: media_id, owner_id }: StaffMedia,
): Promise<boolean> {
  const from = tx.now.subtract({ minutes: PLAYING_MINUTES })
  const search = { staff_id, act: 'media_view', user_id: owner_id, from }
  const looks = await readEntries(tx, search, LOOKS_MAX)
  return looks.some(({ facts }) => {
    const seen = facts as { media_id?: unknown; form?: unknown }
    return seen.media_id === media_id && seen.form === 'video'
  })
}
