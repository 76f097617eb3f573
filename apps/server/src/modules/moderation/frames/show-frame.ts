import type { App } from '../../../core/app.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { readFrame } from './frame-files.ts'
import { type FrameRow, recordFrameView } from './frame-store.ts'

export function shownJpeg(body: Buffer): RawResponse {
  return new RawResponse({
    body,
    content_type: 'image/jpeg',
    headers: { 'X-Content-Type-Options': 'nosniff' },
  })
}

/** A sampled frame with the name of its viewer on it. The look is recorded before it is read. Refuses not_found. */
export async function showFrame(app: App, staff: Staff, frame: FrameRow): Promise<RawResponse> {
  const { session_id, girl_id: user_id } = frame
  await app.transact(async (tx) => {
    await recordFrameView(tx, session_id, staff.email)
    await writeAudit(tx, { staff, act: 'frames_view', user_id, facts: { session_id } })
  })
  const plain = (await readFrame(app, frame)) ?? refuse('not_found')
  const mark = `${staff.email} ${wireTime(app.clock.now())} call ${session_id}`
  return shownJpeg(await app.images.watermark(plain, mark))
}
