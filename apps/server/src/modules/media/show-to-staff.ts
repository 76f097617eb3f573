import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { requireOtherPerson } from '../staff/index.ts'
import { storedPicture } from './store-files.ts'

interface SeenMedia {
  readonly id: string
  readonly owner_id: UserId
}

/** The picture with the name of its viewer. The look is recorded before anything is read. Refuses not_found, role_forbidden. */
export async function showToStaff(app: App, staff: Staff, media: SeenMedia): Promise<RawResponse> {
  await recordLook(app, staff, media)
  const picture = (await storedPicture(app, media.id)) ?? refuse('not_found')
  const mark = `${staff.email} ${wireTime(app.clock.now())} picture ${media.id}`
  return new RawResponse({
    body: await app.images.watermark(picture, mark),
    content_type: 'image/jpeg',
    headers: { 'X-Content-Type-Options': 'nosniff' },
  })
}

function recordLook(app: App, staff: Staff, { id: media_id, owner_id }: SeenMedia): Promise<void> {
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [owner_id])
    await writeAudit(tx, { staff, act: 'media_view', user_id: owner_id, facts: { media_id } })
  })
}
