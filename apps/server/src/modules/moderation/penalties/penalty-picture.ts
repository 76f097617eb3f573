import type { Answer } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import { type RequestContext, uploadedFile } from '../../../core/request-context.ts'
import type { Staff } from '../../../core/viewer.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { newUuid } from '../../../lib/ids.ts'
import { writeAudit } from '../../audit/index.ts'
import { encodePicture } from '../../media/index.ts'
import { insertPicture, pictureOfPenalty } from './picture-store.ts'

const PURPOSE = 'evidence of penalties'

function describePlace(picture_id: string): string {
  return `picture ${picture_id} of a penalty`
}

/** POST v2/manager/penalty/screenshot. Refuses invalid, too_large, too_many, wrong_type. */
export async function keepScreenshot(
  app: App,
  staff: Staff,
  _input: object,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/penalty/screenshot'>> {
  const { bytes } = uploadedFile(context, 'image', limits.image_bytes)
  const { files } = await encodePicture(app, bytes)
  const picture_id = newUuid()
  const key = keyFor(app.config, PURPOSE)
  const content = sealBytes(key, files.get('full')!, describePlace(picture_id))
  await app.transact(async (tx) => {
    await insertPicture(tx, { picture_id, uploaded_by: staff.email, content })
    await writeAudit(tx, { staff, act: 'screenshot_keep', facts: { screenshot: picture_id } })
  })
  return { screenshot: picture_id }
}

/** The screenshot of a penalty or a ban. */
export async function pictureOfStatement(
  app: App,
  statement_id: number,
): Promise<Buffer | undefined> {
  const picture = await pictureOfPenalty(app.db, statement_id)
  const key = keyFor(app.config, PURPOSE)
  return picture && openBytes(key, picture.content, describePlace(picture.picture_id))
}
